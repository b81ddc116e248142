import { mawOptions } from '@maw/games/maw/options.ts';
import { evolve, type Maw, type MawEvent, initialState } from '@maw/games/maw/state.ts';
import { type Seat, seatOf } from '@maw/games/kernel/question.ts';
import { accuse, onDay, type PublicDay } from '../shared/days.ts';
import type { Line as Spoken } from '@maw/games/english/reader.ts';
import { type Line, recorder } from '../shared/recorder.ts';
import { type Kind, kindOf } from '../shared/weights.ts';
import { readSpeech } from './speech.ts';

/** How one player's vote stands in one day or night. */
export interface Cast {
  readonly target: Seat;
  /** The number of its line or event: the later one counts, in whatever order they arrive. */
  readonly at: number;
  /** The targets before it. */
  readonly before?: readonly Seat[];
}

/** The public record of one day. */
export interface Day extends PublicDay {
  readonly votes: { readonly [voter: number]: Cast };
  readonly executed: Seat | undefined;
}

/** A seer's result as somebody tells it, true or not. */
export interface Claim {
  readonly by: Seat;
  readonly about: Seat;
  readonly isWolf: boolean;
  /** Whispered: nobody else has heard it. */
  readonly isPrivate?: true;
}

/** What the player knows of a round of MAW. */
export interface Known {
  readonly game: Maw;
  readonly round: number;
  /** The last two speeches, which may explain the next one. */
  readonly lately?: readonly Spoken[];
  /** Whether the table plays with a seer. */
  readonly hasSeer: boolean;
  /** Whose habits tell something. Absent: those of minds. */
  readonly kind?: Kind;
  readonly days: { readonly [day: number]: Day };
  readonly hunts: { readonly [night: number]: Day['votes'] };
  readonly claims: readonly Claim[];
  readonly murdered: readonly Seat[];
  /** Its own speeches of the phase. */
  readonly mine: { readonly phase: string; readonly said: readonly string[] };
  /** For a seer: about whom it has told its result. */
  readonly told: readonly Seat[];
}

export const newDay: Day = { votes: {}, accusations: [], executed: undefined };
export const newRecord = (round = 0, hasSeer = false, kind: Kind = 'maw'): Known => ({
  game: initialState,
  round,
  hasSeer,
  kind,
  days: {},
  hunts: {},
  claims: [],
  murdered: [],
  mine: { phase: '', said: [] },
  told: [],
});

export const recordNews = recorder(mawOptions, {
  open: ({ seer, pace }) => newRecord(0, seer, kindOf(pace, 'maw')),
  begin: ({ hasSeer, kind }: Known, round) => newRecord(round, hasSeer, kind),
  event: recordEvent,
  line: recordLine,
});

function recordEvent(known: Known, event: MawEvent): Known {
  const game = evolve(known.game, event);
  if (event.type === 'executed') return { ...onDay(known, known.game.day, newDay, () => ({ executed: event.seat })), game };
  if (event.type === 'murdered') return { ...known, game, murdered: [...known.murdered, event.seat] };
  // `told` tells wolves the role of the executed, which they know
  return { ...known, game };
}

/** Records a vote or a speech: `day-2/vote`, or the room `day-2/Village`. */
function recordLine(known: Known, { by, speech, says, place, names, before, line, n }: Line): Known {
  const [, time, day, step] = /^(day|night)-(\d+)\/([^/]+)$/.exec(place) ?? [];
  if (by === undefined || step === undefined) return known;
  if (says) {
    const isVote = ['vote', 'hunt', 'Village', 'Hideout'].includes(step);
    return isVote ? recordVote(known, by, says, time === 'day', Number(day), line ?? n ?? 0) : known;
  }
  if (speech === undefined || time === 'night') return known;
  const { accuses, claims } = readSpeech({ speech, by, names, before });
  const isPrivate = /whisper/i.test(step);
  const told = claims.map((claim): Claim => ({ ...claim, by, ...(isPrivate ? { isPrivate } : {}) }));
  return recordClaims(isPrivate ? known : accuse(known, Number(day), newDay, { by, accuses }), by, told);
}

function recordVote(known: Known, by: Seat, [option]: readonly string[], isDay: boolean, number: number, at: number): Known {
  if (!option?.startsWith('seat:')) return known;
  const votes = isDay ? known.days[number]?.votes : known.hunts[number];
  const before = votes?.[by];
  if (before && before.at >= at) return known;
  const target = seatOf(option);
  const cast: Cast = { target, at, before: before ? [...(before.before ?? []), ...(before.target === target ? [] : [before.target])] : [] };
  return isDay
    ? onDay(known, number, newDay, () => ({ votes: { ...votes, [by]: cast } }))
    : { ...known, hunts: { ...known.hunts, [number]: { ...votes, [by]: cast } } };
}

/** Adds claims. One without a result counts until there is one; what is said to all replaces what was whispered. */
function recordClaims(known: Known, by: Seat, claims: readonly Claim[]): Known {
  const isSame = (a: Claim, b: Claim): boolean => a.by === b.by && a.about === b.about && a.isWolf === b.isWolf;
  const news = claims.filter((claim) => !known.claims.some((old) => isSame(old, claim) && (claim.isPrivate || !old.isPrivate)));
  const isBare = news.every(({ about }) => about === by);
  if (!news.length || (isBare && known.claims.some((claim) => claim.by === by && claim.about !== by))) return known;
  const before = known.claims.filter((old) => !news.some((claim) => isSame(old, claim)) && (old.by !== by || old.about !== by));
  return { ...known, claims: [...before, ...news] };
}

/** The last vote of each voter. */
export const targetsOf = (votes: Day['votes']): { readonly [voter: string]: Seat } =>
  Object.fromEntries(Object.entries(votes).map(([voter, { target }]) => [voter, target]));

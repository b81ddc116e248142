import { readOptions } from '@maw/games/kernel/options.ts';
import { type Seat, seatOf } from '@maw/games/kernel/question.ts';
import { type Werewolf7Options, werewolf7Options } from '@maw/games/werewolf-7/options.ts';
import { evolve, initialState, type Werewolf7, type Werewolf7Event } from '@maw/games/werewolf-7/state.ts';
import { accuse, onDay, type PublicDay } from '../shared/days.ts';
import type { Line as Spoken } from '@maw/games/english/reader.ts';
import { type Line, recorder } from '../shared/recorder.ts';
import { type Kind, kindOf } from '../shared/weights.ts';
import { type ClaimedRole, type Meaning, readSpeech } from './speech.ts';

/** A vote: for somebody, or for nobody. */
export type Vote = Seat | 'pass';

/** The public record of one day and of the night before it. */
export interface Day extends PublicDay {
  readonly votes: { readonly [voter: number]: Vote };
  readonly died: readonly Seat[];
}

/** The claims of a player, true or not: the last role, and every result and rescue claimed. */
export interface Claim {
  readonly by: Seat;
  readonly is: ClaimedRole;
  /** When it was said: the day, and half a day more for last words. */
  readonly at: number;
  readonly results: readonly { readonly about: Seat; readonly isWolf: boolean }[];
  readonly saved: readonly Seat[];
}

/** What the player knows of a game. */
export interface Known {
  readonly game: Werewolf7;
  readonly round: number;
  /** The last two speeches, which may explain the next one. */
  readonly lately?: readonly Spoken[];
  readonly options: Werewolf7Options;
  /** Whose habits tell something. Absent: those of minds. */
  readonly kind?: Kind;
  readonly days: { readonly [day: number]: Day };
  /** What the wolves have heard each other vote, by night. */
  readonly hunts: { readonly [night: number]: Day['votes'] };
  readonly claims: readonly Claim[];
  /** For a witch: whom she was ever warned of, saved and poisoned. */
  readonly own: { readonly warned: readonly Seat[]; readonly saved: Seat | undefined; readonly poisoned: Seat | undefined };
}

export const newDay: Day = { votes: {}, accusations: [], died: [] };
export const newRecord = (round = 0, options: Werewolf7Options = readOptions(werewolf7Options), kind: Kind = 'werewolf-7'): Known => ({
  game: initialState,
  round,
  options,
  kind,
  days: {},
  hunts: {},
  claims: [],
  own: { warned: [], saved: undefined, poisoned: undefined },
});

export const recordNews = recorder(werewolf7Options, {
  open: (options) => newRecord(0, options, kindOf(options.pace, 'werewolf-7')),
  begin: ({ options, kind }: Known, round) => newRecord(round, options, kind),
  event: recordEvent,
  line: recordLine,
});

function recordEvent(known: Known, event: Werewolf7Event): Known {
  const then: Known = { ...known, game: evolve(known.game, event) };
  const own = (change: Partial<Known['own']>): Known => ({ ...then, own: { ...then.own, ...change } });
  if (event.type === 'dawned') return onDay(then, event.day, newDay, () => ({ died: event.dead.map(({ seat }) => seat) }));
  if (event.type === 'warned') return own({ warned: [...then.own.warned, event.seat] });
  if (event.type === 'saved' || event.type === 'poisoned') return own({ [event.type]: event.seat });
  return then;
}

/** Records a choice or a speech: `day-2/ballot/vote`, or the room `day-2/Village`; `gallows` is the place of last words. */
function recordLine(known: Known, { by, speech, says, place, names, before }: Line): Known {
  const [, number, gallows, step] = /^(?:day|night)-(\d+)\/(gallows\/)?(?:.*\/)?([^/]+)$/.exec(place) ?? [];
  if (by === undefined || step === undefined) return known;
  const day = Number(number);
  if (!says)
    return speech === undefined ? known : recordSpeech(known, by, readSpeech({ speech, by, names, before }), day, gallows !== undefined);
  const vote: Vote = says[0] === 'pass' ? 'pass' : seatOf(says[0]!);
  if (step === 'vote' && place.includes('second-ballot')) return known; // among a few only, it tells less than the first
  if (step === 'vote') return onDay(known, day, newDay, ({ votes }) => ({ votes: { ...votes, [by]: vote } }));
  if (step === 'hunt') return { ...known, hunts: { ...known.hunts, [day]: { ...known.hunts[day], [by]: vote } } };
  return known; // other choices of its own arrive as events
}

function recordSpeech(known: Known, by: Seat, { is, results, saved, accuses }: Meaning, day: number, isLast: boolean): Known {
  const next = accuse(known, day, newDay, { by, accuses });
  if (is === undefined) return next;
  const at = day + (isLast ? 0.5 : 0);
  const before = next.claims.find((claim) => claim.by === by);
  // A claim to be a villager does not withdraw a claim to a special role.
  const isNews = !before || (at >= before.at && (is !== 'villager' || before.is === 'villager'));
  const claim: Claim = {
    by,
    is: isNews ? is : before.is,
    at: Math.max(at, before?.at ?? 0),
    results: [...(before?.results ?? []), ...results.filter(({ about }) => !before?.results.some((old) => old.about === about))],
    saved: [...new Set([...(before?.saved ?? []), ...saved])],
  };
  return { ...next, claims: [...next.claims.filter((other) => other.by !== by), claim].toSorted((a, b) => a.by - b.by) };
}

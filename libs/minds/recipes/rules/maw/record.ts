import { mawOptions } from '@maw/games/maw/options.ts';
import { evolve, type Maw, type MawEvent, initialState } from '@maw/games/maw/state.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { phaseOf, type Seat, seatOf, stepOf } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { News } from '../../../news.ts';
import { gameEvents, openedWith } from '../shared/game-events.ts';
import { type Meaning, readSpeech } from './speech.ts';

/** How one player's vote stands in one day or night. */
export interface Cast {
  readonly target: Seat;
  /** The number of its line or event: the later one counts, in whatever order they arrive. */
  readonly at: number;
  /** How often it was changed. */
  readonly changes: number;
}

/** The public record of one day. */
export interface Day {
  readonly votes: { readonly [voter: number]: Cast };
  /** Who called whom a wolf: `by/about`. */
  readonly accusations: readonly string[];
  readonly executed: Seat | undefined;
}

/** A seer's result as somebody tells it, true or not. */
export interface Claim {
  readonly by: Seat;
  readonly about: Seat;
  readonly isWolf: boolean;
}

/** What the player knows of a round of MAW. */
export interface Known {
  readonly game: Maw;
  readonly round: number;
  /** Whether the table plays with a seer. */
  readonly hasSeer: boolean;
  readonly days: { readonly [day: number]: Day };
  readonly hunts: { readonly [night: number]: Day['votes'] };
  readonly claims: readonly Claim[];
  readonly murdered: readonly Seat[];
  /** Its own speeches of the phase. */
  readonly mine: { readonly phase: string; readonly said: readonly string[] };
}

export const newDay: Day = { votes: {}, accusations: [], executed: undefined };
export const newRecord = (round = 0, hasSeer = false): Known => ({
  game: initialState,
  round,
  hasSeer,
  days: {},
  hunts: {},
  claims: [],
  murdered: [],
  mine: { phase: '', said: [] },
});

const isGameEvent = gameEvents<MawEvent>(['dealt', 'dawned', 'dusked', 'executed', 'spared', 'told', 'murdered', 'inspected', 'ended']);

/** Adds one piece of news to the record; idempotent. */
export function recordNews(known: Known, news: News, { players }: Pick<Moment, 'players'>): Known {
  const { event } = news;
  if (event?.type === 'opened') return newRecord(0, readOptions(mawOptions, openedWith(event)).seer);
  if (event?.type === 'began') return newRecord(event['round'] as number, known.hasSeer);
  if (isGameEvent(event)) return recordEvent(known, event);
  if (news.by === undefined) return known;
  const place = placeOf(news);
  if (place?.round !== known.round) return known;
  if (news.says) return recordVote(known, news.by, news.says, place, news.line ?? news.n ?? 0);
  if (news.speech === undefined || place.time !== 'day') return known;
  const meaning = readSpeech(
    news.speech,
    players.map(({ name }) => name),
  );
  return recordSpeech(known, news.by, meaning, place.number);
}

function recordEvent(known: Known, event: MawEvent): Known {
  const game = evolve(known.game, event);
  if (event.type === 'executed') return { ...onDay(known, known.game.day, (day) => ({ ...day, executed: event.seat })), game };
  if (event.type === 'murdered') return { ...known, game, murdered: [...known.murdered, event.seat] };
  // `told` tells wolves the role of the executed, which they know
  return { ...known, game };
}

interface Place {
  readonly round: number;
  readonly time: 'day' | 'night';
  readonly number: number;
  /** The step of the question, or the room. */
  readonly what: string;
}

/** The place of a line or an answer: `round-1/day-2/vote`, or the room `round-1/day-2/Village`. */
function placeOf({ room, event }: News): Place | undefined {
  const id = event ? (event['question'] as string | undefined) : room;
  const found = id === undefined ? undefined : /^round-(\d+)\/(day|night)-(\d+)$/.exec(phaseOf(id));
  return found ? { round: Number(found[1]), time: found[2] as 'day' | 'night', number: Number(found[3]), what: stepOf(id!) } : undefined;
}

function recordVote(known: Known, by: Seat, [option]: readonly string[], { time, number, what }: Place, at: number): Known {
  if (!option?.startsWith('seat:') || !['vote', 'hunt', 'Village', 'Hideout'].includes(what)) return known;
  const votes = time === 'day' ? known.days[number]?.votes : known.hunts[number];
  const before = votes?.[by];
  if (before && before.at >= at) return known;
  const target = seatOf(option);
  const cast: Cast = { target, at, changes: before ? before.changes + (before.target === target ? 0 : 1) : 0 };
  return time === 'day'
    ? onDay(known, number, (day) => ({ ...day, votes: { ...day.votes, [by]: cast } }))
    : { ...known, hunts: { ...known.hunts, [number]: { ...votes, [by]: cast } } };
}

function recordSpeech(known: Known, by: Seat, { accuses, claims }: Meaning, number: number): Known {
  const news = claims.filter(({ about, isWolf }) => !known.claims.some((c) => c.by === by && c.about === about && c.isWolf === isWolf));
  const before = known.days[number]?.accusations ?? [];
  const accused = accuses.flatMap((about) => (about === by || before.includes(`${by}/${about}`) ? [] : [`${by}/${about}`]));
  const next = accused.length ? onDay(known, number, (day) => ({ ...day, accusations: [...before, ...accused] })) : known;
  return news.length ? { ...next, claims: [...known.claims, ...news.map((claim) => ({ ...claim, by }))] } : next;
}

const onDay = (known: Known, number: number, f: (day: Day) => Day): Known => ({
  ...known,
  days: { ...known.days, [number]: f(known.days[number] ?? newDay) },
});

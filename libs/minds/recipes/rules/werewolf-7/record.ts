import { readOptions } from '@maw/games/kernel/options.ts';
import { type Seat, seatOf } from '@maw/games/kernel/question.ts';
import { type Werewolf7Options, werewolf7Options } from '@maw/games/werewolf-7/options.ts';
import { evolve, initialState, type Werewolf7, type Werewolf7Event } from '@maw/games/werewolf-7/state.ts';
import type { News } from '../../../news.ts';
import { readSpeech, type Said } from './speech.ts';

/** A vote: for somebody, or for nobody. */
export type Vote = Seat | 'pass';

/** The public record of one day and of the night before it. */
export interface Day {
  readonly votes: { readonly [voter: number]: Vote };
  /** Who called whom a wolf: `by/about`. */
  readonly accusations: readonly string[];
  readonly died: readonly Seat[];
}

/** What a player says to be and to know, true or not: the last role, and all that was told besides. */
export interface Claim {
  readonly by: Seat;
  readonly is: Said;
  /** When it was said: the day, and half a day more for last words. */
  readonly at: number;
  readonly results: readonly { readonly about: Seat; readonly isWolf: boolean }[];
  readonly saved: readonly Seat[];
}

/** What the player without a model knows of a game: its own view, counted. */
export interface Known {
  readonly game: Werewolf7;
  readonly round: number;
  readonly options: Werewolf7Options;
  readonly days: { readonly [day: number]: Day };
  /** What the wolves have heard each other vote, by night. */
  readonly hunts: { readonly [night: number]: Day['votes'] };
  readonly claims: readonly Claim[];
  /** For a witch: whom she was ever warned of, saved and poisoned. */
  readonly own: { readonly warned: readonly Seat[]; readonly saved: Seat | undefined; readonly poisoned: Seat | undefined };
}

export const newDay: Day = { votes: {}, accusations: [], died: [] };
export const newRecord = (round = 0, options: Werewolf7Options = readOptions(werewolf7Options)): Known => ({
  game: initialState,
  round,
  options,
  days: {},
  hunts: {},
  claims: [],
  own: { warned: [], saved: undefined, poisoned: undefined },
});

const OF_GAME: ReadonlySet<string> = new Set<Werewolf7Event['type']>([
  'dealt',
  'dusked',
  'aimed',
  'protected',
  'warned',
  'saved',
  'poisoned',
  'inspected',
  'dawned',
  'condemned',
  'executed',
  'spared',
  'ended',
]);

/** Takes one piece of news into the record; the same again changes nothing. */
export function recordNews(known: Known, news: News, names: readonly string[]): Known {
  const { event } = news;
  if (event?.type === 'opened') {
    const { options } = event['opening'] as { readonly options: { readonly [name: string]: unknown } };
    return newRecord(0, readOptions(werewolf7Options, options));
  }
  if (event?.type === 'began') return newRecord(event['round'] as number, known.options);
  if (event && OF_GAME.has(event.type)) return recordEvent(known, event as unknown as Werewolf7Event);
  const place = news.by === undefined ? undefined : placeOf(news);
  if (news.by === undefined || place?.round !== known.round) return known;
  if (news.says) return recordChoice(known, news.by, news.says[0]!, place);
  return news.speech === undefined ? known : recordSpeech(known, news.by, news.speech, place, names);
}

function recordEvent(known: Known, event: Werewolf7Event): Known {
  const then: Known = { ...known, game: evolve(known.game, event) };
  const own = (change: Partial<Known['own']>): Known => ({ ...then, own: { ...then.own, ...change } });
  if (event.type === 'dawned') return onDay(then, event.day, (day) => ({ ...day, died: event.dead.map(({ seat }) => seat) }));
  if (event.type === 'warned') return own({ warned: [...then.own.warned, event.seat] });
  if (event.type === 'saved' || event.type === 'poisoned') return own({ [event.type]: event.seat });
  return then;
}

interface Place {
  readonly round: number;
  readonly day: number;
  /** The step of the question, or the room. */
  readonly what: string;
  /** Whether it belongs to somebody's last words. */
  readonly isLast: boolean;
}

/** Where a line or an answer belongs: `round-1/day-2/ballot/vote`, or the room `round-1/day-2/Village`. */
function placeOf({ room, event }: News): Place | undefined {
  const id = event ? (event['question'] as string | undefined) : room;
  const found = id === undefined ? undefined : /^round-(\d+)\/(?:day|night)-(\d+)\/(gallows\/)?(?:.*\/)?([^/]+)$/.exec(id);
  return found ? { round: Number(found[1]), day: Number(found[2]), what: found[4]!, isLast: found[3] !== undefined } : undefined;
}

function recordChoice(known: Known, by: Seat, option: string, { day: number, what }: Place): Known {
  const vote: Vote = option === 'pass' ? 'pass' : seatOf(option);
  switch (what) {
    case 'vote':
      return onDay(known, number, (day) => ({ ...day, votes: { ...day.votes, [by]: vote } }));
    case 'hunt':
      return { ...known, hunts: { ...known.hunts, [number]: { ...known.hunts[number], [by]: vote } } };
    default:
      return known; // of its other choices a seat is told by events
  }
}

function recordSpeech(known: Known, by: Seat, speech: string, { day, isLast }: Place, names: readonly string[]): Known {
  const { is, results, saved, accuses } = readSpeech(speech, names);
  const accused = accuses.filter((about) => about !== by).map((about) => `${by}/${about}`);
  const told = accused.length
    ? onDay(known, day, (before) => ({ ...before, accusations: [...new Set([...before.accusations, ...accused])] }))
    : known;
  if (is === undefined) return told;
  const at = day + (isLast ? 0.5 : 0);
  const before = told.claims.find((claim) => claim.by === by);
  // Whoever has claimed to be somebody special does not take it back by hiding as a villager.
  const isNews = !before || (at >= before.at && (is !== 'villager' || before.is === 'villager'));
  const claim: Claim = {
    by,
    is: isNews ? is : before.is,
    at: Math.max(at, before?.at ?? 0),
    results: [...(before?.results ?? []), ...results.filter(({ about }) => !before?.results.some((old) => old.about === about))],
    saved: [...new Set([...(before?.saved ?? []), ...saved])],
  };
  return { ...told, claims: [...told.claims.filter((other) => other.by !== by), claim].toSorted((a, b) => a.by - b.by) };
}

const onDay = (known: Known, number: number, f: (day: Day) => Day): Known => ({
  ...known,
  days: { ...known.days, [number]: f(known.days[number] ?? newDay) },
});

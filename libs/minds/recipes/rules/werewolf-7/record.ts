import { readOptions } from '@maw/games/kernel/options.ts';
import { type Seat, seatOf } from '@maw/games/kernel/question.ts';
import { type Werewolf7Options, werewolf7Options } from '@maw/games/werewolf-7/options.ts';
import { evolve, initialState, type Werewolf7, type Werewolf7Event } from '@maw/games/werewolf-7/state.ts';
import type { Moment } from '../../../mind.ts';
import type { News } from '../../../news.ts';
import { gameEvents, openedWith } from '../shared/game-events.ts';
import { type ClaimedRole, type Meaning, readSpeech } from './speech.ts';

/** A vote: for somebody, or for nobody. */
export type Vote = Seat | 'pass';

/** The public record of one day and of the night before it. */
export interface Day {
  readonly votes: { readonly [voter: number]: Vote };
  /** Who called whom a wolf: `by/about`. */
  readonly accusations: readonly string[];
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

const isGameEvent = gameEvents<Werewolf7Event>([
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

/** Adds one piece of news to the record; idempotent. */
export function recordNews(known: Known, news: News, { players }: Pick<Moment, 'players'>): Known {
  const { event, by } = news;
  if (event?.type === 'opened') return newRecord(0, readOptions(werewolf7Options, openedWith(event)));
  if (event?.type === 'began') return newRecord(event['round'] as number, known.options);
  if (isGameEvent(event)) return recordEvent(known, event);
  const place = by === undefined ? undefined : placeOf(news);
  if (by === undefined || place?.round !== known.round) return known;
  if (news.says) return recordChoice(known, by, news.says[0]!, place);
  if (news.speech === undefined) return known;
  const meaning = readSpeech(
    news.speech,
    players.map(({ name }) => name),
  );
  return recordSpeech(known, by, meaning, place);
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

/** The place of a line or an answer: `round-1/day-2/ballot/vote`, or the room `round-1/day-2/Village`. */
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
      return known; // other choices of its own arrive as events
  }
}

function recordSpeech(known: Known, by: Seat, { is, results, saved, accuses }: Meaning, { day, isLast }: Place): Known {
  const accused = accuses.filter((about) => about !== by).map((about) => `${by}/${about}`);
  const next = accused.length
    ? onDay(known, day, (before) => ({ ...before, accusations: [...new Set([...before.accusations, ...accused])] }))
    : known;
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

const onDay = (known: Known, number: number, f: (day: Day) => Day): Known => ({
  ...known,
  days: { ...known.days, [number]: f(known.days[number] ?? newDay) },
});

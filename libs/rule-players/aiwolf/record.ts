import { type RoleCounts, roleCountsFor, rolesIn } from '@maw/games/aiwolf/role-counts.ts';
import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { type Aiwolf, type AiwolfEvent, evolve, initialState, type Role } from '@maw/games/aiwolf/state.ts';
import type { Counts } from '@maw/games/kernel/options.ts';
import { type Answer, type Seat, seatOf, stepOf } from '@maw/games/kernel/question.ts';
import { type Line, recorder } from '../shared/recorder.ts';
import { type Kind, kindOf } from '../shared/weights.ts';
import { statementsOf } from './speech.ts';
import type { Found, Statement } from './statement.ts';

/** What a seat has said of itself in public, in this round. */
export interface Claims {
  /** Every role it has claimed, in order. */
  readonly roles: readonly Role[];
  /** What it says to have found; of two results about the same seat the later one. */
  readonly found: readonly Found[];
}

/** Whom a seat wants executed or attacked; what it said later counts. */
export interface Wish {
  readonly about: Seat;
  /** The turn in which it was said. */
  readonly turn: number;
}
export type Wishes = { readonly [by: number]: Wish };

/** What the player knows of a round of AIWolf. */
export interface Known {
  readonly game: Aiwolf;
  readonly round: number;
  /** The roles of the table's options; how many of each there are follows when the number of players is known. */
  readonly given: Counts;
  readonly preset: string | undefined;
  readonly cast: RoleCounts | undefined;
  /** Whether people's sentences are spoken, not the language of the protocol. */
  readonly isFree: boolean;
  /** Whose habits tell something. Absent: those of minds. */
  readonly kind?: Kind;
  /** By seat. */
  readonly claims: readonly Claims[];
  /** Of today. */
  readonly wishes: Wishes;
  /** Of tonight; for wolves. */
  readonly hunts: Wishes;
  /** In which turns of today, or tonight, it has spoken itself; `Over` is not speaking. */
  readonly said: readonly string[];
  /** Who voted for whom, by question. */
  readonly ballots: { readonly [question: string]: readonly (readonly [voter: Seat, target: Seat])[] };
}

export const newRecord = (round = 0, given: Counts = {}, isFree = false, preset?: string, kind: Kind = 'aiwolf'): Known => ({
  game: initialState,
  round,
  given,
  preset,
  cast: undefined,
  isFree,
  kind,
  claims: [],
  wishes: {},
  hunts: {},
  said: [],
  ballots: {},
});

export const recordNews = recorder(aiwolfOptions, {
  open: ({ roles, language, preset, pace }) => newRecord(0, roles, language === 'free', preset, kindOf(pace, 'aiwolf')),
  begin: ({ given, isFree, preset, kind }: Known, round) => newRecord(round, given, isFree, preset, kind),
  event: recordEvent,
  line: recordLine,
});

/** @throws Error when the number of dealt roles is not the number of players: all sets of wolves among them will be visited */
function recordEvent(known: Known, event: AiwolfEvent, players: number): Known {
  const game = evolve(known.game, event);
  if (event.type === 'dawned') return { ...known, game, wishes: {}, hunts: {}, said: [] };
  if (event.type !== 'dealt') return { ...known, game };
  if (event.roles.length !== players) throw new Error(`${event.roles.length} roles are dealt, and there are ${players} players`);
  return {
    ...known,
    game,
    cast: roleCountsFor(event.roles.length, known.given, known.preset),
    claims: event.roles.map(() => ({ roles: [], found: [] })),
  };
}

/** Records a ballot, or a speech: `day-1/turn-3/talk`, or the room `day-1/turn-3/Village`. */
function recordLine(known: Known, { by, speech, event, place, names, reader, before }: Line): Known {
  if (event?.type === 'settled') return recordBallot(known, event['question'] as string, event['answers'] as readonly Answer[]);
  const [, time, day, turn] = /^(day|night)-(\d+)\/(?:.*\/)?turn-(\d+)\/[^/]+$/.exec(place) ?? [];
  if (by === undefined || speech === undefined || turn === undefined) return known;
  return recordSpeech(known, { by, speech, names, reader, before }, [time === 'night', Number(day), Number(turn)]);
}

/** Records a ballot; it also tells whom its voters want, should it be repeated. */
function recordBallot(known: Known, question: string, answers: readonly Answer[]): Known {
  const step = stepOf(question);
  if ((step !== 'vote' && step !== 'attack') || !answers.length) return known;
  const cast = answers.map(({ by, says }) => [by, seatOf(says[0]!)] as const);
  const wishes: Wishes = Object.fromEntries(cast.map(([by, about]) => [by, { about, turn: VOTED }]));
  if (step === 'attack') return { ...known, hunts: { ...known.hunts, ...wishes } };
  return { ...known, wishes: { ...known.wishes, ...wishes }, ballots: { ...known.ballots, [question]: cast } };
}

/** Later than any turn. */
const VOTED = 1000;

type Spoken = Pick<Line, 'names' | 'reader' | 'before'> & { readonly by: Seat; readonly speech: string };

/** @param time the day or night, and the turn */
function recordSpeech(
  known: Known,
  { by, speech, names, reader, before }: Spoken,
  time: readonly [isNight: boolean, day: number, turn: number],
): Known {
  const [isNight, day, turn] = time;
  const isToday = day === known.game.day;
  let next = known;
  const at = `${isNight}/${turn}`;
  if (isToday && by === reader && speech !== 'Over' && !known.said.includes(at)) next = { ...next, said: [...next.said, at] };
  for (const statement of statementsOf({ speech, by, names, before }, known.cast && rolesIn(known.cast))) {
    if (statement.states !== 'role' && !known.game.roles[statement.about]) continue;
    if (statement.states !== 'wish') next = isNight ? next : withClaim(next, by, statement);
    else if (isToday) {
      const key = isNight ? 'hunts' : 'wishes';
      if ((next[key][by]?.turn ?? -1) <= turn) next = { ...next, [key]: { ...next[key], [by]: { about: statement.about, turn } } };
    }
  }
  return next;
}

type Claim = Exclude<Statement, { readonly states: 'wish' }>;

/** Adds a claim; a result also claims the role that finds it. */
function withClaim(known: Known, by: Seat, claim: Claim): Known {
  const { roles, found } = known.claims[by]!;
  const role = claim.states === 'role' ? claim.role : claim.as;
  const isNew =
    claim.states === 'found' && !found.some((one) => one.as === claim.as && one.about === claim.about && one.isWolf === claim.isWolf);
  if (roles.includes(role) && !isNew) return known;
  const claims: Claims = {
    roles: roles.includes(role) ? roles : [...roles, role],
    found: isNew ? [...found.filter((one) => one.as !== claim.as || one.about !== claim.about), foundBy(claim)] : found,
  };
  return { ...known, claims: known.claims.map((others, seat) => (seat === by ? claims : others)) };
}

const foundBy = ({ as, about, isWolf }: Found): Found => ({ as, about, isWolf });

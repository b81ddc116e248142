import type { SeatState } from '@maw/aiwolf/server/seat.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { type Game, play } from '@maw/games/kernel/play.ts';
import { hasFloor, type Open, stepOf } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match, MatchEvent } from '@maw/games/match/state.ts';
import { type AgentSeat, livingRole } from '../seats/agent-seat.ts';
import { type ServerTerms, tableOptions } from '@maw/aiwolf/server/server-terms.ts';
import { Notifier } from '@maw/async/notifier.ts';

type Position = SeatState['table'];
type Event = { readonly type: string };

/** A set that runs: one table, with agents at some of its seats. */
export interface RunningSet {
  /** Also the id of the table. */
  readonly id: string;
  readonly terms: ServerTerms;
  /** The index of its server. */
  readonly server: number;
  /** Which table of its server it is, from 1. */
  readonly number: number;
  readonly seats: readonly AgentSeat[];
  readonly notifier: Notifier;
  readonly game: Game<Match, Event>;
  /** What the audience has seen, up to its event `after`. */
  seen: Position;
  after: number;
  /** The same with what agents have answered since. */
  position: Position;
  /** The table may have moved since it was read. */
  isStale: boolean;
  isReading: boolean;
  /** For the last visit to all seats. */
  chapter: string;
  /** The end of the last game. */
  lastEnd: MatchEvent | undefined;
  /** The table of a contest is being ended, since an agent was away for too long. */
  isEnding: boolean;
  /** Resolves once nothing more happens in it. */
  readonly ended: PromiseWithResolvers<void>;
}

export function newRunningSet({
  id,
  terms,
  server,
  number,
  seats,
}: Pick<RunningSet, 'id' | 'terms' | 'server' | 'number' | 'seats'>): RunningSet {
  const game = play<Match, Event>(match(aiwolf.rules(terms.players, tableOptions(terms))));
  const seen = game.begin();
  return {
    id,
    terms,
    server,
    number,
    seats,
    notifier: new Notifier(),
    game,
    seen,
    after: 0,
    position: seen,
    isStale: true,
    isReading: false,
    chapter: '',
    lastEnd: undefined,
    isEnding: false,
    ended: Promise.withResolvers(),
  };
}

/** Takes what the audience has seen. */
export function takeSeen(set: RunningSet, events: readonly Event[]): void {
  set.seen = set.game.fold(events, set.seen);
  set.after += events.length;
  set.position = set.seen;
  set.lastEnd = (events.findLast(({ type }) => type === 'scored' || type === 'aborted') as MatchEvent | undefined) ?? set.lastEnd;
}

/** Takes an answer of an agent that counts, or that there is none, before the audience sees it. */
export function takeAnswer(set: RunningSet, seat: number, question: string, says: string | undefined): void {
  if (set.isReading) set.isStale = true;
  if (!set.position.open.some(({ id }) => id === question)) return;
  const event: TableEvent =
    says === undefined
      ? { type: 'passed', question, seat, at: 0 }
      : { type: 'answered', question, answer: { by: seat, says: [says] }, at: 0 };
  set.position = set.game.evolve(set.position, event);
}

export const isOver = ({ position }: RunningSet): boolean => position.game.stage === 'over';

/** The round that runs, or the next one after its end. */
export const roundNow = ({ position: { game } }: RunningSet): number => (game.stage === 'round' ? game.round : game.round + 1);

/** Changes when all agents get news: at the beginning and end of games, days and talks. */
export function chapterOf({ position: { game, open } }: RunningSet): string {
  const hasTalk = open.some(({ id }) => stepOf(id) === 'talk');
  return `${game.stage}/${game.round}/${game.stage === 'round' ? (game.game as { readonly day: number }).day : ''}/${hasTalk}`;
}

const NIGHT_ROLES: ReadonlySet<string | undefined> = new Set(['seer', 'bodyguard', 'werewolf']);

/** Whether a seat may have a question that it has not been sent yet, as far as everybody knows, and by its role at night. */
export function mayBeAsked({ position: { game, open } }: RunningSet, seat: AgentSeat): boolean {
  if (game.stage !== 'round') return false;
  const asked = open.filter(({ id }) => id.startsWith(`round-${game.round}/`));
  if (!asked.length) return NIGHT_ROLES.has(livingRole(seat));
  return asked.some((q) => isAnytime(q, seat) || (hasFloor(q, seat.seat) && seat.play.state.view?.asked !== q.id));
}

/** In a talk at any time there is news for all who take part, whenever anybody speaks. */
const isAnytime = (q: Open, { seat }: AgentSeat): boolean => stepOf(q.id) === 'talk' && !q.inTurn && q.of.includes(seat);

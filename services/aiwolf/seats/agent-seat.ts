import { seatLogic, type SeatState } from '@maw/aiwolf/server/seat.ts';
import type { Terms } from '@maw/aiwolf/server/terms.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { seatTerms, type ServerTerms } from '@maw/aiwolf/server/server-terms.ts';

/** An agent at a seat, by its answer to NAME. */
export interface SeatedAgent {
  readonly seat: Seat;
  readonly name: string;
}

/** A seat that an agent has taken. */
export interface AgentSeat {
  /** Also the id of the table. */
  readonly set: string;
  readonly seat: Seat;
  /** Its answer to NAME. */
  readonly agent: string;
  readonly terms: Terms;
  readonly logic: ReturnType<typeof seatLogic>;
  readonly link: AgentLink;
  readonly faults: AgentFaults;
  readonly play: SeatPlay;
  /** Ends the hearing of a talk at any time. Written by `deliver.ts`. */
  readonly hearing: { stop: (() => void) | undefined };
}

/** Written by `sets/run-sets.ts`. */
interface AgentLink {
  /** Undefined while the agent is not there. */
  connection: AgentConnection | undefined;
  /** Of the last connection; undefined before the first, and after a restart. Only from there the agent returns. */
  origin: string | undefined;
  /** How often it has connected anew: then it does not know where the game stands. */
  returns: number;
  /** Until when an agent that is not there is waited for: its questions stay open. Milliseconds since the epoch. */
  awaitedUntil: number;
}

/** The faults of the agent in a round. Written by `faults.ts`. */
interface AgentFaults {
  round: number;
  count: number;
  /** With the known faults of the published servers: it was late or has hung up, and is asked nothing more. */
  isLost?: boolean;
}

/** Written by `visit.ts`. */
interface SeatPlay {
  /** What the seat has seen up to its event `after`. */
  state: SeatState;
  after: number;
  /** How many of its returns the agent was told where the game stands. */
  returns: number;
  /** The stand-in plays the seat, which cannot be seen then. */
  hasStandIn: boolean;
  /** It does because somebody else has given it the seat, who alone takes it back. */
  isGivenAway: boolean;
  /** The visit that runs now; `isAgain`: another one is to follow it. */
  visit: Promise<void> | undefined;
  isAgain: boolean;
}

export function newAgentSeat(
  set: string,
  { seat, name }: SeatedAgent,
  terms: ServerTerms,
  connection: AgentConnection | undefined,
  { awaitedUntil = 0, faults = { round: 0, count: 0 } }: { readonly awaitedUntil?: number; readonly faults?: AgentFaults } = {},
): AgentSeat {
  const own = seatTerms(terms, seat, set);
  const logic = seatLogic(own);
  return {
    set,
    seat,
    agent: name,
    terms: own,
    logic,
    link: { connection, origin: connection?.origin, returns: 0, awaitedUntil },
    faults,
    play: { state: logic.begin(), after: 0, returns: 0, hasStandIn: false, isGivenAway: false, visit: undefined, isAgain: false },
    hearing: { stop: undefined },
  };
}

/** The round that the seat has seen last; 0 before the first. */
export const roundOf = ({ play }: AgentSeat): number => play.state.table.game.round;

/** Whether the agent has connected anew, and was not told yet where the game stands. */
export const hasReturned = ({ link, play }: AgentSeat): boolean => link.returns > play.returns;

/** The role of the seat in the game that runs, while the seat lives. */
export function livingRole({ seat, play }: AgentSeat): string | undefined {
  const { view } = play.state;
  return view?.game.living.includes(seat) ? view.game.roles[seat] : undefined;
}

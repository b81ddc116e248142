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
  /** What the seat has seen up to its event `after`. */
  state: SeatState;
  after: number;
  /** Undefined while the agent is not there. */
  connection: AgentConnection | undefined;
  /** The agent has connected anew: it does not know where the game stands. */
  isNew: boolean;
  /** Until when an agent that is not there is waited for: its questions stay open. Milliseconds since the epoch. */
  awaitedUntil: number;
  /** The stand-in plays the seat, which cannot be seen then. */
  hasStandIn: boolean;
  /** It does because somebody else has given it the seat, who alone takes it back. */
  isGivenAway: boolean;
  /** The faults of the agent in this round. */
  faults: { readonly round: number; readonly count: number };
  /** Ends the hearing of a talk at any time. */
  stopListening: (() => void) | undefined;
  /** The visit that runs now; `isAgain`: another one is to follow it. */
  visit: Promise<void> | undefined;
  isAgain: boolean;
}

export function newAgentSeat(
  set: string,
  { seat, name }: SeatedAgent,
  terms: ServerTerms,
  connection: AgentConnection | undefined,
  awaitedUntil = 0,
): AgentSeat {
  const own = seatTerms(terms, seat, set);
  const logic = seatLogic(own);
  return {
    set,
    seat,
    agent: name,
    terms: own,
    logic,
    state: logic.begin(),
    after: 0,
    connection,
    isNew: false,
    awaitedUntil,
    hasStandIn: false,
    isGivenAway: false,
    faults: { round: 0, count: 0 },
    stopListening: undefined,
    visit: undefined,
    isAgain: false,
  };
}

/** The round that the seat has seen last; 0 before the first. */
export const roundOf = ({ state }: AgentSeat): number => state.table.game.round;

/** The role of the seat in the game that runs, while the seat lives. */
export function livingRole({ seat, state: { view } }: AgentSeat): string | undefined {
  return view?.game.living.includes(seat) ? view.game.roles[seat] : undefined;
}

import { readView } from '../read-view.ts';
import { Refused } from '@maw/bus/request-client.ts';
import { type AgentSeat, hasReturned, roundOf } from './agent-seat.ts';
import { deliver, type DeliverDeps, stopListening } from './deliver.ts';

export interface VisitDeps extends DeliverDeps {
  /** After so many faults in one round the stand-in plays the seat. */
  readonly maxFaults: number;
}

/** Looks after a seat until nothing is left to do: one visit at a time, and another one when there is news meanwhile. */
export function visitSeat(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  const { play } = seat;
  if (play.visit) {
    play.isAgain = true;
    return play.visit;
  }
  play.visit = visitAgain(deps, seat);
  return play.visit;
}

async function visitAgain(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  const { play } = seat;
  try {
    do {
      play.isAgain = false;
      await visitOnce(deps, seat);
    } while (play.isAgain);
  } finally {
    play.visit = undefined; // in the same turn as the last look at `isAgain`
  }
}

/** Reads what is new at the seat, and sends the agent what follows from it. */
async function visitOnce(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  const { play, link, faults, logic } = seat;
  if (play.hasStandIn && !play.isGivenAway && !(wantsBack(seat, deps.round()) && (await takeBack(deps, seat)))) return;
  if (isAwaited(seat, deps.now())) return;
  const events = await readView(deps.ask, seat.set, seat.seat, play.after);
  if (!events) {
    play.isGivenAway = faults.count < deps.maxFaults; // otherwise we did, before a restart
    play.hasStandIn = true;
    return;
  }
  if (play.isGivenAway) returned(deps, seat);
  const { returns } = link;
  const connection = faults.isLost ? undefined : link.connection;
  const seen = logic.seenAll(play.state, events);
  const { state, sent } = connection && hasReturned(seat) ? logic.resumed(seen.state) : seen;
  if (connection) play.returns = returns;
  play.state = state;
  play.after += events.length;
  if (!connection) stopListening(seat);
  for (const packet of sent) await deliver(deps, seat, faults.isLost ? undefined : connection, packet);
  if (!faults.isLost && faults.round === roundOf(seat) && faults.count >= deps.maxFaults && play.state.view) await handOver(deps, seat);
}

/** Whether the agent is not there, and is waited for. */
export const isAwaited = ({ link }: AgentSeat, now: number): boolean => !link.connection && now < link.awaitedUntil;

/** Whether an agent may play its seat again: another game has begun than that of its faults. */
export const wantsBack = ({ link, faults }: AgentSeat, round: number): boolean => link.connection !== undefined && faults.round < round;

async function handOver(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  if (!(await hand(deps, seat, 'mind'))) return;
  const { set, agent, faults, play } = seat;
  play.hasStandIn = true;
  play.isAgain = false;
  deps.log.warn({ set, seat: seat.seat, agent, faults: faults.count }, 'an agent has too many faults: the stand-in plays its seat');
  deps.report?.({ type: 'replaced', set, round: faults.round, seat: seat.seat, agent });
}

/** Whether the agent has its seat again. */
async function takeBack(deps: VisitDeps, seat: AgentSeat): Promise<boolean> {
  if (!(await hand(deps, seat, 'person'))) return false;
  deps.faults.forgive(seat, deps.round());
  returned(deps, seat);
  return true;
}

function returned({ log, report, round }: VisitDeps, seat: AgentSeat): void {
  const { set, agent, play } = seat;
  play.hasStandIn = false;
  play.isGivenAway = false;
  log.info({ set, seat: seat.seat, agent }, 'an agent plays its seat again');
  report?.({ type: 'returned', set, round: round(), seat: seat.seat, agent });
}

async function hand({ ask, log }: VisitDeps, { set, seat }: AgentSeat, to: 'mind' | 'person'): Promise<boolean> {
  try {
    await ask('table.hand', set, { seat, to });
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.reason === 'already-seated') return true;
    log.debug({ set, seat, to, reason: error.reason }, 'a seat was not handed over');
    return false;
  }
}

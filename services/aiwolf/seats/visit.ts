import { readView } from '../read-view.ts';
import { Refused } from '@maw/bus/request-client.ts';
import { type AgentSeat, roundOf } from './agent-seat.ts';
import { deliver, type DeliverDeps, stopListening } from './deliver.ts';

export interface VisitDeps extends DeliverDeps {
  /** After so many faults in one round the stand-in plays the seat. */
  readonly maxFaults: number;
}

/** Looks after a seat until nothing is left to do: one visit at a time, and another one when there is news meanwhile. */
export function visitSeat(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  if (seat.visit) {
    seat.isAgain = true;
    return seat.visit;
  }
  seat.visit = visitAgain(deps, seat);
  return seat.visit;
}

async function visitAgain(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  try {
    do {
      seat.isAgain = false;
      await visitOnce(deps, seat);
    } while (seat.isAgain);
  } finally {
    seat.visit = undefined; // in the same turn as the last look at `isAgain`
  }
}

/** Reads what is new at the seat, and sends the agent what follows from it. */
async function visitOnce(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  if (seat.hasStandIn && !seat.isGivenAway && !(wantsBack(seat, deps.round()) && (await takeBack(deps, seat)))) return;
  if (isAwaited(seat, deps.now())) return;
  const events = await readView(deps.ask, seat.set, seat.seat, seat.after);
  if (!events) {
    seat.isGivenAway = seat.faults.count < deps.maxFaults; // otherwise we did, before a restart
    seat.hasStandIn = true;
    return;
  }
  if (seat.isGivenAway) returned(deps, seat);
  const { connection } = seat;
  const seen = seat.logic.seenAll(seat.state, events);
  const isNew = seat.isNew && connection !== undefined;
  const { state, sent } = isNew ? seat.logic.resumed(seen.state) : seen;
  if (isNew) seat.isNew = false;
  seat.state = state;
  seat.after += events.length;
  if (!connection) stopListening(seat);
  for (const packet of sent) await deliver(deps, seat, connection, packet);
  if (seat.faults.round === roundOf(seat) && seat.faults.count >= deps.maxFaults && seat.state.view) await handOver(deps, seat);
}

/** Whether the agent is not there, and is waited for. */
export const isAwaited = ({ connection, awaitedUntil }: AgentSeat, now: number): boolean => !connection && now < awaitedUntil;

/** Whether an agent may play its seat again: another game has begun than that of its faults. */
export const wantsBack = ({ connection, faults }: AgentSeat, round: number): boolean => connection !== undefined && faults.round < round;

async function handOver(deps: VisitDeps, seat: AgentSeat): Promise<void> {
  if (!(await hand(deps, seat, 'mind'))) return;
  seat.hasStandIn = true;
  seat.isAgain = false;
  const { set, agent, faults } = seat;
  deps.log.warn({ set, seat: seat.seat, agent, faults: faults.count }, 'an agent has too many faults: the stand-in plays its seat');
  deps.report?.({ type: 'replaced', set, round: faults.round, seat: seat.seat, agent });
}

/** Whether the agent has its seat again. */
async function takeBack(deps: VisitDeps, seat: AgentSeat): Promise<boolean> {
  if (!(await hand(deps, seat, 'person'))) return false;
  seat.faults = { round: deps.round(), count: 0 };
  returned(deps, seat);
  return true;
}

function returned({ log, report, round }: VisitDeps, seat: AgentSeat): void {
  seat.hasStandIn = false;
  seat.isGivenAway = false;
  const { set, agent } = seat;
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

import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentSets } from '@maw/store/ports/agent-sets.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { Refused } from '@maw/bus/request-client.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import type { AiwolfServiceOptions } from '../defaults.ts';
import { type AgentSeat, newAgentSeat, roundOf, type SeatedAgent } from '../seats/agent-seat.ts';
import type { ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { isAgent } from './contest-agents.ts';
import { type AgentQueue, nextAgents } from './agent-queue.ts';
import { followTable, type FollowDeps } from './follow-table.ts';
import { openTable, takeSeats } from './open-table.ts';
import { isOver, newRunningSet, type RunningSet } from './running-set.ts';
import { drawSeats, newSetId } from './set-plan.ts';

/** All sets that run, and what they need. */
export interface SetsState extends FollowDeps, AiwolfServiceOptions {
  readonly queues: readonly AgentQueue[];
  /** By id. */
  readonly running: Map<string, RunningSet>;
  /** Who is to sit at the tables of contests that are being opened, by id. */
  readonly opening: Map<string, readonly SeatedAgent[]>;
  readonly tasks: Set<Promise<void>>;
  readonly sets: AgentSets;
  queueChanged(queue: AgentQueue): void;
}

/** Begins as many sets as there are agents for and may run at once. */
export function beginSets(state: SetsState, queue: AgentQueue): void {
  for (let agents = nextAgents(queue); agents; agents = nextAgents(queue)) {
    const { terms, index } = queue;
    const id = newSetId();
    const left = [...agents];
    const seats = drawSeats(
      agents.map(({ name }) => name),
      terms.players,
    ).map((agent) => {
      const [connection] = left.splice(
        left.findIndex(({ name }) => name === agent.name),
        1,
      ) as [AgentConnection];
      const seat = newAgentSeat(id, agent, terms, undefined);
      hold(state, seat, connection);
      return seat;
    });
    startSet(state, queue, newRunningSet({ id, terms, server: index, number: queue.begun, seats }), (set) => openSet(state, set));
  }
  state.queueChanged(queue);
}

/**
 * The connection under a name of its own: where the name is another's, who is there or may return, a number follows it. Agents of contests
 * keep their names, of which one may have several connections.
 */
export function withOwnName({ running }: SetsState, { index, terms, waiting }: AgentQueue, connection: AgentConnection): AgentConnection {
  const { name: told, origin } = connection;
  const seats = [...running.values()].flatMap((set) => (set.server === index ? set.seats : []));
  const isAnothers = (name: string): boolean =>
    [...waiting].some((each) => each.name === name) || seats.some(({ agent, link }) => agent === name && !isFreeFor(link, origin, terms));
  let name = told;
  for (let n = 2; !terms.contests && isAnothers(name); n++) name = `${told} (${n})`;
  return name === told ? connection : { ...connection, name };
}

/** Whether the agent of a seat may return to it from there. The published servers let nobody return. */
const isFreeFor = ({ connection, origin }: AgentSeat['link'], from: string, { strict }: ServerTerms): boolean =>
  !connection && (origin === undefined || (origin === from && !strict));

/** Gives an agent the seat that it has left in a set of this server. Whether there is one. */
export function attach(state: SetsState, queue: AgentQueue, connection: AgentConnection): boolean {
  for (const set of state.running.values()) {
    if (set.server !== queue.index) continue;
    const isIts = (agent: string): boolean => (set.terms.contests ? isAgent(connection, agent) : agent === connection.name);
    const seat = set.seats.find(({ agent, link }) => isIts(agent) && isFreeFor(link, connection.origin, set.terms));
    if (!seat) continue;
    hold(state, seat, connection);
    seat.link.returns++;
    state.log.info({ set: set.id, seat: seat.seat, agent: seat.agent }, 'an agent has returned to its seat');
    set.notifier.notify();
    return true;
  }
  return false;
}

export function hold(state: SetsState, seat: AgentSeat, connection: AgentConnection): void {
  seat.link.connection = connection;
  seat.link.origin = connection.origin;
  void letGo(state, seat, connection);
}

async function letGo(state: SetsState, seat: AgentSeat, connection: AgentConnection): Promise<void> {
  await connection.closed;
  if (seat.link.connection !== connection) return;
  seat.link.connection = undefined;
  const set = state.running.get(seat.set);
  if (set && !state.closing.aborted) awaitReturn(state, set, seat);
}

/** The agent of a seat has hung up. In a contest that is a fault of its own, and the agent is waited for. */
function awaitReturn({ faults, now }: SetsState, set: RunningSet, seat: AgentSeat): void {
  const { contests, awayMs } = set.terms;
  if (!contests || isOver(set) || seat.play.state.table.game.stage === 'over') return;
  const at = now();
  seat.link.awaitedUntil = at + awayMs;
  faults.add(seat, { request: 'NAME', question: `round-${roundOf(seat)}/away-${at}`, fault: 'gone', detail: 'the agent has hung up' });
  set.notifier.notify();
}

/** Runs a set to its end. @param open finds or opens its table; whether there is one */
export function startSet(
  state: SetsState,
  queue: AgentQueue | undefined,
  set: RunningSet,
  open: (set: RunningSet) => Promise<boolean>,
): void {
  state.running.set(set.id, set);
  if (queue) queue.running++;
  metrics.agentSets.inc({ division: set.terms.division });
  const task = runSet(state, set, async () => {
    const isOpen = await open(set);
    if (!isOpen && queue) queue.begun--; // its server has played one less
    return isOpen;
  })
    .catch((error: unknown) => {
      if (!state.closing.aborted) state.log.error({ set: set.id, err: error }, 'playing a set of games failed');
    })
    .finally(() => {
      set.ended.resolve();
      state.tasks.delete(task);
      state.running.delete(set.id);
      metrics.agentSets.dec({ division: set.terms.division });
      if (!queue) return;
      queue.running--;
      if (!state.closing.aborted) beginSets(state, queue);
    });
  state.tasks.add(task);
}

async function runSet(state: SetsState, set: RunningSet, open: () => Promise<boolean>): Promise<void> {
  const { id, seats, terms } = set;
  let isOpen = true;
  try {
    isOpen = await open();
    if (isOpen) {
      const agents = seats.map(({ seat, agent }) => ({ seat, name: agent }));
      await takeSeats(state, id, terms, agents);
      state.report?.({ type: 'began', set: id, server: set.server, agents });
      await followTable(state, set);
    }
  } catch (error) {
    if (state.closing.aborted) throw error;
    state.log.error({ set: id, err: error }, 'a set ends early');
  }
  state.running.delete(id); // agents that connect again now wait for the next set
  await Promise.all(seats.map(async ({ link }) => link.connection?.close()));
  await persistently(state, () => state.faults.store());
  await persistently(state, () => (isOpen ? state.sets.end(id, state.now()) : state.sets.discard(id, state.now())));
  state.log.info({ set: id }, 'a set has ended');
  state.report?.({ type: 'ended', set: id });
}

/** Stores the set and opens its table. Whether that is possible at all. */
async function openSet(state: SetsState, { id, terms, seats, number }: RunningSet): Promise<boolean> {
  const agents = seats.map(({ seat, agent }) => ({ seat, name: agent }));
  const stored = { id, division: terms.division, at: state.now(), terms: withoutSecret(terms), agents, number };
  await persistently(state, () => state.sets.begin(stored));
  try {
    await openTable(state, id, terms, agents);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { reason, detail } = error;
    state.log.error({ set: id, reason, detail }, 'the table of a set was refused: its agents are sent away');
    state.report?.({ type: 'refused', set: id, reason, detail });
    await sleep(state.retryMs, undefined, { signal: state.closing }); // those that connect again would be refused again
    return false;
  }
  state.log.info({ set: id, division: terms.division, agents: agents.length, players: terms.players }, 'a set begins');
  return true;
}

export const withoutSecret = (terms: ServerTerms): { readonly [field: string]: unknown } => {
  const { secret: _, ...rest } = terms as ServerTerms & { readonly secret?: string };
  return rest;
};

/** Tries until it works. @throws the reason of the abort when the service closes */
export async function persistently({ log, retryMs, closing }: SetsState, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      closing.throwIfAborted();
      log.warn({ err: error }, 'the database could not store a set; trying again');
      await sleep(retryMs, undefined, { signal: closing });
    }
  }
}

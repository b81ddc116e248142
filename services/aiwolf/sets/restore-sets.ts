import type { AgentSet, AgentSets } from '@maw/store/ports/agent-sets.ts';
import { Refused } from '@maw/bus/request-client.ts';
import { newAgentSeat } from '../seats/agent-seat.ts';
import { serverTerms } from '@maw/aiwolf/server/server-terms.ts';
import { type AgentQueue, queueOf, tablesOf } from './agent-queue.ts';
import { newRunningSet, type RunningSet } from './running-set.ts';
import { type SetsState, startSet } from './run-sets.ts';

interface Restoring {
  /** Until when agents are waited for, in milliseconds since the epoch. */
  readonly awaitedUntil: number;
  /** Servers do not count what they have played before. */
  readonly isNew: boolean;
}

/** Goes on with the sets that have not ended, and with the count of each server's tables. Agents are not there yet. */
export async function restoreSets(state: SetsState, { awaitedUntil, isNew }: Restoring): Promise<void> {
  const restored: RunningSet[] = [];
  for (const stored of await state.sets.running()) {
    const set = await restoredSet(state, stored, awaitedUntil);
    if (set) restored.push(set);
    else await state.sets.end(stored.id, state.now());
  }
  for (const queue of isNew ? [] : state.queues) queue.begun = await begunBefore(state, queue, restored);
  for (const set of restored) startSet(state, state.queues[set.server], set, ({ id }) => tableExists(state, id));
}

/** How many tables a server had begun. One that has played all its tables begins anew. */
async function begunBefore({ sets }: SetsState, { index, terms }: AgentQueue, restored: readonly RunningSet[]): Promise<number> {
  const running = restored.filter(({ server }) => server === index).map(({ number }) => number);
  const { host, port, division } = terms;
  const before = (await sets.latest(division, { host, port }))?.number ?? 0;
  return running.length || before < tablesOf(terms) ? Math.max(before, ...running) : 0;
}

async function restoredSet(state: SetsState, stored: AgentSet, awaitedUntil: number): Promise<RunningSet | undefined> {
  const { id, agents } = stored;
  const { data: terms, error } = serverTerms.safeParse(stored.terms);
  if (!terms) {
    state.log.error({ set: id, err: error }, 'a set cannot go on: its terms cannot be read');
    return undefined;
  }
  const faults = await faultsOf(state.sets, id);
  const seats = agents.map((agent) => {
    const own = faults.filter((fault) => fault.seat === agent.seat);
    const round = Math.max(0, ...own.map((fault) => fault.round));
    return newAgentSeat(id, agent, terms, undefined, {
      awaitedUntil: terms.contests ? Math.max(awaitedUntil, state.now() + terms.awayMs) : awaitedUntil,
      faults: { round, count: own.filter((fault) => fault.round === round).length },
    });
  });
  return newRunningSet({ id, terms, server: queueOf(state.queues, terms)?.index ?? -1, number: stored.number, seats });
}

/** All faults in a set. */
export async function faultsOf(sets: AgentSets, id: string) {
  const faults = [...(await sets.faults(id))];
  for (let page = faults; page.length; faults.push(...page)) page = [...(await sets.faults(id, faults.at(-1)!.n))];
  return faults;
}

/** A set whose table was never opened, or was removed, is over: its agents have nothing to return to. */
async function tableExists({ ask, log }: SetsState, set: string): Promise<boolean> {
  try {
    await ask('table.view', set, { eye: 'audience', limit: 1 });
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    log.warn({ set, reason: error.reason }, 'a set has no table any more');
    return false;
  }
}

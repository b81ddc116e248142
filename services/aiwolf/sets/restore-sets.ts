import type { AgentSet, AgentSets } from '@maw/store/ports/agent-sets.ts';
import { Refused } from '../bus-client.ts';
import { newAgentSeat } from '../seats/agent-seat.ts';
import { serverTerms } from '../terms.ts';
import { doorOf } from './door.ts';
import { newRunningSet, type RunningSet } from './running-set.ts';
import { type SetsState, startSet } from './run-sets.ts';

/**
 * Goes on with the sets that have not ended. Their agents are not there yet.
 * @param awaitedUntil until when they are waited for, in milliseconds since the epoch
 */
export async function restoreSets(state: SetsState, awaitedUntil: number): Promise<void> {
  const restored: RunningSet[] = [];
  for (const stored of await state.sets.running()) {
    const set = await restoredSet(state, stored, awaitedUntil);
    if (set) restored.push(set);
    else await state.sets.end(stored.id, state.now());
  }
  for (const set of restored) {
    const door = state.doors[set.server];
    startSet(state, door, set, ({ id }) => tableExists(state, id));
    if (door) door.begun++;
  }
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
    const seat = newAgentSeat(id, agent, terms, undefined, awaitedUntil);
    const own = faults.filter((fault) => fault.seat === agent.seat);
    const round = Math.max(0, ...own.map((fault) => fault.round));
    seat.faults = { round, count: own.filter((fault) => fault.round === round).length };
    return seat;
  });
  return newRunningSet(id, terms, doorOf(state.doors, terms)?.index ?? -1, seats);
}

/** All faults in a set. */
async function faultsOf(sets: AgentSets, id: string) {
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

import { describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { newAgentSeat } from '../seats/agent-seat.ts';
import { serverTerms } from '../terms.ts';
import { admit, MAX_RUNNING, newDoor } from './door.ts';
import { attach, beginSets, type SetsState, startSet } from './run-sets.ts';
import { newRunningSet } from './running-set.ts';

const agent = { name: 'fox1', team: 'fox', closed: new Promise<void>(() => undefined) } as unknown as AgentConnection;

/** A server for one agent at a table, with a set that is over and whose end cannot be stored until `store` is called. */
async function endingSet() {
  const terms = serverTerms.parse({ division: 'natural', port: 0, agents: 1 });
  const door = newDoor(terms, 0);
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const state = {
    running: new Map(),
    tasks: new Set(),
    log: logger('aiwolf', { level: 'silent' }),
    closing: new AbortController().signal,
    now: () => 0,
    faults: { store: async () => undefined },
    sets: {
      async begin() {
        begun.resolve();
        await new Promise(() => undefined);
      },
      async end() {
        end();
        await stored;
      },
    },
    doorChanged: () => undefined,
  } as unknown as SetsState;
  startSet(
    state,
    door,
    newRunningSet('s', terms, 0, [newAgentSeat('s', { seat: 0, name: agent.name }, terms, undefined)]),
    async () => false,
  );
  await ending;
  return { state, door, store, begun: begun.promise };
}

describe('a set that is over and not stored yet', () => {
  it('gives no seat to an agent that connects again', async () => {
    const { state, door, store } = await endingSet();
    expect(attach(state, door, agent)).toBe(false);
    store();
    await Promise.all(state.tasks);
  });

  it('makes room for the next one when it has ended, where too many run', async () => {
    const { state, door, store, begun } = await endingSet();
    door.running = MAX_RUNNING;
    admit(door, agent);
    beginSets(state, door);
    expect([state.running.size, door.begun]).toEqual([0, 0]);
    store();
    await begun;
    expect([state.running.size, door.begun, door.running]).toEqual([1, 1, MAX_RUNNING]);
  });
});

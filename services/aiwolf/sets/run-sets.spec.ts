import { expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { newAgentSeat } from '../seats/agent-seat.ts';
import { serverTerms } from '../terms.ts';
import { newDoor } from './door.ts';
import { attach, type SetsState, startSet } from './run-sets.ts';
import { newRunningSet } from './running-set.ts';

it('gives no agent a seat of a set that is over and not stored yet', async () => {
  const terms = serverTerms.parse({ division: 'natural', port: 0 });
  const door = newDoor(terms, 0);
  const stored = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const state = {
    running: new Map(),
    tasks: new Set(),
    log: logger('aiwolf', { level: 'silent' }),
    closing: new AbortController().signal,
    now: () => 0,
    faults: { store: async () => undefined },
    sets: {
      end: () => {
        ending.resolve();
        return stored.promise;
      },
    },
    doorChanged: () => undefined,
  } as unknown as SetsState;
  const agent = { name: 'fox1', closed: new Promise<void>(() => undefined) } as unknown as AgentConnection;
  startSet(state, door, newRunningSet('s', terms, 0, [newAgentSeat('s', { seat: 0, name: 'fox1' }, terms, undefined)]), async () => false);
  await ending.promise;
  expect(attach(state, door, agent)).toBe(false);
  stored.resolve();
  await Promise.all(state.tasks);
});

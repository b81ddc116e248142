import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { joinAs } from './agents.suite.ts';
import { startSystem, type System } from './system.suite.ts';

let system: System;
beforeEach(async () => {
  system = await startSystem();
});
afterEach(() => system.close());

const joinAll = (url: string, names: readonly string[]) => Promise.all(names.map((name) => joinAs(url, name)));
const five = ['a1', 'b1', 'c1', 'd1', 'e1'];

describe('a set of outside agents', () => {
  it.each(['protocol', 'natural'] as const)(
    'of the %s division is played to its end without a fault',
    async (division) => {
      const service = await system.startServers([{ division, games: 1, sets: 1 }]);
      const agents = await joinAll(service.url, five);
      await Promise.all([service.finished, ...agents.map(({ closed }) => closed)]);
      for (const agent of agents) {
        const requests = agent.requests();
        expect([requests[0], requests.at(-1)]).toEqual(['NAME', 'FINISH']);
      }
      expect(service.reports.filter(({ type }) => type === 'fault')).toEqual([]);
      expect(await system.store.agentSets.running()).toEqual([]);
    },
    300_000,
  );
});

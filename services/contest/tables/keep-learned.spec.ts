import { expect, it } from '@jest/globals';
import { agentsOf, contestOf } from '@maw/lab/contests/fixtures.suite.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { keepLearned } from './keep-learned.ts';
import type { Tables } from './tables.ts';

it.each([
  ['two agents that never learn from a game hold up their cell no longer than one', false, 1_000],
  ['a contest that stops does not wait for what agents learn', true, 0],
])('%s', async (_, isStopping, wantedMs) => {
  const agents = agentsOf(2, 'lan').map((agent) => ({ ...agent, learns: true as const }));
  const contest = contestOf({ agents, schedule: { kind: 'sides', deals: 1 } });
  let clock = 0;
  const log = logger('contest', { level: 'silent' });
  const context = { recipes, store: memoryStore(), log, now: () => clock++, learnMs: 1_000, retryMs: 0 };
  const running = { id: 'c', isStopping, signal: new AbortController().signal };
  const tables = { context, running, standing: { contest, plan: planOf(contest) } } as unknown as Tables;
  const result = { number: 0, attempt: 1, games: [{}], records: [{ table: 't' }], faults: [], usage: [] };
  await keepLearned(tables, result as unknown as PairingResult);
  expect(clock).toBeGreaterThanOrEqual(wantedMs);
  expect(clock).toBeLessThan(wantedMs + 100);
});

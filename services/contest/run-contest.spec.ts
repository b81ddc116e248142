import { expect, it } from '@jest/globals';
import { Notifier } from '@maw/async/notifier.ts';
import { contestOf } from '@maw/lab/contests/fixtures.suite.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { runContest } from './keep-contests.ts';
import type { ContestContext, RunningContest } from './running-contest.ts';

it('ends a contest only while it has its lease', async () => {
  const { contests } = memoryStore();
  const contest = contestOf();
  const { total } = planOf(contest);
  await contests.open({ id: 'c', at: 1, contest, pairings: total });
  const result = (_: unknown, number: number) => ({ number, attempt: 1, games: [], faults: [], usage: [] });
  await contests.finish('c', Array.from({ length: total }, result), 1);
  const context = {
    contests,
    recipes,
    holder: 'late',
    now: () => 10,
    log: logger('contest', { level: 'silent' }),
    bus: { publish: async () => {} },
  } as unknown as ContestContext;
  const running = {
    id: 'c',
    isStopping: false,
    notifier: new Notifier(),
    signal: new AbortController().signal,
  } as unknown as RunningContest;
  const run = async () => {
    const stored = (await contests.get('c'))!;
    await runContest(context, running, stored);
    return (await contests.get('c'))!.state;
  };
  await contests.claim('c', 'late', { at: 1, until: 5 });
  await contests.claim('c', 'other', { at: 5, until: 20 });
  expect(await run()).toBe('running');
  await contests.claim('c', 'late', { at: 20, until: 30 });
  expect(await run()).toBe('finished');
});

import { expect, it } from '@jest/globals';
import { semaphore } from '@maw/async/semaphore.ts';
import { type Ask, Refused } from '@maw/bus/request-client.ts';
import { contestOf } from '@maw/lab/contests/fixtures.suite.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { openingOf, openTable } from './open-table.ts';
import type { Tables } from './tables.ts';

/** Answers each request with the next of these: a reason of a refusal, or undefined for an agreement. */
function asking(...reasons: readonly (string | undefined)[]) {
  const { contests } = memoryStore();
  const contest = contestOf();
  const asked: unknown[][] = [];
  const ask = (async (...request: unknown[]) => {
    const reason = reasons[asked.push(request) - 1];
    if (reason !== undefined) throw new Refused({ reason, waitMs: 1 });
    return { summary: { stage: 'lobby' } };
  }) as unknown as Ask;
  const noMore = new AbortController();
  const context = { ask, contests, now: Date.now, log: logger('contest', { level: 'silent' }), retryMs: 1, lobbyMs: 1 };
  const tables = {
    context,
    running: { id: 'c', signal: new AbortController().signal },
    standing: { contest },
    opening: semaphore(1),
    noMore: noMore.signal,
  } as unknown as Tables;
  const open = async (number: number) => openTable(tables, planOf(contest).at(number), 1, `c-${number}-1`);
  return { contests, asked, noMore, open };
}

it('waits for room for one table at a time, and asks for each under one id', async () => {
  const { contests, asked, open } = asking('limited', 'limited', undefined, undefined);
  await contests.open({ id: 'c', at: 1, contest: {}, pairings: 10 });
  expect(await Promise.all([open(0), open(1)])).toEqual([true, true]);
  expect(asked.map(([type, table]) => [type, table])).toEqual([
    ['table.open', 'c-0-1'],
    ['table.open', 'c-0-1'],
    ['table.open', 'c-0-1'],
    ['table.open', 'c-1-1'],
  ]);
  const ids = asked.map(([, , , id]) => id);
  expect([new Set(ids).size, new Set(ids.slice(0, 3)).size]).toEqual([2, 1]);
  expect((await contests.begun('c')).map(({ table }) => table)).toEqual(['c-0-1', 'c-1-1']);
  expect(JSON.stringify(asked[0]![2])).not.toMatch(/"a[0-4]"/);
});

it('gives up when the table is refused for another reason', async () => {
  const { contests, open } = asking('bad-option');
  await contests.open({ id: 'c', at: 1, contest: {}, pairings: 10 });
  await expect(open(0)).rejects.toThrow('bad-option');
});

it('opens nothing once the contest stops, and finds what is open', async () => {
  const { asked, noMore, open } = asking(undefined, 'unknown-game');
  noMore.abort();
  expect([await open(0), await open(1)]).toEqual([true, false]);
  expect(asked.map(([type]) => type)).toEqual(['table.view', 'table.view']);
});

it.each([
  ['ends phases with their answers where minds alone play', {}, {}, true],
  ['keeps what the contest says', {}, { hurry: false }, false],
  ['keeps full times where an outside agent may sit', { outside: 'aiwolf' }, {}, undefined],
])('%s', (_, agent, options, hurry) => {
  const contest = contestOf();
  const games = contest.games.map((game) => ({ ...game, options: { ...game.options, ...options } }));
  const [first, ...others] = contest.agents;
  const changed = { ...contest, games, agents: [...others, { ...first!, ...agent }] } as typeof contest;
  expect(openingOf(changed, planOf(contest).at(0), 1).options?.['hurry']).toBe(hurry);
});

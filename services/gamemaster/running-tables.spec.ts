import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics, registry } from '@maw/telemetry/metrics.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { stuckTables, tableMetrics, STUCK_MS } from './running-tables.ts';

const AT = 1_000_000;
let tapes: Tapes;
let lines: {
  readonly table?: string;
  readonly lateMs?: number;
  readonly phase?: string;
  readonly awaited?: string;
  readonly message: string;
}[];
const log = logger('gamemaster', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
beforeEach(() => {
  ({ tapes } = memoryStore());
  lines = [];
  registry.resetMetrics();
});
let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

const open = (table: string, stage: string, wake?: number) =>
  tapes.append(table, 0, [{ type: 'opened' }], { at: 1, cause: 'c', wake, summary: { stage } });
const shown = async (metric: 'tables' | 'tablesStuck') =>
  Object.fromEntries(
    (await metrics[metric].get()).values.map(({ labels, value }) => [(labels as { stage?: string }).stage ?? 'all', value]),
  );

/** Counts once, at a time. */
async function counted(now: () => number, given = tapes) {
  const placeOf = async (table: string) => {
    if (table === 'later') throw new Error('its tape cannot be read');
    return { phase: 'round-1/day-1', awaited: '2, 5: choose' };
  };
  const counts = tableMetrics({ tapes: given, now, log, everyMs: 0, placeOf });
  close = () => counts.close();
  return counts;
}

describe('the table metrics', () => {
  it('count running tables by stage, zero included', async () => {
    for (const [table, stage] of [
      ['a', 'round'],
      ['b', 'round'],
      ['c', 'lobby'],
      ['d', 'over'],
    ] as const)
      await open(table, stage);
    (await counted(() => AT)).look();
    await pollUntil('the tables', async () => (await shown('tables'))['round'] === 2);
    expect(await shown('tables')).toEqual({ lobby: 1, round: 2, pause: 0 });
    expect(await shown('tablesStuck')).toEqual({ all: 0 });
  });

  it('log a stuck table, by id, after 30 s overdue and every 30 s for as long as it is stuck', async () => {
    await open('late', 'round', AT - STUCK_MS);
    await open('later', 'round', AT - STUCK_MS + 1);
    let now = AT;
    const counts = await counted(() => now);
    counts.look();
    await pollUntil('a stuck table', async () => (await shown('tablesStuck'))['all'] === 1);
    expect(lines).toEqual([
      expect.objectContaining({
        table: 'late',
        lateMs: STUCK_MS,
        phase: 'round-1/day-1',
        awaited: '2, 5: choose',
        message: 'a table is stuck: its alarm is overdue',
      }),
    ]);
    now += 1;
    counts.look();
    await pollUntil('another one', async () => (await shown('tablesStuck'))['all'] === 2);
    await pollUntil('its line', () => lines.length === 2);
    expect(lines.map(({ table, phase }) => `${table} ${phase}`)).toEqual(['late round-1/day-1', 'later unknown: its tape cannot be read']);
    now = AT + 29_999; // the first was logged at AT, the second one a millisecond later
    counts.look();
    await counts.close();
    expect(lines).toHaveLength(2);
    now += 1;
    counts.look();
    await pollUntil('the first one again', () => lines.length === 3);
    expect(lines.at(-1)).toMatchObject({ table: 'late', lateMs: STUCK_MS + 30_000 });
    await counts.close();
    await tapes.append('late', 1, [{ type: 'ticked' }], { at: 2, cause: 'd', wake: undefined, summary: { stage: 'round' } });
    counts.look();
    await pollUntil('one that goes on', async () => (await shown('tablesStuck'))['all'] === 1);
    expect(lines).toHaveLength(3);
  });

  it('count all stuck tables and log the 100 most overdue', async () => {
    for (let i = 0; i < 102; i++) await open(`t${i}`, 'round', AT - STUCK_MS - i);
    (await counted(() => AT)).look();
    await pollUntil('the stuck tables', async () => ((await shown('tablesStuck'))['all'] ?? 0) > 0);
    expect(await shown('tablesStuck')).toEqual({ all: 102 });
    await pollUntil('their lines', () => lines.length === 100);
    expect(lines.map(({ table }) => table)).toEqual(Array.from({ length: 100 }, (_, i) => `t${101 - i}`));
  });

  it('disappear when counting fails and after closing; the failure is logged once', async () => {
    await open('a', 'round');
    let isAway = false;
    const counts = await counted(() => AT, {
      ...tapes,
      countByStage: () => (isAway ? Promise.reject(new Error('away')) : tapes.countByStage()),
    });
    counts.look();
    await pollUntil('the tables', async () => (await shown('tables'))['round'] === 1);
    isAway = true;
    counts.look();
    await pollUntil('no number', async () => !('round' in (await shown('tables'))));
    expect(await shown('tablesStuck')).toEqual({});
    await counts.close();
    counts.look();
    await counts.close();
    expect(lines.filter(({ message }) => message.includes('counting tables failed'))).toHaveLength(1);
    expect(await shown('tables')).toEqual({});
  });
});

describe('the stuck tables', () => {
  it('are listed with when they were due and where they stand, the longest first, even if one cannot be read', async () => {
    await open('late', 'round', AT - STUCK_MS);
    await open('in time', 'round', AT - STUCK_MS + 1);
    await open('broken', 'round', AT - STUCK_MS - 5);
    const placeOf = async (table: string) => {
      if (table === 'broken') throw new Error('its tape cannot be read');
      return { phase: 'round-1/day-1', awaited: '2, 5: choose' };
    };
    const all = [
      { table: 'broken', since: AT - STUCK_MS - 5, phase: 'unknown: its tape cannot be read' },
      { table: 'late', since: AT - STUCK_MS, phase: 'round-1/day-1', awaited: '2, 5: choose' },
    ];
    expect(await stuckTables({ tapes, placeOf }, AT)).toEqual(all);
    expect(await stuckTables({ tapes, placeOf }, AT, 1)).toEqual(all.slice(0, 1));
  });
});

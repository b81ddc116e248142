import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/store/memory.ts';
import { loadOf, readScale, runScale } from './scale.ts';
import { copyTables } from './table-copies.ts';
import { sumOf } from './process-metrics.ts';

describe('what the bench of scale is told', () => {
  it('is read, and has defaults', () => {
    expect(readScale([])).toEqual({ levels: [1, 10, 100, 1_000], games: 100, disk: 10_000, replicas: 2, step: 0.3, json: false });
    expect(readScale('--levels 7,3 --games 9 --disk 0 --replicas 1 --step 1.5 --json'.split(' '))).toEqual({
      levels: [7, 3],
      games: 9,
      disk: 0,
      replicas: 1,
      step: 1.5,
      json: true,
    });
  });

  it.each([
    [['--levels', '0'], '--levels: whole numbers from 1'],
    [['--levels', '1,,3'], '--levels: whole numbers from 1'],
    [['--levels', '1,2.5'], '--levels: whole numbers from 1'],
    [['--levels='], '--levels: whole numbers from 1'],
    [['--games', '0'], '--games: a whole number from 1 is wanted.'],
    [['--replicas', 'x'], '--replicas: a whole number from 1 is wanted.'],
    [['--disk', '-1'], 'argument'],
    [['--disk=-1'], '--disk: a whole number from 0 is wanted.'],
    [['--step', '0'], '--step: a number above 0'],
    [['--step', '61'], '--step: a number above 0'],
    [['--tables', '3'], '--tables'],
  ])('is refused in words: %j', async (args, words) => {
    expect(readScale(args)).toEqual(expect.stringContaining(words));
    expect(await runScale(args, new AbortController().signal)).toBe(2);
  });
});

describe('a level', () => {
  const asked = { games: 100, step: 0.5 };

  it('has steps as many times longer as more tables run, so that a second is as full', () => {
    expect(loadOf(10, asked)).toEqual({ atOnce: 10, games: 100, stepMs: 500, apartMs: 250 });
    expect(loadOf(1_000, asked)).toEqual({ atOnce: 1_000, games: 1_000, stepMs: 50_000, apartMs: 250 });
    expect(loadOf(30, { games: 20, step: 1 })).toMatchObject({ games: 30, stepMs: 3_000 });
  });

  it('has no steps that are too short to answer in', () => {
    expect(loadOf(4, asked)).toMatchObject({ stepMs: 200 });
    expect(loadOf(5, asked)).toMatchObject({ stepMs: 250 });
    expect(loadOf(1, asked)).toEqual({ atOnce: 1, games: 100, stepMs: 200, apartMs: 1_000 });
  });
});

describe('a metric', () => {
  it('is summed over its labels, and not with others whose names begin like it', () => {
    const page = '# TYPE a_total counter\na_total{x="1 {"} 3\na_total 4\na_total_more 50\na_totals{x="a_total"} 60\n';
    expect(sumOf(page, 'a_total')).toBe(7);
    expect(sumOf(page, 'b_total')).toBe(0);
  });
});

describe('tables on disk', () => {
  it('are copies of those that are over, with other ids, and none of those that run', async () => {
    const { tapes } = memoryStore();
    const about = { at: 5_000, cause: 'c', wake: undefined };
    await tapes.append('run', 0, [{ type: 'opened' }], { ...about, summary: { stage: 'round', opened: 5_000 } });
    await tapes.append('end', 0, [{ type: 'opened' }, { type: 'closed' }], {
      ...about,
      summary: { stage: 'over', opened: 5_000 },
      result: { winner: 'wolves' },
    });
    expect(await copyTables({ tapes }, 120, new AbortController().signal)).toBe(240);
    const over = await tapes.list({ limit: 1_000, isOver: true });
    expect(over).toHaveLength(121);
    expect(await tapes.list({ limit: 1_000, isOver: false })).toHaveLength(1);
    const [last] = over.filter(({ table }) => table !== 'end');
    expect((await tapes.read(last!.table)).map(({ event }) => event.type)).toEqual(['opened', 'closed']);
    expect(await tapes.result(last!.table)).toEqual({ winner: 'wolves' });
    expect(last!.summary).toMatchObject({ table: last!.table });
  });

  it('are not made of nothing', async () => {
    const { tapes } = memoryStore();
    await expect(copyTables({ tapes }, 1, new AbortController().signal)).rejects.toThrow('no table is over');
  });
});

import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/store/memory.ts';
import { readScale } from './scale.ts';
import { copyTables } from './scale-disk.ts';
import { sumOf } from './scale-readings.ts';

describe('what the bench of scale is told', () => {
  it('is read, and has defaults', () => {
    expect(readScale([])).toEqual({ tables: 1_000, disk: 10_000, replicas: 2, phase: 20, json: false });
    expect(readScale(['--tables', '7', '--disk', '0', '--json'])).toMatchObject({ tables: 7, disk: 0, json: true });
  });

  it.each([
    [['--tables', '0'], '--tables: a whole number from 1 is wanted.'],
    [['--replicas', 'x'], '--replicas: a whole number from 1 is wanted.'],
    [['--disk', '-1'], 'argument'],
    [['--disk=-1'], '--disk: a whole number from 0 is wanted.'],
    [['--games', '3'], '--games'],
  ])('is refused in words: %j', (args, words) => {
    expect(readScale(args)).toEqual(expect.stringContaining(words));
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

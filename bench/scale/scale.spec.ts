import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { copyTables } from './table-copies.ts';
import { sumOf } from './process-metrics.ts';

describe('a metric', () => {
  it('is summed over its labels, without metrics of longer names', () => {
    const page = '# TYPE a_total counter\na_total{x="1 {"} 3\na_total 4\na_total_more 50\na_totals{x="a_total"} 60\n';
    expect(sumOf(page, 'a_total')).toBe(7);
    expect(sumOf(page, 'b_total')).toBe(0);
    expect(sumOf('a_total{x="1",y="2"} 3\na_total{x="2"} 4\n', 'a_total', 'x="2"')).toBe(4);
  });
});

describe('copyTables', () => {
  it('copies ended tables only, under new ids', async () => {
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

  it('fails without an ended table', async () => {
    const { tapes } = memoryStore();
    await expect(copyTables({ tapes }, 1, new AbortController().signal)).rejects.toThrow('no table is over');
  });
});

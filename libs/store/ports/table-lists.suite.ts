import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { Score, Tapes, AppendMetadata } from './tapes.ts';
import { about } from './tapes.suite.ts';

/** The contract of alarms, lists of tables and results. */
export function tableListsSuite(store: () => Store): void {
  const append: Tapes['append'] = (...args) => store().tapes.append(...args);
  const open = (table: string, more: Partial<AppendMetadata> = {}) => append(table, 0, [{ type: 'opened' }], about(more));
  const due = (now: number, limit = 100) => store().tapes.due(now, limit);
  const list = (more: Partial<Parameters<Tapes['list']>[0]> = {}) => store().tapes.list({ limit: 100, ...more });
  const result = (table: string) => store().tapes.result(table);

  describe('a list for a program', () => {
    it('has the tables with a seat for its key, and fits all else that is asked for', async () => {
      for (const [table, agents, stage] of [
        ['a', ['fox', 'owl'], 'round'],
        ['b', ['owl'], 'round'],
        ['c', ['fox'], 'over'],
        ['d', ['fo'], 'lobby'],
      ] as const)
        await open(table, { summary: { stage, agents: agents.map((agent, seat) => ({ seat, agent })) } });
      await open('e', { summary: { stage: 'lobby' } });
      const ids = async (more: Parameters<typeof list>[0]) => (await list(more)).map(({ table }) => table).toSorted();
      expect(await ids({ agent: 'fox' })).toEqual(['a', 'c']);
      expect(await ids({ agent: 'fox', isOver: false })).toEqual(['a']);
      expect([await ids({ agent: 'FOX' }), await ids({ agent: '%' })]).toEqual([[], []]);
    });
  });

  describe('countByStage', () => {
    it('counts the tables that are not over by stage', async () => {
      expect(await store().tapes.countByStage()).toEqual({});
      for (const [table, stage] of [
        ['a', 'round'],
        ['b', 'lobby'],
        ['c', 'round'],
        ['d', 'over'],
      ] as const)
        await open(table, { summary: { stage } });
      expect(await store().tapes.countByStage()).toEqual({ round: 2, lobby: 1 });
      await append('a', 1, [{ type: 'closed' }], about({ summary: { stage: 'over' } }));
      expect(await store().tapes.countByStage()).toEqual({ round: 1, lobby: 1 });
    });
  });

  describe('alarms', () => {
    it('stay due until an append moves them', async () => {
      await open('t', { wake: 1_000 });
      expect(await due(999)).toEqual([]);
      for (const now of [1_000, 1_000, 2_000]) expect(await due(now)).toEqual([{ table: 't', alarm: 1_000 }]);
      await append('t', 1, [{ type: 'ticked' }], about({ wake: 5_000 }));
      expect(await due(4_999)).toEqual([]);
      expect(await due(5_000)).toEqual([{ table: 't', alarm: 5_000 }]);
      await append('t', 2, [{ type: 'closed' }], about());
      expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    it('are listed most overdue first, up to a limit', async () => {
      for (const [table, wake] of [
        ['b', 20],
        ['a', 30],
        ['d', 10],
        ['c', 20],
        ['e', 40],
      ] as const)
        await open(table, { wake });
      expect((await due(30)).map(({ table }) => table)).toEqual(['d', 'b', 'c', 'a']);
      expect((await due(30, 2)).map(({ table }) => table)).toEqual(['d', 'b']);
    });

    it('are counted without a limit', async () => {
      expect(await store().tapes.countDue(Number.MAX_SAFE_INTEGER)).toBe(0);
      await Promise.all(Array.from({ length: 101 }, (_, i) => open(`t${i}`, { wake: 20 })));
      await open('later', { wake: 21 });
      await open('never');
      const counted = [];
      for (const now of [19, 20, 21]) counted.push(await store().tapes.countDue(now));
      expect(counted).toEqual([0, 101, 102]);
    });
  });

  describe('lists', () => {
    it('are newest first, page by page', async () => {
      for (const [table, at] of [
        ['a', 30],
        ['b', 10],
        ['c', 20],
        ['d', 20],
      ] as const)
        await open(table, { at });
      await append('b', 1, [{ type: 'x' }], about({ at: 99 }));
      expect((await list()).map(({ table, opened }) => [table, opened])).toEqual([
        ['a', 30],
        ['d', 20],
        ['c', 20],
        ['b', 10],
      ]);
      expect((await list({ limit: 2 })).map(({ table }) => table)).toEqual(['a', 'd']);
      expect((await list({ before: 20 })).map(({ table }) => table)).toEqual(['b']);
      expect(await list({ before: 10 })).toEqual([]);
    });

    it('skip and repeat no table opened in the same millisecond', async () => {
      const ids = ['e', 'B', 'a', 'd', 'c', 'a-1', 'a_1'];
      for (const id of ids) await open(id, { at: 20, summary: { stage: id === 'd' ? 'over' : 'round' } });
      await open('first', { at: 10 });
      await open('last', { at: 30 });
      const sorted = ['last', 'e', 'd', 'c', 'a_1', 'a-1', 'a', 'B', 'first'];
      for (const limit of [1, 2, 3, 100]) {
        const seen: string[] = [];
        for (let page = await list({ limit }); page.length; page = await list({ limit, before: page.at(-1)! }))
          seen.push(...page.map(({ table }) => table));
        expect(seen).toEqual(sorted);
      }
      expect((await list({ before: { opened: 20, table: 'e' }, isOver: false, limit: 2 })).map(({ table }) => table)).toEqual(['c', 'a_1']);
      expect((await list({ before: { opened: 20, table: 'A' } })).map(({ table }) => table)).toEqual(['first']);
      expect((await list({ before: 20 })).map(({ table }) => table)).toEqual(['first']);
    });

    it('show the latest summary and filter by whether a table is over', async () => {
      await open('a', { at: 1, summary: { stage: 'lobby', free: 2 } });
      await open('b', { at: 2 });
      await append('a', 1, [{ type: 'closed' }], about({ summary: { stage: 'over', winners: [0, 2] } }));
      expect(await list({ isOver: true })).toEqual([{ table: 'a', opened: 1, summary: { stage: 'over', winners: [0, 2] } }]);
      expect(await list({ isOver: false })).toEqual([{ table: 'b', opened: 2, summary: { stage: 'round' } }]);
      expect((await list()).map(({ table }) => table)).toEqual(['b', 'a']);
    });
  });

  it('lists tables by rules, stage, and a part of an id or a name', async () => {
    const players = (...names: string[]) => names.map((name, seat) => ({ seat, name }));
    await open('T-one', { at: 1, summary: { stage: 'round', rules: 'maw', players: players('Ann', 'Bo') } });
    await open('two', { at: 2, summary: { stage: 'over', rules: 'avalon', players: [{ seat: 0 }, { seat: 1, name: 'anna' }] } });
    await open('three', { at: 3, summary: { stage: 'lobby', rules: 'maw' } });
    const ids = async (query: Parameters<typeof list>[0]) => (await list(query)).map(({ table }) => table);
    expect(await ids({ rules: 'maw' })).toEqual(['three', 'T-one']);
    expect([await ids({ stage: 'over' }), await ids({ stage: 'lobby' })]).toEqual([['two'], ['three']]);
    expect([await ids({ search: 'aNN' }), await ids({ search: 't-O' })]).toEqual([['two', 'T-one'], ['T-one']]);
    expect(await ids({ search: 't', rules: 'maw', limit: 1 })).toEqual(['three']);
    for (const search of ['%', '_', 'seat', 'maw']) expect(await ids({ search })).toEqual([]);
  });

  it('sums the scores of tables by rules, side and player, once for each table', async () => {
    const wolf: Score = { rules: 'maw', side: 'wolves', kind: 'mind', recipe: 'react', model: 'm', games: 3, wins: 1 };
    const person: Score = { rules: 'avalon', side: 'good', kind: 'person', games: 1, wins: 1 };
    const { model: _, ...unnamed } = wolf;
    const scores = () => store().tapes.scores();
    expect(await scores()).toEqual([]);
    await open('running');
    await open('a', { result: {}, scores: [wolf, person, unnamed] });
    await open('b', { result: {}, scores: [wolf, { ...wolf, rules: 'Maw' }] });
    await append('b', 1, [{ type: 'again' }], about({ result: {}, scores: [wolf, person] }));
    const both = { ...wolf, games: 6, wins: 2 };
    expect(await scores()).toEqual([{ ...wolf, rules: 'Maw' }, person, unnamed, both]);
    expect([await store().tapes.scores('maw'), await store().tapes.scores('chess')]).toEqual([[unnamed, both], []]);
  });

  it('stores the result of a table once', async () => {
    await open('t');
    expect(await result('t')).toBeUndefined();
    await append('t', 1, [{ type: 'closed' }], about({ result: { winners: [1], tally: { wolves: 2 } } }));
    await append('t', 2, [{ type: 'again' }], about({ result: { winners: [] } }));
    expect(await result('t')).toEqual({ winners: [1], tally: { wolves: 2 } });
  });
}

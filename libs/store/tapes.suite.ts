import { metrics } from '@maw/telemetry/metrics.ts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Conflict, type Store, type Writing } from './store.ts';
import { Unstorable } from './storable.ts';

/** What is written along with events, where the test does not care. */
export const about = (more: Partial<Writing> = {}): Writing => ({
  at: 1,
  cause: 'c',
  wake: undefined,
  summary: { stage: 'round' },
  ...more,
});

/** What every store promises about tapes. */
export function tapesSuite(store: () => Store): void {
  const { append, read, due, list, result } = {
    append: (...args: Parameters<Store['tapes']['append']>) => store().tapes.append(...args),
    read: (...args: Parameters<Store['tapes']['read']>) => store().tapes.read(...args),
    due: (now: number, limit = 100) => store().tapes.due(now, limit),
    list: (more: Partial<Parameters<Store['tapes']['list']>[0]> = {}) => store().tapes.list({ limit: 100, ...more }),
    result: (table: string) => store().tapes.result(table),
  };
  const open = (table: string, more: Partial<Writing> = {}) => append(table, 0, [{ type: 'opened' }], about(more));
  const outcomes = async (appends: readonly Promise<void>[]) =>
    (await Promise.allSettled(appends)).map((each) => (each.status === 'fulfilled' ? 'won' : String(each.reason.name)));

  describe('appending', () => {
    it('numbers the events of a table from 1 and gives them back with their time and cause', async () => {
      await append('t', 0, [{ type: 'opened' }, { type: 'joined', seat: 0 }], about({ at: 1_767_225_600_123, cause: 'm1' }));
      await append('t', 2, [{ type: 'dealt' }], about({ at: 1_767_225_600_124, cause: 'm2' }));
      expect(await read('t')).toEqual([
        { table: 't', sequence: 1, at: 1_767_225_600_123, cause: 'm1', event: { type: 'opened' } },
        { table: 't', sequence: 2, at: 1_767_225_600_123, cause: 'm1', event: { type: 'joined', seat: 0 } },
        { table: 't', sequence: 3, at: 1_767_225_600_124, cause: 'm2', event: { type: 'dealt' } },
      ]);
    });

    it('reads only what comes after a sequence, and nothing of other tables', async () => {
      await append('t', 0, [{ type: 'a' }, { type: 'b' }, { type: 'c' }], about());
      await open('u');
      expect((await read('t', 2)).map(({ sequence, event }) => [sequence, event.type])).toEqual([[3, 'c']]);
      expect(await read('t', 3)).toEqual([]);
      expect(await read('t', 9)).toEqual([]);
      expect(await read('nobody')).toEqual([]);
    });

    it('lets one of two writers win', async () => {
      await open('t');
      const both = await outcomes([append('t', 1, [{ type: 'a' }], about()), append('t', 1, [{ type: 'b' }], about())]);
      expect(both.toSorted()).toEqual(['Conflict', 'won']);
      expect((await read('t')).map(({ event }) => event.type)).toEqual(['opened', both[0] === 'won' ? 'a' : 'b']);
    });

    it('refuses a second beginning, a sequence that is past, one that is to come, and a table that was never opened', async () => {
      await append('t', 0, [{ type: 'a' }, { type: 'b' }], about({ summary: { stage: 'lobby' } }));
      for (const after of [0, 1, 3])
        await expect(append('t', after, [{ type: 'x' }], about({ wake: 5, result: {} }))).rejects.toThrow(Conflict);
      await expect(append('nobody', 1, [{ type: 'x' }], about())).rejects.toThrow(Conflict);
      // Nothing of it has been written: no event, no alarm, no summary, no result, no table.
      expect(await read('t')).toHaveLength(2);
      expect(await due(1000)).toEqual([]);
      expect(await list()).toEqual([{ table: 't', opened: 1, summary: { stage: 'lobby' } }]);
      expect(await result('t')).toBeUndefined();
    });

    it('commits those that arrive together, the right ones and all of them, whoever loses beside them', async () => {
      const table = (i: number) => `t${i}`;
      for (const i of [50, 51, 52, 53, 54]) await open(table(i));
      const fifty = Array.from({ length: 50 }, (_, i) =>
        append(table(i), 0, [{ type: 'opened' }, { type: 'n', i }], about({ cause: `c${i}` })),
      );
      const late = [50, 51, 52, 53, 54].map((i) => append(table(i), 0, [{ type: 'late' }], about()));
      const behind = Array.from({ length: 5 }, (_, i) => append(table(i), 1, [{ type: 'behind' }], about()));
      expect(await outcomes(fifty)).toEqual(fifty.map(() => 'won'));
      expect(await outcomes([...late, ...behind])).toEqual([...late, ...behind].map(() => 'Conflict'));
      for (let i = 0; i < 50; i++) {
        const tape = await read(table(i));
        expect(tape.map(({ event, cause }) => [event, cause])).toEqual([
          [{ type: 'opened' }, `c${i}`],
          [{ type: 'n', i }, `c${i}`],
        ]);
      }
      expect((await list()).length).toBe(55);
    });

    it('lets exactly one of many writers of one table win each time', async () => {
      await open('t');
      const won: number[] = [];
      const writer = async (who: number) => {
        while (won.length < 40) {
          const last = (await read('t')).length;
          try {
            await append('t', last, [{ type: 'said', who }], about());
            won.push(who);
          } catch (error) {
            expect(error).toBeInstanceOf(Conflict);
          }
        }
      };
      await Promise.all([0, 1, 2, 3].map(writer));
      const tape = await read('t');
      expect(tape.map(({ sequence }) => sequence)).toEqual(tape.map((_, i) => i + 1));
      expect(tape.length).toBe(won.length + 1);
    });

    it('refuses what PostgreSQL could not keep, with a word about what and where, and spares those beside it', async () => {
      const bad: readonly (readonly [RegExp, Promise<void>])[] = [
        [/event of table t0.*U\+0000/, append('t0', 0, [{ type: 'said', text: 'a\0b' }], about())],
        [/event of table t1.*U\+0000/, append('t1', 0, [{ type: 'said', deep: [{ 'k\0': 1 }] }], about())],
        [/event of table t2.*surrogate/, append('t2', 0, [{ type: 'said', text: '🐺'.slice(0, 1) }], about())],
        [/summary of table t3.*U\+0000/, append('t3', 0, [{ type: 'x' }], about({ summary: { stage: 'lobby', name: '\0' } }))],
        [/cause.*U\+0000/, append('t4', 0, [{ type: 'x' }], about({ cause: 'c\0' }))],
        [/alarm.*whole number.*0\.5/, append('t5', 0, [{ type: 'x' }], about({ wake: 0.5 }))],
        [/alarm.*whole number.*Infinity/, append('t6', 0, [{ type: 'x' }], about({ wake: Infinity }))],
        [/t7 cannot be opened without an event/, append('t7', 0, [], about())],
      ];
      const good = open('good');
      for (const [words, each] of bad) {
        const error = await each.catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(Unstorable);
        expect(String(error)).toMatch(words);
      }
      await good;
      expect((await list()).map(({ table }) => table)).toEqual(['good']);
    });

    it('gives every event back as it was, with words of all kinds in it', async () => {
      const event = {
        type: 'said',
        text: 'Grüße, 狼 and 🐺\u2028\u0001\t"\\ and the six letters \\u0000 and \\ud800',
        nested: { empty: {}, list: [], deep: [[{ a: null }]], ok: true, no: false },
        numbers: [0, -1, 1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1.7976931348623157e308],
        says: ['seat:3', ''],
      };
      await append('t', 0, [event], about());
      expect((await read('t'))[0]!.event).toEqual(event);
    });

    it('gives any JSON back as it was', async () => {
      let n = 0;
      const json = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('a', 'é', '狼', '🐺', '"', '\\', '\u0001', 'u0000') });
      await fc.assert(
        fc.asyncProperty(json, async (value) => {
          const table = `any${n++}`;
          const event = { type: 'x', value };
          await append(table, 0, [event], about());
          expect((await read(table))[0]!.event).toEqual(JSON.parse(JSON.stringify(event)));
        }),
        { numRuns: 50 },
      );
    });

    it('keeps a copy: what the caller does to its values later changes nothing, in either direction', async () => {
      const event = { type: 'x', list: [1] };
      const summary = { stage: 'lobby', names: ['a'] };
      await append('t', 0, [event], about({ summary, result: { points: [1] } }));
      event.list.push(2);
      summary.names.push('b');
      const [first] = await read('t');
      (first!.event['list'] as number[]).push(3);
      (((await list())[0]!.summary['names'] as string[]).push('c'), ((await result('t'))!['points'] as number[]).push(2));
      expect((await read('t'))[0]!.event).toEqual({ type: 'x', list: [1] });
      expect((await list())[0]!.summary).toEqual({ stage: 'lobby', names: ['a'] });
      expect(await result('t')).toEqual({ points: [1] });
    });

    it('moves the alarm and the summary without an event too, if nobody has written since', async () => {
      await open('t', { wake: 10 });
      await append('t', 1, [], about({ wake: 20, summary: { stage: 'pause' } }));
      expect(await due(100)).toEqual([{ table: 't', alarm: 20 }]);
      expect((await list())[0]!.summary).toEqual({ stage: 'pause' });
      await expect(append('t', 2, [], about({ wake: 30 }))).rejects.toThrow(Conflict);
    });

    it('counts appends and conflicts', async () => {
      const conflicts = async () => (await metrics.conflicts.get()).values.reduce((sum, { value }) => sum + value, 0);
      const appends = async () =>
        (await metrics.appendSeconds.get()).values
          .filter(({ metricName }) => metricName?.endsWith('_count'))
          .reduce((sum, { value }) => sum + value, 0);
      const before = [await appends(), await conflicts()] as const;
      await open('t');
      await open('t').catch(() => undefined);
      expect([(await appends()) - before[0], (await conflicts()) - before[1]]).toEqual([2, 1]);
    });
  });

  describe('alarms', () => {
    it('ring again and again until they are moved, at their time and not before', async () => {
      await open('t', { wake: 1_000 });
      expect(await due(999)).toEqual([]);
      for (const now of [1_000, 1_000, 2_000]) expect(await due(now)).toEqual([{ table: 't', alarm: 1_000 }]);
      await append('t', 1, [{ type: 'ticked' }], about({ wake: 5_000 }));
      expect(await due(4_999)).toEqual([]);
      expect(await due(5_000)).toEqual([{ table: 't', alarm: 5_000 }]);
      await append('t', 2, [{ type: 'closed' }], about());
      expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    it('come most overdue first, no more than are wanted', async () => {
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
  });

  describe('lists', () => {
    it('show the table opened last first, a page at a time', async () => {
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

    it('show the newest summary, and tell tables that are over from those that are not', async () => {
      await open('a', { at: 1, summary: { stage: 'lobby', free: 2 } });
      await open('b', { at: 2 });
      await append('a', 1, [{ type: 'closed' }], about({ summary: { stage: 'over', winners: [0, 2] } }));
      expect(await list({ isOver: true })).toEqual([{ table: 'a', opened: 1, summary: { stage: 'over', winners: [0, 2] } }]);
      expect(await list({ isOver: false })).toEqual([{ table: 'b', opened: 2, summary: { stage: 'round' } }]);
      expect((await list()).map(({ table }) => table)).toEqual(['b', 'a']);
    });
  });

  it('keeps the result of a table once', async () => {
    await open('t');
    expect(await result('t')).toBeUndefined();
    await append('t', 1, [{ type: 'closed' }], about({ result: { winners: [1], tally: { wolves: 2 } } }));
    await append('t', 2, [{ type: 'again' }], about({ result: { winners: [] } }));
    expect(await result('t')).toEqual({ winners: [1], tally: { wolves: 2 } });
  });
}

import { metrics } from '@maw/telemetry/metrics.ts';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Conflict, type Tapes, type AppendMetadata } from './tapes.ts';
import type { Store } from '../store.ts';

/** Append metadata with defaults. */
export const about = (more: Partial<AppendMetadata> = {}): AppendMetadata => ({
  at: 1,
  cause: 'c',
  wake: undefined,
  summary: { stage: 'round' },
  ...more,
});

/** The contract of tapes. */
export function tapesSuite(store: () => Store): void {
  const append: Tapes['append'] = (...args) => store().tapes.append(...args);
  const read: Tapes['read'] = (...args) => store().tapes.read(...args);
  const open = (table: string, more: Partial<AppendMetadata> = {}) => append(table, 0, [{ type: 'opened' }], about(more));
  const due = (now: number) => store().tapes.due(now, 100);
  const list = () => store().tapes.list({ limit: 100 });
  const result = (table: string) => store().tapes.result(table);

  describe('appending', () => {
    it('numbers the events of a table from 1, with time and cause', async () => {
      await append('t', 0, [{ type: 'opened' }, { type: 'joined', seat: 0 }], about({ at: 1_767_225_600_123, cause: 'm1' }));
      await append('t', 2, [{ type: 'dealt' }], about({ at: 1_767_225_600_124, cause: 'm2' }));
      expect(await read('t')).toEqual([
        { table: 't', sequence: 1, at: 1_767_225_600_123, cause: 'm1', event: { type: 'opened' } },
        { table: 't', sequence: 2, at: 1_767_225_600_123, cause: 'm1', event: { type: 'joined', seat: 0 } },
        { table: 't', sequence: 3, at: 1_767_225_600_124, cause: 'm2', event: { type: 'dealt' } },
      ]);
    });

    it('reads the events of one table after a sequence', async () => {
      await append('t', 0, [{ type: 'a' }, { type: 'b' }, { type: 'c' }], about());
      await open('u');
      expect((await read('t', 2)).map(({ sequence, event }) => [sequence, event.type])).toEqual([[3, 'c']]);
      expect(await read('t', 3)).toEqual([]);
      expect(await read('t', 9)).toEqual([]);
      expect(await read('nobody')).toEqual([]);
    });

    it('finds which of many messages caused something at their table', async () => {
      await append('t', 0, [{ type: 'a' }, { type: 'b' }], about({ cause: 'm1' }));
      await append('u', 0, [{ type: 'a' }], about({ cause: 'm2' }));
      const asked = [
        ['t', 'm1'],
        ['t', 'm2'],
        ['u', 'm2'],
        ['nobody', 'm3'],
      ].map(([table, cause]) => ({ table: table!, cause: cause! }));
      expect([...(await store().tapes.causesAmong(asked))].toSorted()).toEqual(['m1', 'm2']);
      expect([...(await store().tapes.causesAmong(asked.slice(1, 2)))]).toEqual([]);
      expect([...(await store().tapes.causesAmong([]))]).toEqual([]);
    });

    it('lets one of two concurrent writers win', async () => {
      await open('t');
      const both = await outcomes([append('t', 1, [{ type: 'a' }], about()), append('t', 1, [{ type: 'b' }], about())]);
      expect(both.toSorted()).toEqual(['Conflict', 'won']);
      expect((await read('t')).map(({ event }) => event.type)).toEqual(['opened', both[0] === 'won' ? 'a' : 'b']);
    });

    it('rejects a repeated opening, a wrong sequence and an unknown table, and writes nothing', async () => {
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

    it('commits concurrent appends of many tables, conflicts among them', async () => {
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

    it('lets exactly one of four competing writers win each sequence', async () => {
      await open('t');
      const won: number[] = [];
      const writer = async (who: number) => {
        while (won.length < 15) {
          const last = (await read('t')).length;
          try {
            await append('t', last, [{ type: 'said', who }], about());
            won.push(who);
          } catch (error) {
            if (!(error instanceof Conflict)) throw error;
          }
        }
      };
      await Promise.all([0, 1, 2, 3].map(writer));
      const tape = await read('t');
      expect(tape.map(({ sequence }) => sequence)).toEqual(tape.map((_, i) => i + 1));
      expect(tape.length).toBe(won.length + 1);
    });

    it('rejects what jsonb cannot hold, and spares concurrent appends', async () => {
      const bad = [
        append('t0', 0, [{ type: 'said', text: 'a\0b' }], about()),
        append('t1', 0, [{ type: 'said', deep: [{ 'k\0': 1 }] }], about()),
        append('t2', 0, [{ type: 'said', text: '🐺'.slice(0, 1) }], about()),
        append('t3', 0, [{ type: 'x' }], about({ summary: { stage: 'lobby', name: '\0' } })),
      ];
      const good = open('good');
      for (const each of await Promise.allSettled(bad)) expect(each.status).toBe('rejected');
      await good;
      expect((await list()).map(({ table }) => table)).toEqual(['good']);
    });

    it('returns unusual text, nesting and numbers unchanged', async () => {
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

    it('returns any JSON unchanged', async () => {
      let n = 0;
      // No backslash: V8 mistakes a later key for one that ends in it (nodejs/node#63785).
      const json = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('a', 'é', '狼', '🐺', '"', '\u0001', 'u0000') });
      await fc.assert(
        fc.asyncProperty(json, async (value) => {
          const table = `any${n++}`;
          const event = { type: 'x', value };
          await append(table, 0, [event], about());
          expect((await read(table))[0]!.event).toEqual(JSON.parse(JSON.stringify(event)));
        }),
        { numRuns: 25 },
      );
    });

    it('shares no value with the caller', async () => {
      const event = { type: 'x', list: [1] };
      const summary = { stage: 'lobby', names: ['a'] };
      await append('t', 0, [event], about({ summary, result: { points: [1] } }));
      event.list.push(2);
      summary.names.push('b');
      const [first] = await read('t');
      push(first!.event['list'], 3);
      push((await list())[0]!.summary['names'], 'c');
      push((await result('t'))!['points'], 2);
      expect((await read('t'))[0]!.event).toEqual({ type: 'x', list: [1] });
      expect((await list())[0]!.summary).toEqual({ stage: 'lobby', names: ['a'] });
      expect(await result('t')).toEqual({ points: [1] });
    });

    it('moves alarm and summary without an event, unless the tape has grown', async () => {
      await open('t', { wake: 10 });
      await append('t', 1, [], about({ wake: 20, summary: { stage: 'pause' } }));
      expect(await due(100)).toEqual([{ table: 't', alarm: 20 }]);
      expect((await list())[0]!.summary).toEqual({ stage: 'pause' });
      await expect(append('t', 2, [], about({ wake: 30 }))).rejects.toThrow(Conflict);
    });

    it('counts appends and conflicts', async () => {
      const before = [await appends(), await conflicts()] as const;
      await open('t');
      await open('t').catch(() => undefined);
      expect([(await appends()) - before[0], (await conflicts()) - before[1]]).toEqual([2, 1]);
    });
  });
}

const outcomes = async (appends: readonly Promise<void>[]) =>
  (await Promise.allSettled(appends)).map((each) => (each.status === 'fulfilled' ? 'won' : String(each.reason.name)));

const table = (i: number) => `t${i}`;

const push = (list: unknown, value: unknown) => Array.isArray(list) && list.push(value);

const conflicts = async () => (await metrics.conflicts.get()).values.reduce((sum, { value }) => sum + value, 0);

const appends = async () =>
  (await metrics.appendSeconds.get()).values
    .filter(({ metricName }) => metricName?.endsWith('_count'))
    .reduce((sum, { value }) => sum + value, 0);

import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { Thought } from './thoughts.ts';

const thought = (decision: string, step: number, more: Partial<Thought> = {}): Thought => ({
  table: 't',
  seat: 0,
  decision,
  step,
  kind: 'complete',
  name: 'speak',
  at: 100 + step,
  content: { prompt: ['You are 🐺.'], n: step },
  ...more,
});

/** The contract of thoughts and memories. */
export function thoughtsSuite(store: () => Store): void {
  const { think, thoughts, recall, remember } = {
    think: (each: Thought) => store().thoughts.record(each),
    thoughts: (table: string, about?: { seat?: number; decision?: string }) => store().thoughts.list(table, about),
    recall: (table: string, seat: number) => store().thoughts.recall(table, seat),
    remember: (...given: Parameters<Store['thoughts']['remember']>) => store().thoughts.remember(...given),
  };

  describe('thoughts', () => {
    it('are listed by decision in the order they began, then by step', async () => {
      const all = [thought('late', 1, { at: 500 }), thought('early', 2), thought('early', 1), thought('early', 10, { at: 900 })];
      for (const each of all) await think(each);
      expect(await thoughts('t')).toEqual([all[2], all[1], all[3], all[0]]);
    });

    it('are filtered by seat and by decision', async () => {
      const [a, b, c] = [thought('a', 1), thought('b', 1, { seat: 1, at: 200 }), thought('c', 1, { at: 300 })];
      for (const each of [a, b, c, thought('d', 1, { table: 'u' })]) await think(each);
      expect(await thoughts('t', { seat: 0 })).toEqual([a, c]);
      expect(await thoughts('t', { decision: 'b' })).toEqual([b]);
      expect(await thoughts('t', { seat: 0, decision: 'b' })).toEqual([]);
      expect(await thoughts('nobody')).toEqual([]);
    });

    it('are paged through by step within a decision', async () => {
      const all = [1, 2, 3].map((step) => thought('a', step));
      for (const each of all) await think(each);
      expect(await store().thoughts.list('t', { decision: 'a', after: 1, limit: 1 })).toEqual([all[1]]);
    });

    it('are listed as numbered decisions without their contents', async () => {
      const late = { decision: 'late', seat: 1, phase: 'day-2', trace: '4bf9', began: 300, ended: 900, steps: 2 };
      await think(thought('late', 1, { seat: 1, at: 300, content: { phase: 'day-2', trace: '4bf9' } }));
      await think(thought('late', 2, { seat: 1, at: 900, content: { phase: 'not the first' } }));
      await think(thought('early', 1, { at: 200 }));
      await think(thought('elsewhere', 1, { table: 'u' }));
      const early = { decision: 'early', seat: 0, phase: undefined, trace: undefined, began: 200, ended: 200, steps: 1 };
      const decisions = (wanted: object) => store().thoughts.decisions('t', { limit: 10, ...wanted });
      expect(await decisions({})).toEqual([
        { n: 1, ...early },
        { n: 2, ...late },
      ]);
      for (const wanted of [{ seat: 1 }, { decision: 'late' }, { after: 1 }]) expect(await decisions(wanted)).toEqual([{ n: 2, ...late }]);
      expect(await decisions({ limit: 1 })).toEqual([{ n: 1, ...early }]);
      expect(await decisions({ seat: 0, decision: 'late' })).toEqual([]);
    });

    it('are replaced by the same step of the same decision', async () => {
      await think(thought('a', 1));
      await think(thought('a', 2));
      const again = { kind: 'recall', name: 'other', content: { n: -1 } };
      await think(thought('a', 1, { ...again, at: 300 }));
      await think(thought('a', 2, { ...again, at: 301 }));
      expect(await thoughts('t')).toEqual([thought('a', 1, again), thought('a', 2, { ...again, at: 301 })]);
    });

    it('keep the number of their decision when it is resumed, by a slow clock too', async () => {
      for (const [decision, at] of [['a', 100], ['b', 200]] as const) for (const step of [1, 2]) await think(thought(decision, step, { at })); // prettier-ignore
      const numbers = async () =>
        (await store().thoughts.decisions('t', { limit: 9 })).map(({ n, decision, began }) => [n, decision, began]);
      const before = await numbers();
      await think(thought('a', 1, { at: 300 }));
      await think(thought('b', 2, { at: 50 }));
      expect(await numbers()).toEqual(before);
      expect((await thoughts('t')).map(({ decision }) => decision)).toEqual(['a', 'a', 'b', 'b']);
    });

    it('are rejected when they cannot be stored', async () => {
      await expect(think(thought('a', 1, { content: { reply: 'x\0' } }))).rejects.toThrow(/unsupported Unicode|jsonb cannot hold/);
      expect(await thoughts('t')).toEqual([]);
    });
  });

  describe('memory', () => {
    it('is stored per seat; an older one never replaces a newer one', async () => {
      expect(await recall('t', 0)).toBeUndefined();
      expect(await remember('t', 0, 5, { notes: ['a'] })).toBe(true);
      expect(await remember('t', 0, 4, { notes: ['old'] })).toBe(false);
      expect(await recall('t', 0)).toEqual({ notes: ['a'] });
      expect(await remember('t', 0, 5, { notes: ['again'] })).toBe(true);
      expect(await remember('t', 0, 9, { notes: ['new'] })).toBe(true);
      expect(await recall('t', 0)).toEqual({ notes: ['new'] });
      expect(await recall('t', 1)).toBeUndefined();
      expect(await recall('u', 0)).toBeUndefined();
    });

    it('is recalled of several seats at once, in the order asked for', async () => {
      for (const seat of [1, 300]) await remember('t', seat, 1, { of: seat });
      await remember('u', 2, 1, 'of another table');
      expect(await store().thoughts.recallAll('t', [300, 2, 1])).toEqual([{ of: 300 }, undefined, { of: 1 }]);
      expect(await store().thoughts.recallAll('t', [])).toEqual([]);
    });

    it('of an earlier decision never replaces that of a later one; thoughts are stored with either', async () => {
      const of = (sequence: number) => ({ decision: { sequence } });
      expect(await remember('t', 0, 5, of(7), { sequence: 7, thoughts: [thought('a', 1), thought('a', 2)] })).toBe(true);
      expect(await remember('t', 0, 6, of(6), { sequence: 6, thoughts: [thought('b', 1, { at: 500 })] })).toBe(false);
      expect(await recall('t', 0)).toEqual(of(7));
      expect(await remember('t', 0, 4, of(8), { sequence: 8 })).toBe(false);
      expect(await remember('t', 0, 5, of(7), { sequence: 7, thoughts: [thought('a', 1, { name: 'other', at: 900 })] })).toBe(true);
      expect(await thoughts('t')).toEqual([thought('a', 1, { name: 'other' }), thought('a', 2), thought('b', 1, { at: 500 })]);
    });

    it('accepts any JSON and nothing else', async () => {
      for (const [n, memory] of [null, 'words', 0, false, [], [[null]], {}].entries()) {
        await remember('t', 0, n, memory);
        expect(await recall('t', 0)).toEqual(memory);
      }
      await expect(remember('t', 0, 99, '\0')).rejects.toThrow(/unsupported Unicode|jsonb cannot hold/);
    });
  });
}

import { describe, expect, it } from '@jest/globals';
import { Unstorable } from '../validation/storable.ts';
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

/** What every store promises about thoughts and memories. */
export function thoughtsSuite(store: () => Store): void {
  const { think, thoughts, recall, remember } = {
    think: (each: Thought) => store().thoughts.record(each),
    thoughts: (table: string, about?: { seat?: number; decision?: string }) => store().thoughts.list(table, about),
    recall: (table: string, seat: number) => store().thoughts.recall(table, seat),
    remember: (table: string, seat: number, n: number, memory: unknown) => store().thoughts.remember(table, seat, n, memory),
  };

  describe('thoughts', () => {
    it('come back decision by decision in the order they began, step by step', async () => {
      const all = [thought('late', 1, { at: 500 }), thought('early', 2), thought('early', 1), thought('early', 10, { at: 900 })];
      for (const each of all) await think(each);
      expect(await thoughts('t')).toEqual([all[2], all[1], all[3], all[0]]);
    });

    it('are found by seat and by decision', async () => {
      const [a, b, c] = [thought('a', 1), thought('b', 1, { seat: 1, at: 200 }), thought('c', 1, { at: 300 })];
      for (const each of [a, b, c, thought('d', 1, { table: 'u' })]) await think(each);
      expect(await thoughts('t', { seat: 0 })).toEqual([a, c]);
      expect(await thoughts('t', { decision: 'b' })).toEqual([b]);
      expect(await thoughts('t', { seat: 0, decision: 'b' })).toEqual([]);
      expect(await thoughts('nobody')).toEqual([]);
    });

    it('are replaced when the same step of a decision is thought again', async () => {
      await think(thought('a', 1));
      await think(thought('a', 2));
      const again = thought('a', 1, { kind: 'recall', name: 'other', at: 300, content: { n: -1 } });
      await think(again);
      expect(await thoughts('t')).toEqual([again, thought('a', 2)]);
    });

    it('are refused when they cannot be kept', async () => {
      await expect(think(thought('a', 1, { content: { reply: 'x\0' } }))).rejects.toThrow(/thought of seat 0 at table t.*U\+0000/);
      await expect(think(thought('a', 1, { name: '\udfff' }))).rejects.toThrow(Unstorable);
      expect(await thoughts('t')).toEqual([]);
    });
  });

  describe('memory', () => {
    it('is kept for each seat, newer over older, and as new over as new', async () => {
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

    it('may be any JSON, and nothing else', async () => {
      for (const [n, memory] of [null, 'words', 0, false, [], [[null]], {}].entries()) {
        await remember('t', 0, n, memory);
        expect(await recall('t', 0)).toEqual(memory);
      }
      await expect(remember('t', 0, 99, undefined)).rejects.toThrow(/memory of seat 0 at table t must be JSON/);
      await expect(remember('t', 0, 99, '\0')).rejects.toThrow(Unstorable);
    });
  });
}

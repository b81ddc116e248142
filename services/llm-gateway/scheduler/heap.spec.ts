import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { heap, type HeapElement } from './heap.ts';

interface Thing extends HeapElement {
  readonly rank: number;
  readonly number: number;
}
const before = (one: Thing, other: Thing): number => one.rank - other.rank || one.number - other.number;

describe('heap', () => {
  it('always has its smallest element first', () => {
    const step = fc.record({ comes: fc.nat(3).map((n) => n > 0), rank: fc.nat(99), which: fc.nat(100) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 200 }), (steps) => {
        const made = heap(before);
        const there: Thing[] = [];
        for (const [number, { comes, rank, which }] of steps.entries()) {
          if (comes || there.length === 0) {
            const one = { rank, number };
            made.push(one);
            there.push(one);
          } else made.remove(there.splice(which % there.length, 1)[0]!);
          expect([made.size, made.first]).toEqual([there.length, there.toSorted(before)[0]]);
        }
        for (const one of there.toSorted(before)) {
          expect(made.first).toBe(one);
          made.remove(one);
        }
        expect(made.size).toBe(0);
      }),
    );
  });

  it('refuses to remove an absent and to add a present element', () => {
    const made = heap(before);
    const one = { rank: 1, number: 1 };
    expect(() => made.remove(one)).toThrow('not in');
    made.push(one);
    expect(() => made.push(one)).toThrow('already');
    expect(() => heap(before).push(one)).toThrow('already');
    expect(() => heap(before).remove(one)).toThrow('not in');
    made.remove(one);
    expect(() => made.remove(one)).toThrow('not in');
    expect(made.first).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kept } from './lru-cache.ts';

describe('what is kept for a while', () => {
  it('is the most recently used within number, weight and time', () => {
    const memory = kept<string>({ most: 2, forMs: 100, mostWeight: 10 });
    memory.put('a', 'A', 1, 0);
    memory.put('b', 'B', 1, 0);
    expect(memory.get('a', 1)).toBe('A');
    memory.put('c', 'C', 1, 2);
    expect([memory.get('a', 3), memory.get('b', 3), memory.get('c', 3)]).toEqual(['A', undefined, 'C']);
    expect(memory.get('a', 100)).toBeUndefined();
    memory.put('d', 'D', 9, 101);
    expect([memory.get('c', 101), memory.get('d', 101)]).toEqual(['C', 'D']);
    memory.put('e', 'E', 5, 101);
    expect([memory.get('d', 101), memory.get('e', 101)]).toEqual([undefined, 'E']);
  });

  it('never is more or heavier than its bounds, whatever comes', () => {
    const steps = fc.array(fc.record({ id: fc.integer({ min: 0, max: 9 }), weight: fc.nat(20), wait: fc.nat(30) }), { maxLength: 100 });
    fc.assert(
      fc.property(steps, (puts) => {
        const memory = kept<number>({ most: 4, forMs: 50, mostWeight: 30 });
        const weights = new Map<string, number>();
        let at = 0;
        for (const { id, weight, wait } of puts) {
          at += wait;
          memory.put(`${id}`, id, weight, at);
          weights.set(`${id}`, weight);
          expect(memory.get(`${id}`, at)).toBe(id);
          const there = [...weights.keys()].filter((key) => memory.get(key, at) !== undefined);
          expect(there.length).toBeLessThanOrEqual(4);
          expect(there.reduce((sum, key) => sum + weights.get(key)!, 0)).toBeLessThanOrEqual(30);
        }
      }),
    );
  });
});

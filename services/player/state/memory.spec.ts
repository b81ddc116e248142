import { describe, expect, it } from '@jest/globals';
import { newMemory, parseMemory } from './memory.ts';
import { newProgress } from './progress.ts';

describe('parseMemory', () => {
  it('reads back a stored memory', () => {
    const memory = { ...newMemory, n: 1, rooms: { r: 2 }, pending: [{ at: 0 }], decision: newProgress('m', 3, 'round-1/day-1') };
    expect(parseMemory(JSON.parse(JSON.stringify(memory)))).toEqual(memory);
    expect(parseMemory(JSON.parse(JSON.stringify(newMemory)))).toEqual(newMemory);
  });

  it('returns undefined for anything else', () => {
    for (const other of [null, undefined, 3, {}, { ...newMemory, v: 2 }, { ...newMemory, mind: {} }, { ...newMemory, n: -1 }])
      expect(parseMemory(other)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { embed, shortened } from './text-vector.ts';

const cosine = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe('an embedding', () => {
  it('is a unit vector of the requested length', () => {
    for (const text of ['Ann is a wolf', '', '!?', 'a']) {
      const vector = embed(text, 64);
      expect(vector).toHaveLength(64);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 10);
    }
  });
  it('is deterministic', () => {
    expect(embed('Ann is a wolf', 256)).toEqual(embed('Ann is a wolf', 256));
  });
  it('places similar texts closer together', () => {
    const [wolf, again, weather] = [
      'I think that Ann is a wolf',
      'Ann is a werewolf, I think',
      'Rain will fall over the harbour tomorrow',
    ].map((text) => embed(text, 256));
    expect(cosine(wolf!, again!)).toBeGreaterThan(0.5);
    expect(cosine(wolf!, weather!)).toBeLessThan(0.3);
  });
  it('can be truncated and normalized', () => {
    const short = shortened(embed('Ann is a wolf', 256), 32);
    expect(short).toHaveLength(32);
    expect(Math.hypot(...short)).toBeCloseTo(1, 10);
  });
});

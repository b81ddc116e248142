import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { poolIndex, type StoredExperience } from './pool-index.ts';
import { cosine } from './retrieve.ts';

const entry = (response: string, more: Partial<StoredExperience> = {}): StoredExperience => ({
  reflection: 'I think that Player B lies.',
  response,
  score: 5,
  branch: 'vote',
  ...more,
});
const query = { branch: 'vote', reflection: 'Player B lies', epsilon: 0, most: 50 };

describe('an index of experience', () => {
  it('finds what a comparison with every entry finds, best first, above the limit', () => {
    const dice = diceOf('seed', 'vectors');
    const vector = () => Float32Array.from({ length: 8 }, () => dice.below(2_001) / 1_000 - 1);
    const stored = Array.from({ length: 300 }, (_, i) => entry(`r${i}`, { vector: vector(), branch: i % 3 ? 'vote' : 'talk' }));
    const asked = [...vector()];
    const expected = stored
      .filter(({ branch }) => branch === 'vote')
      .map((each) => ({ response: each.response, cos: cosine(asked, [...each.vector!]) }))
      .filter(({ cos }) => cos > 0.4)
      .toSorted((a, b) => b.cos - a.cos)
      .slice(0, 10);
    expect(expected.length).toBe(10);
    const found = poolIndex('p@1', 'm', stored).find({ ...query, vector: asked, epsilon: 0.4, most: 10 });
    expect(found.map(({ response }) => response)).toEqual(expected.map(({ response }) => response));
  });

  it('without a model finds by words, and nothing that shares none', () => {
    const index = poolIndex('p@1', undefined, [
      entry('far', { reflection: 'Nobody spoke.' }),
      entry('near'),
      entry('other', { branch: 'talk' }),
    ]);
    expect(index.find(query).map(({ response }) => response)).toEqual(['near']);
  });

  it('refuses a vector of another model', () => {
    const index = poolIndex('p@1', 'm', [entry('a', { vector: Float32Array.of(1, 0) })]);
    expect(() => index.find({ ...query, vector: [1, 0, 0] })).toThrow('the pool p@1 has vectors of 2 dimensions, not 3');
  });
});

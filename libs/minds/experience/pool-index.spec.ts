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
  it('finds what a comparison with every entry finds, best first, above the limit', async () => {
    const dice = diceOf('seed', 'vectors');
    const noise = () => Array.from({ length: 100 }, () => dice.below(2_001) / 1_000 - 1);
    const centre = noise();
    for (const alike of [0, 1, 4]) {
      const vector = () => noise().map((each, d) => each + alike * centre[d]!);
      const stored = Array.from({ length: 300 }, (_, i) =>
        entry(`r${i}`, { vector: Float32Array.from(vector()), branch: i % 3 ? 'vote' : 'talk' }),
      );
      const asked = vector();
      const byCosine = stored
        .filter(({ branch }) => branch === 'vote')
        .map((each) => ({ response: each.response, cos: cosine(asked, [...each.vector!]) }))
        .toSorted((a, b) => b.cos - a.cos);
      const index = poolIndex('p@1', 'm', stored);
      for (const epsilon of [-1, (byCosine[9]!.cos + byCosine[10]!.cos) / 2]) {
        const expected = byCosine.filter(({ cos }) => cos > epsilon).slice(0, 20);
        const found = await index.find({ ...query, vector: asked, epsilon: epsilon, most: 20 });
        expect(found.map(({ response }) => response)).toEqual(expected.map(({ response }) => response));
      }
    }
  });

  it('without a model finds by words, and nothing that shares none', async () => {
    const index = poolIndex('p@1', undefined, [
      entry('far', { reflection: 'Nobody spoke.' }),
      entry('near'),
      entry('other', { branch: 'talk' }),
    ]);
    expect((await index.find(query)).map(({ response }) => response)).toEqual(['near']);
  });

  it('finds by words when a pool with a model has no vectors', async () => {
    const index = poolIndex('p@1', 'm', [entry('near')]);
    expect([index.model, await index.find({ ...query, vector: [1, 0] })]).toMatchObject([undefined, [{ response: 'near' }]]);
  });

  it('refuses vectors of several numbers of dimensions', () => {
    const stored = [2, 10].map((length) => entry('a', { vector: new Float32Array(length) }));
    expect(() => poolIndex('p@1', 'm', stored)).toThrow('the pool p@1 mixes vectors of 2 and 10 dimensions; build or import it again');
  });

  it('refuses a vector of another model', async () => {
    const index = poolIndex('p@1', 'm', [entry('a', { vector: Float32Array.of(1, 0) })]);
    await expect(index.find({ ...query, vector: [1, 0, 0] })).rejects.toThrow('the pool p@1 has vectors of 2 dimensions, not 3');
  });
});

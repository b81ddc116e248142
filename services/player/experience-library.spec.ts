import { beforeEach, describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { Store } from '@maw/store/store.ts';
import { experienceLibrary } from './experience-library.ts';

const item = (response: string) => ({ reflection: 'Player B lies.', response, score: 5, branch: 'vote' });
const vector = (...of: readonly number[]) => Buffer.from(new Float32Array(of).buffer).toString('base64');
const query = { branch: 'vote', reflection: 'Player B lies.', epsilon: 0.5, most: 9 };
let store: Store;

beforeEach(async () => {
  store = memoryStore();
  for (const version of [1, 2]) {
    await store.experience.create({ name: 'p', version, at: 1, about: version === 1 ? {} : { model: 'm' } });
    await store.experience.add('p', version, 'g', [
      { n: 1, item: item(`old ${version}`), vector: vector(0, 1) },
      { n: 2, item: item(`near ${version}`), vector: vector(3, 0) },
    ]);
  }
});

describe('the library of experience', () => {
  it('opens the newest version of a pool, or the one that is named', async () => {
    const open = experienceLibrary(store.experience, () => 0);
    const [newest, first] = [await open('p'), await open('p@1')];
    expect([newest.pool, newest.model, first.pool, first.model]).toEqual(['p@2', 'm', 'p@1', undefined]);
    expect((await newest.find({ ...query, vector: [1, 0] })).map(({ response }) => response)).toEqual(['near 2']);
    expect((await first.find(query)).map(({ response }) => response)).toEqual(['old 1', 'near 1']);
    await expect(open('q')).rejects.toThrow('there is no pool of experience q');
  });

  it('keeps pools that are used in turn, up to a size', async () => {
    const bytes = 2 * (2 * 'Player B lies.'.length + 'old 1near 1'.length) + 16;
    for (const [maxBytes, isKept] of [
      [2 * bytes, true],
      [2 * bytes - 1, false],
      [1, false],
    ] as const) {
      // prettier-ignore
      const open = experienceLibrary(store.experience, () => 0, maxBytes);
      const first = await open('p@1');
      expect(await open('p@1')).toBe(first); // kept alone, however large
      await open('p@2');
      expect((await open('p@1')) === first).toBe(isKept);
    }
  });

  it('reads a pool once, and again after ten minutes', async () => {
    let now = 1;
    const open = experienceLibrary(store.experience, () => now);
    const before = await open('p@1');
    await store.experience.add('p', 1, 'h', [{ n: 1, item: item('new') }]);
    expect(await open('p@1')).toBe(before);
    now = 600_002;
    expect(await (await open('p@1')).find(query)).toHaveLength(3);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type ReadPage, sharedPageReader } from './view-pages.ts';

const seat0 = { eye: 0, showsCauses: false };

describe('sharedPageReader', () => {
  it('shares concurrent reads, but never across a change', async () => {
    const asked: ((page: unknown) => void)[] = [];
    const ask = (() => new Promise((resolve) => asked.push(resolve))) as unknown as ReadPage;
    let rings = 0;
    const look = sharedPageReader(ask, { version: () => rings });
    const [one, same, other] = [look('t1', seat0, 5, 10), look('t1', seat0, 5, 10), look('t1', { ...seat0, eye: 1 }, 5, 10)];
    expect(asked).toHaveLength(2);
    rings = 1;
    const later = look('t1', seat0, 5, 10);
    expect(asked).toHaveLength(3);
    for (const [i, answer] of asked.entries()) answer(i);
    expect(await Promise.all([one, same, other, later])).toEqual([0, 0, 1, 2]);
    void look('t1', seat0, 5, 10);
    expect(asked).toHaveLength(4); // an answer is not kept
  });

  it('reads again after a failure', async () => {
    let tries = 0;
    const ask = (() => (tries++ ? Promise.resolve('page') : Promise.reject(new Error('no')))) as unknown as ReadPage;
    const look = sharedPageReader(ask, { version: () => 0 });
    await expect(look('t1', seat0, 0, 1)).rejects.toThrow('no');
    await expect(look('t1', seat0, 0, 1)).resolves.toBe('page');
  });
});

import { describe, expect, it } from '@jest/globals';
import { semaphore } from './semaphore.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('semaphore', () => {
  it('grants slots in order of arrival and frees them after failures too', async () => {
    const run = semaphore(2);
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const all = gates.map(({ promise }, n) => run(() => (begun.push(n), promise)));
    await turn();
    expect(begun).toEqual([0, 1]);
    gates[1]!.reject(new Error('no'));
    await expect(all[1]).rejects.toThrow('no');
    await turn();
    expect(begun).toEqual([0, 1, 2]);
    gates[0]!.resolve();
    await turn();
    expect(begun).toEqual([0, 1, 2, 3]);
  });
});

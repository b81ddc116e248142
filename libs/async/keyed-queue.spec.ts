import { describe, expect, it } from '@jest/globals';
import { keyedQueue } from './keyed-queue.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('keyedQueue', () => {
  it('runs tasks of one key in order, others meanwhile, also after a failure', async () => {
    const run = keyedQueue();
    const first = Promise.withResolvers<void>();
    const log: string[] = [];
    const failing = run('a', async () => {
      await first.promise;
      throw new Error('no');
    });
    const second = run('a', async () => log.push('a2'));
    expect(await run('b', async () => log.push('b1'))).toBe(1);
    await turn();
    expect(log).toEqual(['b1']);
    first.resolve();
    await expect(failing).rejects.toThrow('no');
    expect(await second).toBe(2);
    expect(log).toEqual(['b1', 'a2']);
  });
});

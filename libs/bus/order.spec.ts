import { describe, expect, it } from '@jest/globals';
import { lanes, slots } from './order.ts';

const gate = () => Promise.withResolvers<void>();
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('lanes', () => {
  it('run tasks of one key in turn, and others meanwhile, also after one has failed', async () => {
    const run = lanes();
    const first = gate();
    const log: string[] = [];
    const failing = run('a', async () => {
      await first.promise;
      throw new Error('no');
    });
    const second = run('a', async () => void log.push('a2'));
    await run('b', async () => void log.push('b1'));
    await turn();
    expect(log).toEqual(['b1']);
    first.resolve();
    await expect(failing).rejects.toThrow('no');
    await second;
    expect(log).toEqual(['b1', 'a2']);
  });
});

describe('slots', () => {
  it('are given in the order of asking, and given back also by what fails', async () => {
    const run = slots(2);
    const gates = [gate(), gate(), gate(), gate()];
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

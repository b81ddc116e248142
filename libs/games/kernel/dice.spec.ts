import { describe, expect, it } from '@jest/globals';
import { diceOf } from './dice.ts';

describe('the dice', () => {
  it('roll the same for the same seed and moment', () => {
    const rolls = (seed: string, moment: string) =>
      Array.from(
        { length: 20 },
        (
          (dice) => () =>
            dice.below(1000)
        )(diceOf(seed, moment)),
      );
    expect(rolls('a', 'deal')).toEqual(rolls('a', 'deal'));
    expect(rolls('a', 'deal')).not.toEqual(rolls('b', 'deal'));
    expect(rolls('a', 'deal')).not.toEqual(rolls('a', 'day-1/vote'));
    expect(rolls('ab', 'c')).not.toEqual(rolls('a', 'bc'));
  });

  it('roll every face equally often (chi-square, 1 %)', () => {
    const faces = Array.from({ length: 7 }, () => 0);
    for (let seed = 0; seed < 20_000; seed++) faces[diceOf(`seed ${seed}`, 'deal').below(7)]!++;
    const expected = 20_000 / 7;
    const chi = faces.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    expect(chi).toBeLessThan(16.81); // 6 degrees of freedom
  });

  it('shuffle every order of four equally often (chi-square, 1 %)', () => {
    const orders = new Map<string, number>();
    for (let seed = 0; seed < 24_000; seed++) {
      const order = diceOf(`${seed}`, 'deal').shuffle([0, 1, 2, 3]).join('');
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(orders.size).toBe(24);
    const chi = [...orders.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    expect(chi).toBeLessThan(41.64); // 23 degrees of freedom
  });

  it('do not change the list they shuffle', () => {
    const items = [1, 2, 3];
    diceOf('a', 'b').shuffle(items);
    expect(items).toEqual([1, 2, 3]);
  });

  it('throw without sides or items', () => {
    expect(() => diceOf('s', 'm').below(0)).toThrow('a die of 0 sides');
    expect(() => diceOf('s', 'm').pick([] as unknown as [number])).toThrow('a die of 0 sides');
    expect(diceOf('s', 'm').below(1)).toBe(0);
  });
});

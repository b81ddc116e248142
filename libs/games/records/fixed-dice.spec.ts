import { describe, expect, it } from '@jest/globals';
import { seededRoll } from '../kernel/dice.ts';
import { type DrawResult, fixedRoll } from './fixed-dice.ts';

const dice = (fixed: { readonly [name: string]: unknown }, step = 'day-1/vote') => {
  const drawn: DrawResult[] = [];
  const roll = fixedRoll(
    (at, name) => (at === 'day-1/vote' ? fixed[name] : undefined),
    (each) => drawn.push(each),
  );
  return { drawn, draws: roll('seed', step) };
};

describe('fixed dice', () => {
  it('give fixed values and note them as fixed', () => {
    const { drawn, draws } = dice({ who: 'seat:2', order: [2, 0, 1] });
    expect(draws.pick('who', ['seat:1', 'seat:2'])).toBe('seat:2');
    expect(draws.shuffle('order', [0, 1, 2])).toEqual([2, 0, 1]);
    expect(drawn).toEqual([
      { step: 'day-1/vote', name: 'who', is: 'seat:2', fixed: true },
      { step: 'day-1/vote', name: 'order', is: [2, 0, 1], fixed: true },
    ]);
  });

  it('roll where nothing is fixed', () => {
    const items = [0, 1, 2, 3, 4, 5, 6, 7] as const;
    const { drawn, draws } = dice({ order: [7, 6, 5, 4, 3, 2, 1, 0] }, 'day-2/vote');
    const usual = seededRoll('seed', 'day-2/vote');
    expect(draws.shuffle('order', items)).toEqual(usual.shuffle('order', items));
    expect(draws.pick('who', items)).toBe(usual.pick('who', items));
    expect(drawn.map(({ fixed }) => fixed)).toEqual([false, false]);
  });

  it('roll and object when a value is impossible', () => {
    const { drawn, draws } = dice({ who: 'seat:9', order: [0, 1] });
    expect(['seat:1', 'seat:2']).toContain(draws.pick('who', ['seat:1', 'seat:2']));
    expect(draws.shuffle('order', [0, 1, 2]).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    expect(drawn).toMatchObject([
      { fixed: false, objection: { wrong: '"seat:9" cannot be drawn', right: 'it is one of seat:1, seat:2' } },
      { fixed: false, objection: { wrong: 'missing: 2', right: 'it is 0, 1, 2, in some order' } },
    ]);
  });

  it('return a copy of a fixed list', () => {
    const order = [2, 0, 1];
    const { drawn, draws } = dice({ order });
    draws.shuffle('order', [0, 1, 2]).reverse();
    expect([order, drawn[0]!.is]).toEqual([
      [2, 0, 1],
      [2, 0, 1],
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { figuresOf, inTurn, readTelemetry, runTelemetry } from './tracing-cost.ts';

describe('what the bench of traces is told', () => {
  it('is read, and has defaults', () => {
    expect(readTelemetry([])).toEqual({ rounds: 5, games: 50, atOnce: 10, step: 0.5, json: false });
    expect(readTelemetry('--rounds 2 --games 7 --at-once 3 --step 0.1 --json'.split(' '))).toEqual({
      rounds: 2,
      games: 7,
      atOnce: 3,
      step: 0.1,
      json: true,
    });
  });

  it.each([
    [['--rounds', '0'], '--rounds: a whole number from 1 is wanted.'],
    [['--games', '1.5'], '--games: a whole number from 1 is wanted.'],
    [['--at-once', 'x'], '--at-once: a whole number from 1 is wanted.'],
    [['--step', '0.09'], '--step: a number from 0.1 to 60 is wanted.'],
    [['--step', '61'], '--step: a number from 0.1 to 60 is wanted.'],
    [['--ratio', '1'], '--ratio'],
  ])('is refused in words: %j', async (args, words) => {
    expect(readTelemetry(args)).toEqual(expect.stringContaining(words));
    expect(await runTelemetry(args, new AbortController().signal)).toBe(2);
  });
});

describe('the turns of ways to trace', () => {
  it('begin with another one each round', () => {
    expect([0, 1, 2, 3].map((round) => inTurn(round).map(({ ratio }) => ratio))).toEqual([
      [undefined, 0.1, 1],
      [0.1, 1, undefined],
      [1, undefined, 0.1],
      [undefined, 0.1, 1],
    ]);
  });

  it('are compared round by round with the first', () => {
    const turn = (cpu: number, bytes: number) => ({ cpu, received: { requests: 1, bytes } });
    const figures = figuresOf([
      { says: 'none', turns: [turn(0.1, 0), turn(0.2, 0)] },
      { says: 'all', turns: [turn(0.15, 1024), turn(0.2, 2048)] },
    ]);
    expect(figures.map(({ what, unit, runs }) => [what, unit, runs.map((n) => Number(n.toFixed(6)))])).toEqual([
      ['processor time of all services, none', 'ms/game', [100, 200]],
      ['processor time of all services, all', 'ms/game', [150, 200]],
      ['all against none', 'ratio', [1.5, 1]],
      ['sent, all', 'KiB', [1, 2]],
    ]);
  });
});

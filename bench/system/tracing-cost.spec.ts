import { describe, expect, it } from '@jest/globals';
import { figuresOf, inTurn } from './tracing-cost.ts';

describe('the sampling ratios', () => {
  it('take turns at being first', () => {
    expect([0, 1, 2, 3].map((round) => inTurn(round).map(({ ratio }) => ratio))).toEqual([
      [undefined, 0.1, 1],
      [0.1, 1, undefined],
      [1, undefined, 0.1],
      [undefined, 0.1, 1],
    ]);
  });

  it('are compared round by round with the first', () => {
    const measurement = (cpu: number, bytes: number) => ({ cpu, received: { requests: 1, bytes } });
    const figures = figuresOf([
      { says: 'none', measurements: [measurement(0.1, 0), measurement(0.2, 0)] },
      { says: 'all', measurements: [measurement(0.15, 1024), measurement(0.2, 2048)] },
    ]);
    expect(figures.map(({ what, unit, runs }) => [what, unit, runs.map((n) => Number(n.toFixed(6)))])).toEqual([
      ['processor time of all services, none', 'ms/game', [100, 200]],
      ['processor time of all services, all', 'ms/game', [150, 200]],
      ['all against none', 'ratio', [1.5, 1]],
      ['sent, all', 'KiB', [1, 2]],
    ]);
  });
});

import { expect, it } from '@jest/globals';
import { zOf } from './z-score.ts';

it('zOf is the pooled z of two proportions', () => {
  // 60 of 100 against 40 of 100: pooled .5, error sqrt(.25 * .02) = .0707, z = .2 / .0707
  expect(zOf({ games: 100, wins: 60 }, { games: 100, wins: 40 })).toBeCloseTo(2.828, 3);
  expect(zOf({ games: 100, wins: 40 }, { games: 100, wins: 60 })).toBeCloseTo(-2.828, 3);
  expect(zOf({ games: 10, wins: 10 }, { games: 10, wins: 10 })).toBe(0);
});

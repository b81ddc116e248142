import { expect, it } from '@jest/globals';
import { foremost } from './choosing.ts';

const weighed =
  (...weights: readonly number[]) =>
  (seat: number): number =>
    weights[seat]!;

it.each([
  ['the heaviest seat, last in the order', [0.2, 0.9, 0.5], [0, 2, 1], 1],
  ['the heaviest seat, first in the order', [0.2, 0.5, 0.9], [2, 1, 0], 2],
  ['the first in the order of seats that weigh about the same', [0.5, 0.2, 0.501], [2, 1, 0], 2],
  ['the first in the order also where that is the first seat', [0.501, 0.2, 0.5], [1, 0, 2], 0],
] as const)('chooses %s', (_, weights, order, chosen) => {
  expect(foremost([0, 1, 2], weighed(...weights), order)).toBe(chosen);
});

it('chooses nobody of no seats', () => {
  expect(foremost([], weighed(), [0])).toBeUndefined();
});

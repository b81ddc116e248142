import { PLANNED } from '../distributions.ts';

const { significance, power } = PLANNED;

/** With fewer games or deals it is hardly known how much they differ, so nobody can say how many a comparison needs. */
export const LEAST_TO_PLAN = 10;

/**
 * How many deals a paired comparison needs so that a two-sided test at 5 % finds a difference with power .8; with fewer than six none is found.
 * @param deviation the standard deviation of the difference from deal to deal
 * @returns a whole number; Infinity for no difference
 */
export function pairsForDifference(deviation: number, difference: number): number {
  return difference === 0 ? Infinity : Math.max(6, Math.ceil((((significance + power) * deviation) / difference) ** 2));
}

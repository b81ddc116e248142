import { normalBeyond, PLANNED } from '../distributions.ts';

const { significance, power } = PLANNED;

/** With fewer games or deals it is hardly known how much they differ, so nobody can say how many a comparison needs. */
export const LEAST_TO_PLAN = 10;

/** A two-sided test at `level` shall find a difference with this `power`, of .5 at least. */
export interface Sought {
  readonly level: number;
  readonly power: number;
}

/** The variance of a difference in one deal, or of two games, one of each group: where there is none in truth, and where there is this one. */
export interface DealVariance {
  readonly none: number;
  readonly some: number;
}

/** That of two shares whose games have nothing to do with each other, pooled where they are the same (as `power.prop.test` of R has it). */
export function independentVariance(one: number, other: number): DealVariance {
  const mean = (one + other) / 2;
  return { none: 2 * mean * (1 - mean), some: one * (1 - one) + other * (1 - other) };
}

/**
 * How many deals find a difference; with fewer than six none is found.
 * @returns a whole number; Infinity for no difference
 */
export function dealsForPower(difference: number, { none, some }: DealVariance, { level, power }: Sought): number {
  const reach = normalBeyond(level) * Math.sqrt(none) + normalBeyond(2 * (1 - power)) * Math.sqrt(some);
  return difference === 0 ? Infinity : Math.max(6, Math.ceil((reach / difference) ** 2));
}

/**
 * How many deals a paired comparison needs so that a two-sided test at 5 % finds a difference with power .8; with fewer than six none is found.
 * @param deviation the standard deviation of the difference from deal to deal
 * @returns a whole number; Infinity for no difference
 */
export function pairsForDifference(deviation: number, difference: number): number {
  return difference === 0 ? Infinity : Math.max(6, Math.ceil((((significance + power) * deviation) / difference) ** 2));
}

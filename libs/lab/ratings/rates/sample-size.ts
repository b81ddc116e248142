import { normalBeyond } from '../distributions.ts';

/** With fewer games or deals it is hardly known how much they differ, so nobody can say how many a comparison needs. */
export const LEAST_TO_PLAN = 10;

/** A two-sided test at `level` shall find a difference with this `power`, of .5 at least. */
export interface Sought {
  readonly level: number;
  readonly power: number;
}

export const USUALLY_SOUGHT: Sought = { level: 0.05, power: 0.8 };

/**
 * How many deals, or games of each of two groups, find a difference; with fewer than six none is found.
 * @param variance of the difference in one deal, or of a game of one group less one of the other
 * @param none the same where there is no difference in truth
 * @returns a whole number; Infinity for no difference
 */
export function dealsForPower(difference: number, variance: number, { level, power }: Sought, none = variance): number {
  const reach = normalBeyond(level) * Math.sqrt(none) + normalBeyond(2 * (1 - power)) * Math.sqrt(variance);
  return difference === 0 ? Infinity : Math.max(6, Math.ceil((reach / difference) ** 2));
}

/** The same at 5 % and with power .8. @param deviation the standard deviation of the difference from deal to deal */
export const pairsForDifference = (deviation: number, difference: number): number =>
  dealsForPower(difference, deviation ** 2, USUALLY_SOUGHT);

import { PLANNED } from '../distributions.ts';

const { significance, power } = PLANNED;

/** With fewer games or deals it is hardly known how much they differ, so nobody can say how many a comparison needs. */
export const LEAST_TO_PLAN = 10;

/**
 * How many games each of two agents must play so that a two-sided test at 5 % tells their win rates apart with power .8 (Fleiss, Levin and
 * Paik, 2003, Statistical Methods for Rates and Proportions, section 4.2, without continuity correction).
 * @returns a whole number; Infinity for equal rates
 */
export function gamesForRates(one: number, other: number): number {
  const mean = (one + other) / 2;
  const spread = significance * Math.sqrt(2 * mean * (1 - mean)) + power * Math.sqrt(one * (1 - one) + other * (1 - other));
  return one === other ? Infinity : Math.ceil((spread / (one - other)) ** 2);
}

/** The same for two means of a measure with some standard deviation: games of each agent. */
export function gamesForMeans(deviation: number, difference: number): number {
  return difference === 0 ? Infinity : Math.ceil(2 * (((significance + power) * deviation) / difference) ** 2);
}

/** The same for a paired comparison with some standard deviation of the difference: pairs, or deals. */
export function pairsForDifference(deviation: number, difference: number): number {
  return difference === 0 ? Infinity : Math.ceil((((significance + power) * deviation) / difference) ** 2);
}

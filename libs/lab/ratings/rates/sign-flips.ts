import { diceOf } from '@maw/games/kernel/dice.ts';

/** Up to so many outcomes are counted one by one: all of 20 deals, and of more where few sizes occur. */
const MAX_OUTCOMES = 2 ** 20;
const DRAWS = 100_000;
/** Sums of the same differences may differ in their last bits. */
const PRECISE = 1e-9;

/** The differences of one size, and how likely it is that so many of them are positive. */
interface Size {
  readonly size: number;
  readonly count: number;
  readonly chances: Float64Array;
}

/**
 * The two-sided p of a sum of 0 in truth: how often the sum is as far from 0 as this one when each difference may as well be the other way round (the
 * sign-flip permutation test: Fisher, 1935, The Design of Experiments, section 21). Exact up to 20 differences; beyond, of seeded draws,
 * the observed one among them (Phipson and Smyth, 2010), unless few sizes make it exact.
 */
export function signFlipP(differences: readonly number[], draws = DRAWS): number {
  const sizes = [...Map.groupBy(differences, (each) => Math.round(Math.abs(each) / PRECISE) * PRECISE)]
    .filter(([size]) => size > 0)
    .map(([size, { length: count }]): Size => ({ size, count, chances: chancesOf(count) }));
  const least = Math.abs(differences.reduce((sum, each) => sum + each, 0)) - PRECISE * (1 + differences.length);
  const outcomes = sizes.reduce((all, { count }) => all * (count + 1), 1);
  if (outcomes <= MAX_OUTCOMES) return Math.min(1, chanceBeyond(least, sizes));
  const dice = diceOf('sign flips', String(differences.length));
  const cumulated = sizes.map(({ chances }) => {
    let sum = 0;
    return chances.map((chance) => (sum += chance));
  });
  let beyond = 1;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let i = 0; i < sizes.length; i++) sum += sizes[i]!.size * (2 * drawn(cumulated[i]!, dice.below(RANGE) / RANGE) - sizes[i]!.count);
    if (Math.abs(sum) >= least) beyond++;
  }
  return beyond / (draws + 1);
}

const RANGE = 0x1_0000_0000;

/** The least p that so many deals can have: that of a difference which is never the other way round. */
export const leastP = (deals: number): number => Math.min(1, 2 ** (1 - deals));

/** How likely it is that the sum is as far from 0 as `least`. */
function chanceBeyond(least: number, sizes: readonly Size[], at = 0, sum = 0): number {
  if (at === sizes.length) return Number(Math.abs(sum) >= least);
  const { size, count, chances } = sizes[at]!;
  let chance = 0;
  for (let positive = 0; positive <= count; positive++)
    chance += chances[positive]! * chanceBeyond(least, sizes, at + 1, sum + size * (2 * positive - count));
  return chance;
}

/** The chances of 0, 1, 2 ... heads of so many coins; by logarithms, as those of a thousand are smaller than numbers can be. @param head the chance of one */
export function chancesOf(coins: number, head = 0.5): Float64Array {
  const tails = Math.log(Math.max(1 - head, Number.EPSILON));
  let logarithm = coins * tails;
  return new Float64Array(coins + 1).map((_, heads) => {
    if (heads) logarithm += Math.log((coins - heads + 1) / heads) + Math.log(head) - tails;
    return Math.exp(logarithm);
  });
}

/** The first place at which the cumulated chance is above a value from 0 to 1. */
function drawn(cumulated: Float64Array, value: number): number {
  let [low, high] = [0, cumulated.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulated[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

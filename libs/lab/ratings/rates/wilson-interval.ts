import { AT_95 } from '../distributions.ts';

/** An observed proportion with its confidence interval. */
export interface Proportion extends Bounds {
  readonly share: number;
}

/** The bounds of a 95 % interval. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/**
 * The Wilson score interval (E. B. Wilson, 1927, Journal of the American Statistical Association 22, 209–212). It stays within [0, 1] and is
 * meaningful for 0 of 10 too.
 * @param z the quantile of the normal distribution; by default that of 95 %
 * @returns for no trials the interval [0, 1], and NaN as the share
 */
export function wilsonInterval(times: number, of: number, z: number = AT_95): Proportion {
  if (of === 0) return { share: Number.NaN, low: 0, high: 1 };
  const share = times / of;
  const square = (z * z) / of;
  const middle = (share + square / 2) / (1 + square);
  const reach = (z / (1 + square)) * Math.sqrt((share * (1 - share)) / of + square / (4 * of));
  // exact where theory is exact, in spite of rounding
  return { share, low: times === 0 ? 0 : Math.max(0, middle - reach), high: times === of ? 1 : Math.min(1, middle + reach) };
}

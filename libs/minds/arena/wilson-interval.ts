/** How often something happened, of so many times. */
export interface Proportion {
  readonly share: number;
  /** The bounds between which the true share lies, as far as so few times can tell. */
  readonly low: number;
  readonly high: number;
}

/** The standard normal quantile of a two-sided interval at 95 %. */
const AT_95 = 1.959963984540054;

/**
 * A share with its interval by Wilson's score (E. B. Wilson, 1927, Journal of the American Statistical Association 22, 209–212), which stays
 * between 0 and 1 and means something for 0 of 10 too.
 * @param z the quantile of the normal distribution; that of 95 % when not given
 * @returns the whole range from 0 to 1 for no times at all, and a share that is not a number
 */
export function wilsonInterval(times: number, of: number, z: number = AT_95): Proportion {
  if (of === 0) return { share: Number.NaN, low: 0, high: 1 };
  const share = times / of;
  const square = (z * z) / of;
  const middle = (share + square / 2) / (1 + square);
  const reach = (z / (1 + square)) * Math.sqrt((share * (1 - share)) / of + square / (4 * of));
  // what is exact in theory shall be exact in print
  return { share, low: times === 0 ? 0 : Math.max(0, middle - reach), high: times === of ? 1 : Math.min(1, middle + reach) };
}

/** The standard normal quantile of a two-sided 95 % interval. */
export const AT_95 = 1.959963984540054;

/** The same of Student's t, by degrees of freedom (Abramowitz and Stegun 1964, 26.7.5): within .15 % from three on, 11 % too small with one. */
export function studentAt95(freedom: number): number {
  const z = (...factors: readonly number[]): number => factors.reduce((sum, factor) => sum * AT_95 ** 2 + factor, 0) * AT_95;
  const terms = [z(1), z(1, 1) / 4, z(5, 16, 3) / 96, z(3, 19, 17, -15) / 384, z(79, 776, 1482, -1920, -945) / 92_160];
  return terms.reduce((sum, term, power) => sum + term / freedom ** power, 0);
}

/** The chance that a standard normal value is further from 0 than `z`, on either side. */
export const twoSidedP = (z: number): number => (Math.abs(z) === Infinity ? 0 : upperGamma(0.5, (z * z) / 2));

/** The value that a standard normal one is beyond with this chance, on either side: where `twoSidedP` is `p`. */
export function normalBeyond(p: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 64; step++) {
    const middle = (low + high) / 2;
    [low, high] = twoSidedP(middle) > p ? [middle, high] : [low, middle];
  }
  return high;
}

/** The chance that a chi-square value with `freedom` degrees of freedom exceeds `value`. With no freedom: 1. */
export const chiSquareP = (value: number, freedom: number): number => (freedom === 0 ? 1 : upperGamma(freedom / 2, value / 2));

const MAX_TERMS = 100_000;
const PRECISE = 1e-15;

/**
 * The regularised upper incomplete gamma function Q(a, x): by its series below a + 1, by its continued fraction (Lentz's method) above
 * (Abramowitz and Stegun, 6.5.29 and 6.5.31).
 */
function upperGamma(a: number, x: number): number {
  if (Number.isNaN(x)) return x;
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let [sum, term] = [1 / a, 1 / a];
    for (let n = 1; n < MAX_TERMS && term > sum * PRECISE; n++) sum += term *= x / (a + n);
    return Math.max(0, 1 - scale * sum);
  }
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < MAX_TERMS; n++) {
    const factor = n * (a - n);
    b += 2;
    d = 1 / (factor * d + b);
    c = b + factor / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < PRECISE) break;
  }
  return scale * fraction;
}

/** The logarithm of the gamma function for x > 0, by recurrence and Stirling's series (Abramowitz and Stegun, 6.1.41). */
function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  for (; y < 15; y++) shift -= Math.log(y);
  const inverse = 1 / (y * y);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / y;
  return shift + (y - 0.5) * Math.log(y) - y + Math.log(2 * Math.PI) / 2 + series;
}

/** The value below which a share of the sorted values lies, interpolated between neighbours (definition 7 of Hyndman and Fan, 1996). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  return below + (at - Math.floor(at)) * ((sorted[Math.floor(at) + 1] ?? below) - below);
}

/** The mean of numbers; NaN of none. */
export const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The standard deviation of a sample, with n - 1; NaN of fewer than two. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.length < 2 ? Number.NaN : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

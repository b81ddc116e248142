import { studentAt95 } from '../distributions.ts';
import { type Bounds, wilsonInterval } from './wilson-interval.ts';

/** What a share is known by besides its value. */
export interface ShareEvidence {
  /** Its standard error; 0 where nothing varies. */
  readonly error: number;
  /** The cases that it is a share of. */
  readonly cases: number;
  /** The independent groups that have cases, such as games. */
  readonly clusters: number;
}

/**
 * The interval of a share whose cases depend on each other: Wilson's, with as many cases as independent ones would need for the same standard error
 * (the effective sample size: Korn and Graubard, 1998, Survey Methodology 24, 193–201). It stays within [0, 1]. At 0 or 1 no error can
 * be seen, so there a group counts as one case.
 */
export function shareInterval(share: number, { error, cases, clusters }: ShareEvidence): Bounds {
  const isSeen = share > 0 && share < 1;
  const effective = Math.min(cases, isSeen ? (share * (1 - share)) / error ** 2 : clusters);
  const { low, high } = wilsonInterval(share * effective, effective);
  return { low, high };
}

/**
 * The interval of an amount that cannot be below `least`: Student's t in the logarithm of what it is above it (the delta method).
 * @param error its standard error. Undefined at `least`: nothing varies there
 * @param freedom of the error: groups that it is of, less one
 */
export function amountInterval(amount: number, error: number, freedom: number, least = 0): Bounds | undefined {
  const above = amount - least;
  if (!(above > 0)) return undefined;
  const factor = Math.exp((studentAt95(freedom) * error) / above);
  return { low: least + above / factor, high: least + above * factor };
}

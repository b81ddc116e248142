import type { Choice } from '../dataset/dataset.ts';

/** What a policy of a sweep is judged by. */
export interface Candidate {
  /** The weight of the conservative term, or `cloning`. */
  readonly rho: number | 'cloning';
  readonly heldOutValue: number;
}

/** What the recorded players got on the deals that were held out: the mean by game and seat, and its standard error. */
export interface RecordedReturn {
  readonly mean: number;
  readonly standardError: number;
}

/** The discounted returns of some recorded choices. */
export function recordedReturn(choices: readonly Choice[], gamma: number): RecordedReturn {
  const returns: number[] = [];
  let [sum, weight] = [0, 1];
  for (const { reward, isLast } of choices) {
    sum += weight * reward;
    weight *= gamma;
    if (!isLast) continue;
    returns.push(sum);
    [sum, weight] = [0, 1];
  }
  const mean = returns.reduce((all, each) => all + each, 0) / returns.length;
  const variance = returns.reduce((all, each) => all + (each - mean) ** 2, 0) / Math.max(1, returns.length - 1);
  return { mean, standardError: Math.sqrt(variance / returns.length) };
}

/** By how many standard errors a policy must do better than the recorded players to be called better. */
const STANDARD_ERRORS = 2;

/** The candidate of the greatest value on held-out deals, and whether that is more than the recorded players got beyond doubt. */
export function chooseCandidate<C extends Candidate>(
  candidates: readonly [C, ...C[]],
  { mean, standardError }: RecordedReturn,
): { readonly chosen: C; readonly isBetter: boolean } {
  const chosen = candidates.reduce((best, each) => (each.heldOutValue > best.heldOutValue ? each : best));
  return { chosen, isBetter: chosen.heldOutValue > mean + STANDARD_ERRORS * standardError };
}

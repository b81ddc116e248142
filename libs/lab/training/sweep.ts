import type { Choice } from './dataset/dataset.ts';
import type { Evaluation } from './evaluation.ts';

/** What a policy of a sweep is judged by. */
export interface Candidate extends Evaluation {
  /** The weight of the conservative term, or `cloning`. */
  readonly rho: number | 'cloning';
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

/** By how many standard errors of the recorded returns a policy must do better than the clone to be called better. */
const STANDARD_ERRORS = 2;

/**
 * The candidate of the greatest value, and whether it is better beyond doubt than the clone, by critics that know the held-out games alone.
 * Both are judged by critics, which share their mistakes: the mean that was recorded is no measure for them.
 * @param clone the candidate that was trained by cloning
 */
export function chooseCandidate<C extends Candidate>(
  clone: C,
  others: readonly C[],
  { standardError }: Pick<RecordedReturn, 'standardError'>,
): { readonly chosen: C; readonly isBetter: boolean } {
  const chosen = others.reduce((best, each) => (each.value > best.value ? each : best), clone);
  return { chosen, isBetter: chosen.heldOutValue > clone.heldOutValue + STANDARD_ERRORS * standardError };
}

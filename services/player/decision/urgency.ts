import type { Asking } from '@maw/minds/mind.ts';
import type { Urgency } from '../model-client.ts';
import type { Progress } from '../state/progress.ts';

/** In how many iterations a choice that may be changed is critical while it is owed. */
const CRITICAL_ITERATIONS = 3;

/**
 * The urgency of model requests: critical while the seat owes a choice, talk otherwise. A mind cannot set it, nor stay critical by
 * withholding its vote: after some iterations it is talk until time is short.
 */
export function urgencyOf(
  asking: readonly Asking[],
  { standing, iteration }: Pick<Progress, 'standing' | 'iteration'>,
  isShort: boolean,
): Urgency {
  const choices = asking.filter(({ verb }) => verb === 'choose');
  if (choices.some(({ final }) => final)) return 'critical';
  const isOwed = choices.some(({ id }) => !standing[id]);
  return isOwed && (isShort || iteration < CRITICAL_ITERATIONS) ? 'critical' : 'talk';
}

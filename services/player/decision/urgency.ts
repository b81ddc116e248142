import type { Data } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import type { Progress } from '../state/progress.ts';

export type Urgency = NonNullable<Data<'llm.complete'>['urgency']>;

/** In how many thoughts a choice that may be changed can be put off before it is as urgent as talk, until time is short. */
const MOST_PUT_OFF = 3;

/**
 * How urgent what a seat thinks now is: critical while it owes a choice, talk otherwise. It is not for the mind to say, nor may it put off
 * its vote to be served before all others for a whole day: that a phase waits for it again counts when time is short.
 */
export function urgencyOf(
  asking: readonly Asking[],
  { standing, iteration }: Pick<Progress, 'standing' | 'iteration'>,
  isShort: boolean,
): Urgency {
  const choices = asking.filter(({ verb }) => verb === 'choose');
  if (choices.some(({ final }) => final)) return 'critical';
  const isOwed = choices.some(({ id }) => !standing[id]);
  return isOwed && (isShort || iteration < MOST_PUT_OFF) ? 'critical' : 'talk';
}

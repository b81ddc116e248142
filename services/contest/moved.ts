import { randomUUID } from 'node:crypto';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { ContestState } from '@maw/store/ports/contests.ts';
import type { ContestContext } from './running-contest.ts';

/** Tells everybody that a contest has new results, or another state. Whoever misses it finds out by polling. */
export async function tellMoved(
  { bus, now, log }: Pick<ContestContext, 'bus' | 'now' | 'log'>,
  id: string,
  state: ContestState,
  finished: number,
): Promise<void> {
  const about = { id: randomUUID(), source: 'contest', subject: id, at: now() };
  await bus
    .publish(contracts.write('contest.moved', { state, finished }, about) as Message<'contest.moved'>)
    .catch((error: unknown) => log.warn({ contest: id, err: error }, 'news of a contest could not be sent'));
}

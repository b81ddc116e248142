import { setTimeout as delay } from 'node:timers/promises';
import type { Game } from './play-options.ts';

/** How often it is looked whether minds still learn, and how long at most, in milliseconds. */
const TIMES = { everyMs: 100, mostMs: 300_000 };

/** Minds whose lessons last beyond the table may take a while after its end. */
export async function waitForLearners(
  learners: () => number,
  { note, signal }: Pick<Game, 'note' | 'signal'>,
  { everyMs, mostMs } = TIMES,
): Promise<void> {
  const until = Date.now() + mostMs;
  for (let last = 0, left = learners(); left && !signal.aborted; left = learners()) {
    const learn = `${left} ${left === 1 ? 'mind learns' : 'minds learn'}`;
    if (Date.now() >= until) return note(`${learn} still; that is not awaited any longer, and what is not learned yet is lost.`);
    if (left !== last) note(last ? `${learn} still.` : `${learn} from the game. Ctrl+C ends that.`);
    last = left;
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Notifier } from '@maw/async/notifier.ts';
import type { StoredContest } from '@maw/store/ports/contests.ts';
import { countEnd } from './count.ts';
import { runContest } from './run-contest.ts';
import type { ContestContext, RunningContest } from './running-contest.ts';

/** The contests that this process plays, by id. */
type Running = Map<string, RunningContest>;

/** Plays the contests that nobody plays, and keeps the leases of those that are played here, until the service closes. */
export async function keepContests(context: ContestContext): Promise<void> {
  const { notifier, closing, leaseMs, log } = context;
  const running: Running = new Map();
  const wake = (): void => notifier.notify();
  closing.addEventListener('abort', wake);
  while (!closing.aborted) {
    await look(context, running).catch((error: unknown) => log.warn({ err: error }, 'contests cannot be read; trying again'));
    await notifier.wait(leaseMs / 3);
  }
  closing.removeEventListener('abort', wake);
  await Promise.allSettled([...running.values()].map(({ task }) => task));
}

async function look(context: ContestContext, running: Running): Promise<void> {
  const { contests, closing } = context;
  for (const one of running.values()) if (!(await claim(context, one.id))) one.leave();
  for (const stored of await contests.list({ states: ['running', 'stopping'], limit: 1000 })) {
    if (closing.aborted) return;
    const known = running.get(stored.id);
    if (!known && (await claim(context, stored.id))) begin(context, running, stored);
    if (!known || stored.state !== 'stopping' || known.isStopping) continue;
    known.isStopping = true;
    known.notifier.notify();
  }
}

function claim({ contests, holder, now, leaseMs }: ContestContext, id: string): Promise<boolean> {
  const at = now();
  return contests.claim(id, holder, { at, until: at + leaseMs });
}

function begin(context: ContestContext, running: Running, stored: StoredContest): void {
  const { id } = stored;
  const leaving = new AbortController();
  const one: RunningContest = {
    id,
    isStopping: stored.state === 'stopping',
    notifier: new Notifier(),
    signal: AbortSignal.any([context.closing, leaving.signal]),
    leave: () => leaving.abort(new Error('another replica plays the contest')),
    task: Promise.resolve(),
  };
  running.set(id, one);
  one.task = play(context, running, one, stored);
}

/** Plays a contest. After an error that may pass it stays here for a while, so that it is not tried again at once. */
async function play(context: ContestContext, running: Running, one: RunningContest, stored: StoredContest): Promise<void> {
  const { contests, log, closing, holder, pollMs } = context;
  const { id, signal } = one;
  try {
    await runContest(context, one, stored);
  } catch (error) {
    if (!signal.aborted) {
      log.error({ contest: id, err: error }, 'a contest was interrupted; trying again');
      await sleep(pollMs, undefined, { signal: closing }).catch(() => undefined);
    }
  } finally {
    running.delete(id);
    countEnd(id);
    await contests.release(id, holder).catch(() => undefined); // it ends by itself
    context.notifier.notify();
  }
}

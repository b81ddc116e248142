import { setTimeout as sleep } from 'node:timers/promises';
import { Notifier } from '@maw/async/notifier.ts';
import { Refused } from '@maw/bus/request-client.ts';
import type { StoredContest } from '@maw/store/ports/contests.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { playInArena } from './arena.ts';
import { tellMoved } from './moved.ts';
import type { ContestContext, RunningContest } from './running-contest.ts';
import { type End, readStanding } from './standing.ts';
import { playAtTables } from './tables/play-at-tables.ts';

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
  one.task = keepPlaying(context, running, one, stored);
}

/** Plays a contest. After an error that may pass it stays here for a while, so that it is not tried again at once. */
async function keepPlaying(context: ContestContext, running: Running, one: RunningContest, stored: StoredContest): Promise<void> {
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
    metrics.contestShare.remove({ contest: id }); // it has ended, or another replica says more of it
    metrics.contestTables.remove({ contest: id });
    await contests.release(id, holder).catch(() => undefined); // it ends by itself
    context.notifier.notify();
  }
}

/**
 * Plays a contest to its end, going on where it stands.
 * @throws the reason of the abort when the service closes or another replica goes on; any error that may pass, such as of the database
 */
export async function runContest(context: ContestContext, running: RunningContest, stored: StoredContest): Promise<void> {
  const standing = await readStanding(context, stored);
  const { id, contest, play } = standing;
  context.log.info({ contest: id, play, finished: standing.finished.size, pairings: standing.plan.total }, 'a contest goes on');
  metrics.contestsRunning.inc({ play });
  const end = await (play === 'arena' ? playInArena : playAtTables)(context, running, standing)
    .catch((error: unknown): End => {
      if (!(error instanceof Refused)) throw error;
      return { state: 'failed', why: `a table was refused: ${error.detail || error.reason}` };
    })
    .finally(() => metrics.contestsRunning.dec({ play }));
  // Whoever stopped it has said why.
  const why = end.why ?? (end.state === 'stopped' ? (await context.contests.get(id))?.why : undefined);
  const about = { at: context.now(), holder: context.holder, ...(why === undefined ? {} : { why }) };
  // Another replica that has taken the contest over says how it ends.
  const isEnded = await context.contests.setState(id, ['running', 'stopping'], end.state, about);
  if (!isEnded) return;
  context.log.info({ contest: id, name: contest.name, ...end, finished: standing.finished.size }, 'a contest has ended');
  await tellMoved(context, id, end.state, standing.finished.size);
}

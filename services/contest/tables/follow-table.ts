import { unlessAborted } from '@maw/async/abort.ts';
import { Notifier } from '@maw/async/notifier.ts';
import type { Bus, Subscription } from '@maw/bus/bus.ts';
import { type Ask, Refused } from '@maw/bus/request-client.ts';
import type { Tables } from './tables.ts';

/** `gone`: there is no such table, or no more. */
export type TableStage = 'running' | 'over' | 'aborted' | 'gone';

/**
 * Waits until a table has ended.
 * @throws the reason of the abort of the running contest
 */
export async function followTable({ context, running, followed }: Tables, table: string): Promise<Exclude<TableStage, 'running'>> {
  const { ask, pollMs } = context;
  const { signal } = running;
  const notifier = new Notifier();
  const wake = (): void => notifier.notify();
  followed.set(table, notifier);
  signal.addEventListener('abort', wake);
  try {
    for (;;) {
      signal.throwIfAborted();
      const stage = await stageOf(ask, table);
      if (stage !== 'running') return stage;
      await notifier.wait(pollMs);
    }
  } finally {
    signal.removeEventListener('abort', wake);
    followed.delete(table);
  }
}

/**
 * Wakes those who follow tables that are over, until it is stopped. For the time of a contest only: all tables of the system tell what moves, and
 * to read that takes time.
 * @throws the reason of the abort of the running contest: a service that closes does not wait for the broker to come back
 */
export async function hearTables(
  bus: Pick<Bus, 'subscribe'>,
  followed: ReadonlyMap<string, Notifier>,
  signal: AbortSignal,
): Promise<Subscription> {
  const subscribing = bus.subscribe(['table.moved'], async ({ subject, data }) => {
    if (data.stage === 'over') followed.get(subject)?.notify();
  });
  try {
    return await unlessAborted(subscribing, signal);
  } catch (error) {
    void subscribing.then((late) => late.stop()).catch(() => undefined); // else it would go on when the broker is back
    throw error;
  }
}

/** Where a table stands, as everybody sees it. */
export async function stageOf(ask: Ask, table: string): Promise<TableStage> {
  try {
    const { summary } = await ask('table.view', table, { eye: 'audience', limit: 1 });
    if (summary.stage !== 'over') return 'running';
    return summary.isAborted ? 'aborted' : 'over';
  } catch (error) {
    if (error instanceof Refused && error.reason === 'unknown-game') return 'gone';
    throw error;
  }
}

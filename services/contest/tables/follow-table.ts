import { Bell } from '@maw/async/bell.ts';
import { type Ask, Refused } from '@maw/bus/request-client.ts';
import type { ContestContext, RunningContest } from '../running-contest.ts';

/** `gone`: there is no such table, or no more. */
export type TableStage = 'running' | 'over' | 'aborted' | 'gone';

/**
 * Waits until a table has ended.
 * @throws the reason of the abort of the running contest
 */
export async function followTable(
  { ask, tables, pollMs }: ContestContext,
  { signal }: RunningContest,
  table: string,
): Promise<Exclude<TableStage, 'running'>> {
  const bell = new Bell();
  const wake = (): void => bell.ring();
  tables.set(table, bell);
  signal.addEventListener('abort', wake);
  try {
    for (;;) {
      signal.throwIfAborted();
      const stage = await stageOf(ask, table);
      if (stage !== 'running') return stage;
      await bell.next(pollMs);
    }
  } finally {
    signal.removeEventListener('abort', wake);
    tables.delete(table);
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

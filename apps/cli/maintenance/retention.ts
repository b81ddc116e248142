import type { Store } from '@maw/store/store.ts';
import type { EndedTable, RemovalCounts, RetentionFilter } from '@maw/store/ports/maintenance.ts';
import type { CliConfig } from '../config.ts';
import { withStore } from './open-store.ts';
import { counted, say } from '../output.ts';
import { withProgress } from '../progress.ts';

interface RetentionOptions {
  /** How long ago a table must have ended, in milliseconds. */
  readonly older: number;
  readonly keepResults: boolean;
  readonly onlyThoughts: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly data: string;
}

/** How many tables go in one statement. */
const BATCH = 20;

/**
 * `maw retention`: removes tables that ended long ago, batch by batch. Each batch goes as a whole; stopped or killed at any moment, the next
 * run goes on with what is left. What runs is never touched.
 * @returns the exit code: 130 when it was stopped
 */
export async function retention(options: RetentionOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const { older, keepResults, onlyThoughts, dryRun, json } = options;
  return withStore(options, config, async (store) => {
    const now = await store.now();
    const about: RetentionFilter = { before: now - older, keepResults, onlyThoughts };
    const found = await store.maintenance.countExpired(about);
    const removed = dryRun ? undefined : await removeAll(store, about, { now, of: found.tables, signal });
    const since = new Date(about.before).toISOString();
    const result = { before: since, keepResults, onlyThoughts, dryRun, ...found, ...removed, stopped: signal.aborted };
    say(json ? JSON.stringify(result) : sentence(found, removed, since, options));
    return signal.aborted ? 130 : 0;
  });
}

interface Removing {
  readonly now: number;
  readonly of: number;
  readonly signal: AbortSignal;
}

async function removeAll(store: Store, about: RetentionFilter, { now, of, signal }: Removing): Promise<RemovalCounts> {
  const sum = { tables: 0, events: 0, lines: 0, thoughts: 0, takes: 0 };
  await withProgress(of, async (at) => {
    for (let after: EndedTable | undefined; !signal.aborted;) {
      const page: readonly EndedTable[] = await store.maintenance.listExpired({ ...about, limit: BATCH, ...(after ? { after } : {}) });
      if (!page.length) break;
      const ids = page.map(({ table }) => table);
      const gone = await store.maintenance.removeTables(ids, { ...about, at: now });
      for (const kind of Object.keys(sum) as (keyof RemovalCounts)[]) sum[kind] += gone[kind];
      at(sum.tables);
      await new Promise(setImmediate); // an embedded database leaves no time for signals
      after = page.at(-1)!;
    }
  });
  return sum;
}

function sentence(
  found: { readonly tables: number; readonly events: number },
  removed: RemovalCounts | undefined,
  since: string,
  { keepResults, onlyThoughts }: RetentionOptions,
): string {
  const which = `that ended before ${since}`;
  if (onlyThoughts)
    return removed
      ? `Removed ${counted(removed.thoughts, 'thought')} of ${counted(removed.tables, 'table')} ${which}; the tables are kept.`
      : `The thoughts of ${counted(found.tables, 'table')} ${which} would be removed; the tables are kept.`;
  const stays = keepResults ? '; summaries and results are kept' : '';
  if (!removed) return `${counted(found.tables, 'table')} ${which} would be removed, with ${counted(found.events, 'event')}${stays}.`;
  const { tables, events, lines, thoughts, takes } = removed;
  const things = [counted(events, 'event'), counted(lines, 'line'), counted(thoughts, 'thought'), counted(takes, 'take')].join(', ');
  return `Removed ${counted(tables, 'table')} ${which}, with ${things}${stays}.`;
}

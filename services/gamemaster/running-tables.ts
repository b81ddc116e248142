import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';

/** A table whose alarm is overdue by more is stuck: alarms are polled several times a second. */
export const STUCK_MS = 30_000;
/** How many stuck tables are logged by id at once, the most overdue first; all are counted. */
const MAX_NAMED = 100;
const SERVICE = 'gamemaster';
const STAGES = ['lobby', 'round', 'pause'] as const;

/**
 * Counts running tables by stage and stuck tables, and logs each stuck table once.
 * @param everyMs the interval; 0: never
 */
export function tableMetrics({ tapes, now, log, everyMs }: { tapes: Tapes; now(): number; log: Log; everyMs: number }) {
  let named: ReadonlySet<string> = new Set();
  let isFailing = false;
  let counting: Promise<void> | undefined;

  async function count(): Promise<void> {
    const at = now();
    const [stages, many, stuck] = await Promise.all([
      tapes.countByStage(),
      tapes.countDue(at - STUCK_MS),
      tapes.due(at - STUCK_MS, MAX_NAMED),
    ]);
    for (const stage of STAGES) metrics.tables.set({ service: SERVICE, stage }, stages[stage] ?? 0);
    metrics.tablesStuck.set({ service: SERVICE }, many);
    for (const { table, alarm } of stuck)
      if (!named.has(table)) log.warn({ table, alarm, lateMs: at - alarm }, 'a table is stuck: its alarm is overdue');
    named = new Set(stuck.map(({ table }) => table));
    isFailing = false;
  }

  /** Removes the metrics: an outdated number would be misleading. */
  function failed(error: Error): void {
    if (!isFailing) log.warn({ err: error.message }, 'counting tables failed; retrying');
    isFailing = true;
    hide();
  }

  function hide(): void {
    for (const stage of STAGES) metrics.tables.remove({ service: SERVICE, stage });
    metrics.tablesStuck.remove({ service: SERVICE });
  }

  const look = (): void =>
    void (counting ??= count()
      .catch(failed)
      .finally(() => {
        counting = undefined;
      }));
  const timer = everyMs > 0 ? setInterval(look, everyMs) : undefined;
  return {
    look,
    async close(): Promise<void> {
      clearInterval(timer);
      await counting;
      hide();
    },
  };
}

import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { PublicPlace } from './messages/public-place.ts';

/** A table whose alarm is overdue by more is stuck: alarms are polled several times a second. */
export const STUCK_MS = 30_000;
/** How many stuck tables are logged by id at once, the most overdue first; all are counted. */
const MAX_NAMED = 100;
/** A stuck table is logged again after this, so that whoever looks at the last minute finds it for as long as it is stuck. */
const AGAIN_MS = 30_000;
const SERVICE = 'gamemaster';
const STAGES = ['lobby', 'round', 'pause'] as const;

interface TableMetricsOptions {
  readonly tapes: Tapes;
  now(): number;
  readonly log: Log;
  /** The interval, in milliseconds; 0: never. */
  readonly everyMs: number;
  /** Where a table stands, as far as everybody at it knows. May fail. */
  placeOf(table: string): Promise<PublicPlace>;
}

/** The tables that are stuck, the most overdue first: since when, and where each stands. */
export async function stuckTables({ tapes, placeOf }: Pick<TableMetricsOptions, 'tapes' | 'placeOf'>, at: number, limit = MAX_NAMED) {
  const stuck: ({ readonly table: string; readonly since: number } & PublicPlace)[] = [];
  for (const { table, alarm } of await tapes.due(at - STUCK_MS, Math.min(limit, MAX_NAMED)))
    stuck.push({ table, since: alarm, ...(await placeOf(table).catch(unknownPlace)) });
  return stuck;
}

const unknownPlace = (error: Error): PublicPlace => ({ phase: `unknown: ${error.message}` });

/** Counts running tables by stage and stuck tables, and logs each stuck table while it is stuck: where it stands, and for whom it waits by day. */
export function tableMetrics({ tapes, now, log, everyMs, placeOf }: TableMetricsOptions) {
  /** When each stuck table was last logged. */
  let logged: ReadonlyMap<string, number> = new Map();
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
    const isNew = ({ table }: { readonly table: string }): boolean => at - (logged.get(table) ?? -AGAIN_MS) >= AGAIN_MS;
    for (const { table, alarm } of stuck.filter(isNew)) {
      const place = await placeOf(table).catch(unknownPlace);
      log.warn({ table, alarm, lateMs: at - alarm, ...place }, 'a table is stuck: its alarm is overdue');
    }
    logged = new Map(stuck.map((one) => [one.table, isNew(one) ? at : logged.get(one.table)!]));
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

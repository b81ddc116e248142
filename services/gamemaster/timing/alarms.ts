import { contracts } from '@maw/contracts/contracts.ts';
import type { Bus } from '@maw/bus/bus.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';

/**
 * An alarm still due after this time is rung again, each time after twice the wait: a tick may wait for a process that has died without the
 * broker knowing.
 */
const AGAIN_MS = 1_000;
const MAX_AGAIN_MS = 600_000;
/** How many due tables are read in one round, besides those waiting for a retry. */
const AT_ONCE = 500;
/** How many alarms rung within AGAIN_MS may still be unsettled before no more are rung. After an outage the most overdue come first. */
const MAX_UNSETTLED = 64;

interface Ports {
  readonly bus: Bus;
  readonly tapes: Tapes;
  now(): number;
  /** The end of the last outage: what was rung before is rung again, however long it was to wait. */
  resumedAt(): number;
  readonly log: Log;
  /** The polling interval; 0: never. */
  readonly everyMs: number;
}

/**
 * Polls for due alarms and publishes a tick for each. All replicas may do so: the id of a tick is made of table and alarm, and ticking is
 * idempotent. A table whose ticks fail is ticked less and less often and delays no other.
 */
export function alarms({ bus, tapes, now, resumedAt, log, everyMs }: Ports) {
  const rung = new Map<string, { readonly at: number; readonly waitMs: number }>();
  let isStopped = false;
  let isRinging = false;
  let round: Promise<void> = Promise.resolve();

  async function ring(): Promise<void> {
    const at = now();
    const due = await tapes.due(at, AT_ONCE + rung.size);
    const ids = new Set(due.map(({ table, alarm }) => idOf(table, alarm)));
    for (const id of rung.keys()) if (!ids.has(id)) rung.delete(id); // no longer due
    let unsettled = [...rung.values()].filter((last) => isWithin(last.at, AGAIN_MS, at)).length;
    for (const { table, alarm } of due) {
      const id = idOf(table, alarm);
      const known = rung.get(id);
      const last = known && known.at >= resumedAt() ? known : undefined;
      if (last && isWithin(last.at, last.waitMs, at)) continue;
      if (unsettled++ >= MAX_UNSETTLED) break;
      await bus.publish(contracts.write('table.tick', { alarm }, { id, source: 'gamemaster', subject: table, at }));
      rung.set(id, { at, waitMs: last ? Math.min(MAX_AGAIN_MS, last.waitMs * 2) : AGAIN_MS });
    }
  }

  const timer = everyMs > 0 ? setInterval(look, everyMs) : undefined;
  function look(): void {
    if (isRinging || isStopped || !bus.isUp() || bus.isPaused()) return;
    isRinging = true;
    round = ring()
      .catch((error: Error) => log.warn({ err: error.message }, 'polling due alarms failed; retrying'))
      .finally(() => {
        isRinging = false;
      });
  }
  return {
    async close(): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      await round;
    },
  };
}

/** A clock that was set back must not prolong a wait. */
const isWithin = (since: number, ms: number, now: number): boolean => now >= since && now < since + ms;

const idOf = (table: string, alarm: number): string => `${table}/tick/${alarm}`;

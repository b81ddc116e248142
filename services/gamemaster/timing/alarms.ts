import { contracts } from '@maw/contracts/contracts.ts';
import type { Bus } from '@maw/bus/bus.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';

/** After this an alarm that is still due is rung again: its first ringing may have been lost with a process. Each time it waits twice as long. */
const AGAIN_MS = 5_000;
const MOST_AGAIN_MS = 600_000;
/** How many due tables are looked at in one round, besides those that are held back. */
const AT_ONCE = 500;

/**
 * Rings for every table whose alarm is due. Any number of replicas may do so: a ringing is a message whose id is made of the table and the
 * alarm, and telling the time twice changes nothing.
 * A table that cannot be woken holds nobody else back: it is rung for less and less often.
 * @param everyMs how often to look; 0 never: this replica rings for nobody
 */
export function alarms({ bus, tapes, now, log, everyMs }: { bus: Bus; tapes: Tapes; now(): number; log: Log; everyMs: number }) {
  const rung = new Map<string, { readonly at: number; readonly waitMs: number }>();
  let isStopped = false;
  let isRinging = false;
  let round: Promise<void> = Promise.resolve();

  async function ring(): Promise<void> {
    const at = now();
    const due = await tapes.due(at, AT_ONCE + rung.size);
    const ids = new Set(due.map(({ table, alarm }) => idOf(table, alarm)));
    for (const id of rung.keys()) if (!ids.has(id)) rung.delete(id); // it has moved on
    for (const { table, alarm } of due) {
      const id = idOf(table, alarm);
      const last = rung.get(id);
      // A clock that was set back would make it wait for as long as that again.
      if (last && at >= last.at && at < last.at + last.waitMs) continue;
      await bus.publish(contracts.write('table.tick', { alarm }, { id, source: 'gamemaster', subject: table, at }));
      rung.set(id, { at, waitMs: last ? Math.min(MOST_AGAIN_MS, last.waitMs * 2) : AGAIN_MS });
    }
  }

  const timer = everyMs > 0 ? setInterval(look, everyMs) : undefined;
  function look(): void {
    if (isRinging || isStopped || !bus.isUp()) return;
    isRinging = true;
    round = ring()
      .catch((error: Error) => log.warn({ err: error.message }, 'alarms could not be looked at; trying again'))
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

const idOf = (table: string, alarm: number): string => `${table}/tick/${alarm}`;

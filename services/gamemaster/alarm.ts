import { contracts } from '@maw/contracts/contracts.ts';
import type { Bus } from '@maw/bus/bus.ts';
import type { Tapes } from '@maw/store/store.ts';
import type { Log } from '@maw/telemetry/log.ts';

/** After this an alarm that is still due is rung again: its first ringing may have been lost with a process. */
const AGAIN_MS = 5_000;

/**
 * Rings for every table whose alarm is due. Any number of replicas may do so: a ringing is a message whose id is made of the table and the
 * alarm, and telling the time twice changes nothing.
 * @param everyMs how often to look
 */
export function alarms({ bus, tapes, now, log, everyMs }: { bus: Bus; tapes: Tapes; now(): number; log: Log; everyMs: number }) {
  const rung = new Map<string, number>();
  let isStopped = false;
  let round: Promise<void> = Promise.resolve();

  async function ring(): Promise<void> {
    const at = now();
    for (const [id, when] of rung) if (when + AGAIN_MS <= at) rung.delete(id);
    for (const { table, alarm } of await tapes.due(at, 500)) {
      const id = `${table}/tick/${alarm}`;
      if (rung.has(id)) continue;
      rung.set(id, at);
      await bus.publish(contracts.write('table.tick', { alarm }, { id, source: 'gamemaster', subject: table, at }));
    }
  }

  const timer = setInterval(() => {
    if (isRinging || isStopped || !bus.isUp()) return;
    isRinging = true;
    round = ring()
      .catch((error: Error) => log.warn({ err: error.message }, 'alarms could not be looked at; trying again'))
      .finally(() => {
        isRinging = false;
      });
  }, everyMs);
  let isRinging = false;

  return {
    async close(): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      await round;
    },
  };
}

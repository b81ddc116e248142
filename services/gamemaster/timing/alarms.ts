import { contracts } from '@maw/contracts/contracts.ts';
import type { Bus } from '@maw/bus/bus.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { HeartbeatMonitor } from './heartbeat.ts';

/**
 * An alarm still due after this time is rung again, each time after twice the wait: a tick may wait for a process that has died without the
 * broker knowing. Where messages wait in the queue, the tick does too: so it is rung again only after a message as old as the last one was taken.
 */
const AGAIN_MS = 1_000;
/** Alarms of tables that another replica is served first are rung when they are overdue by this, in milliseconds. */
const OTHERS_MS = 2_000;
const MAX_AGAIN_MS = 600_000;
/** How many due tables are read in one round, besides those waiting for a retry. */
const AT_ONCE = 500;
/**
 * How many alarms rung within AGAIN_MS may still be unsettled before no more are rung. After an outage the most overdue come first. Alarms that
 * ring again hold up none that ring for the first time: tables may wait for players as long as those are away.
 */
const MAX_UNSETTLED = 64;

interface Ports {
  readonly bus: Bus;
  readonly tapes: Tapes;
  now(): number;
  /** No alarm rings while it fails. At the end of an outage all alarms ring again, however long they were to wait. */
  readonly heartbeat: Pick<HeartbeatMonitor, 'resumedAt' | 'isFailing'>;
  readonly log: Log;
  /** The name of this replica, in the ids of its ticks. */
  readonly replica: string;
  /** Whether this replica is served the messages of a table first. */
  isOurs(table: string): boolean;
  /** How old the message was that was taken last, in milliseconds. */
  messageAgeMs(at: number): number;
  /** The polling interval; 0: never. */
  readonly everyMs: number;
}

/**
 * Polls for due alarms and publishes a tick for each: each replica for its own tables, and all for those long overdue: whichever tick comes second finds nothing due. Its id is made of
 * table, alarm and replica: with the same id it would be taken for the first one delivered again, and all that followed sent again. A table whose ticks fail is ticked less and less often and delays no other. Ticks are not traced: where seats speak in turns, as
 * many ticks as wolves live end a night.
 */
export function alarms({ bus, tapes, now, heartbeat, log, replica, isOurs, messageAgeMs, everyMs }: Ports) {
  const rung = new Map<string, { readonly at: number; readonly waitMs: number; readonly isFirst: boolean }>();
  let isStopped = false;
  let isRinging = false;
  let round: Promise<void> = Promise.resolve();

  async function ring(): Promise<void> {
    const at = now();
    const all = await tapes.due(at, AT_ONCE + rung.size);
    const due = all.filter(({ table, alarm }) => isOurs(table) || at - alarm > OTHERS_MS);
    const ids = new Set(due.map(({ table, alarm }) => idOf(table, alarm)));
    for (const id of rung.keys()) if (!ids.has(id)) rung.delete(id); // no longer due
    const recent = [...rung.values()].filter((last) => isWithin(last.at, AGAIN_MS, at));
    const first = recent.filter(({ isFirst }) => isFirst).length;
    const overdue = due.map(({ table, alarm }) => {
      const last = rung.get(idOf(table, alarm));
      return { table, alarm, last: last && last.at >= heartbeat.resumedAt() ? last : undefined };
    });
    const ready = overdue.filter(({ last }) => !last || !isWithin(last.at, last.waitMs, at));
    const fresh = ready.filter(({ last }) => !last).slice(0, Math.max(0, MAX_UNSETTLED - first));
    const again = ready.filter(({ last }) => last).slice(0, Math.max(0, MAX_UNSETTLED - recent.length - fresh.length));
    for (const { table, alarm, last } of [...fresh, ...again]) {
      const id = idOf(table, alarm);
      const tick = contracts.write('table.tick', { alarm }, { id: `${id}/${replica}`, source: 'gamemaster', subject: table, at });
      await untraced(() => bus.publish(tick, { isRepeat: last !== undefined }));
      const waitMs = last ? Math.min(MAX_AGAIN_MS, last.waitMs * 2) : AGAIN_MS;
      rung.set(id, { at, waitMs: Math.max(waitMs, messageAgeMs(at) + AGAIN_MS), isFirst: !last });
    }
  }

  const timer = everyMs > 0 ? setInterval(look, everyMs) : undefined;
  function look(): void {
    if (isRinging || isStopped || !bus.isUp() || bus.isPaused() || heartbeat.isFailing()) return;
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

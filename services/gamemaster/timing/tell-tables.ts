import { randomBytes } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Clock } from '@maw/service/database-clock.ts';
import type { Absence, Outage } from '@maw/store/ports/heartbeat.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { LostTime } from './time-given-back.ts';

/** After an outage this old all tables have been told, or find out when their alarm is due. */
const RECENT_MS = 60_000;
/** The shortest time between two notifications of all tables: one costs a message or more per seat, and must not itself cause the next outage. */
const TELL_EVERY_MS = 5_000;
/** Above the number of all running tables. */
const ALL_TABLES = 1_000_000;
/** How many tables are told at the same time. */
const TELL_BATCH = 50;

interface Ports {
  readonly bus: Bus;
  readonly tapes: Tapes;
  readonly clock: Clock;
  readonly log: Log;
}

/** The end of the last outage or absence, by the database's clock. */
export const resumedAt = ({ outages, absences }: LostTime): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...[outages.at(-1), absences.findLast(({ to }) => to !== null)].map((last) => last?.to ?? -Infinity));

/** Ticks all tables after lost time that they were not told of, the nearest alarm first. */
export function tableTeller({ bus, tapes, clock, log }: Ports, closing: AbortSignal) {
  const replica = randomBytes(4).toString('hex');
  /** The end of the last lost time that all tables were told of. */
  let toldUpTo = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  let telling: Promise<void> | undefined;
  const tick = (table: string, to: number) => {
    const about = { id: `${table}/outage/${to}/${replica}`, source: 'gamemaster', subject: table, at: clock.now() };
    return untraced(() => bus.publish(contracts.write('table.tick', { alarm: to }, about)));
  };
  const tickAll = async (lost: LostTime, to: number): Promise<void> => {
    try {
      const running = await tapes.due(Number.MAX_SAFE_INTEGER, ALL_TABLES);
      for (const one of [...lost.outages, ...lost.absences].filter((each) => each.to === to)) logLost(log, one, running.length);
      for (let i = 0; i < running.length && !closing.aborted; i += TELL_BATCH)
        await Promise.all(running.slice(i, i + TELL_BATCH).map(({ table }) => tick(table, to)));
      toldUpTo = to;
    } catch (error) {
      log.warn({ err: (error as Error).message }, 'not all tables were told of an outage; retrying');
      toldAt = Number.NEGATIVE_INFINITY;
    } finally {
      telling = undefined;
    }
  };
  return {
    tellIfNew(lost: LostTime, now: number): void {
      const to = resumedAt(lost);
      if (to <= toldUpTo || to <= now - RECENT_MS || telling || closing.aborted) return;
      if (now < toldAt + TELL_EVERY_MS && now >= toldAt) return;
      toldAt = now;
      telling = tickAll(lost, to);
    },
    /** Resolves when no table is being told. */
    idle: async () => telling,
  };
}

function logLost(log: Log, lost: Outage | Absence, tables: number): void {
  const { from } = lost;
  const about = { from, to: lost.to, ms: lost.to === null ? 0 : lost.to - from, tables };
  if ('queue' in lost) log.warn({ ...about, queue: lost.queue }, 'a queue had no consumers; tables that need them get the time back');
  else log.warn(about, 'outage detected; running tables get the time back');
}

import { randomBytes } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Outage, Heartbeat } from '@maw/store/ports/heartbeat.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { Clock, Mark } from '@maw/service/database-clock.ts';

/** Beats, and knows the outages in which no gamemaster could work. */
export interface HeartbeatMonitor {
  /**
   * The outages so far, the oldest first. Nothing that depends on the time may be decided without them.
   * @throws when they cannot be known: the broker or the database is unreachable
   */
  outages(): Promise<readonly Outage[]>;
  /** Resolves after the first beat, successful or not; never rejects. While the bus is paused there is none. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** For a gamemaster that knows no outages. */
export const noHeartbeat: HeartbeatMonitor = {
  outages: () => Promise.resolve([]),
  begin: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** So many missed beats of all replicas together are an outage. */
const MISSED_BEATS = 5;
/** After an outage this old all tables have been told, or find out when their alarm is due. */
const RECENT_MS = 60_000;
/** Above the number of all running tables. */
const ALL_TABLES = 1_000_000;
/** How many tables are told at the same time. */
const TELL_BATCH = 100;

interface Ports {
  readonly pulse: Heartbeat;
  readonly bus: Bus;
  readonly tapes: Tapes;
  /** Set by every beat. */
  readonly clock: Clock;
  readonly log: Log;
  /** The interval between beats, in milliseconds. */
  readonly everyMs: number;
}

interface Monitor extends Ports {
  /** A longer silence of all replicas is an outage. */
  readonly maxSilenceMs: number;
  readonly replica: string;
  isStopped: boolean;
  isHealthy: boolean;
  /** When the last successful beat was sent. */
  beatAt: Mark | undefined;
  outages: readonly Outage[];
  /** The end of the last outage that all tables were told of. */
  toldUpTo: number;
  beating: Promise<readonly Outage[]> | undefined;
  telling: Promise<void> | undefined;
}

/**
 * Beats while this gamemaster reaches both broker and database. The first beat after an outage records it; every replica that finds a new one
 * ticks all tables, so that they get their time back at once and not only at their next alarm. Ticking twice changes nothing.
 */
export function heartbeatMonitor(ports: Ports): HeartbeatMonitor {
  const monitor: Monitor = {
    ...ports,
    maxSilenceMs: ports.everyMs * MISSED_BEATS,
    replica: randomBytes(4).toString('hex'),
    isStopped: false,
    isHealthy: true,
    beatAt: undefined,
    outages: [],
    toldUpTo: Number.NEGATIVE_INFINITY,
    beating: undefined,
    telling: undefined,
  };
  const timer = setInterval(() => {
    if (!monitor.isStopped && !monitor.beating && isWorking(monitor.bus)) void beatOrWarn(monitor);
  }, ports.everyMs);
  return {
    async outages() {
      if (isFresh(monitor)) return monitor.outages;
      await monitor.beating?.catch(() => {}); // it may have been sent long ago
      return isFresh(monitor) ? monitor.outages : beat(monitor);
    },
    begin: () => (isWorking(monitor.bus) ? beatOrWarn(monitor) : Promise.resolve()),
    async close() {
      monitor.isStopped = true;
      clearInterval(timer);
      await monitor.beating?.catch(() => {});
      await monitor.telling;
    },
  };
}

/** A gamemaster that consumes nothing keeps no table going. */
const isWorking = (bus: Bus): boolean => bus.isUp() && !bus.isPaused();

/** An outage after the last beat lasts longer than `maxSilenceMs`: until then there is none. Half of it leaves time to act. */
const isFresh = ({ beatAt, clock, maxSilenceMs }: Monitor): boolean => beatAt !== undefined && clock.since(beatAt) <= maxSilenceMs / 2;

/** Concurrent callers share one beat. */
const beat = (monitor: Monitor): Promise<readonly Outage[]> =>
  (monitor.beating ??= sendBeat(monitor).finally(() => {
    monitor.beating = undefined;
  }));

async function sendBeat(monitor: Monitor): Promise<readonly Outage[]> {
  const { bus, clock, pulse } = monitor;
  if (!bus.isUp()) throw new Error('broker unreachable: nothing is decided while no message can be sent');
  const asked = clock.mark();
  const { now, outages } = await pulse.beat(monitor.maxSilenceMs);
  clock.learn(asked, now);
  monitor.outages = outages;
  monitor.beatAt = asked;
  const last = outages.at(-1);
  if (last && last.to > monitor.toldUpTo && last.to > now - RECENT_MS) monitor.telling ??= tickAllTables(monitor, last);
  return outages;
}

async function beatOrWarn(monitor: Monitor): Promise<void> {
  try {
    await beat(monitor);
    monitor.isHealthy = true;
  } catch (error) {
    if (monitor.isHealthy) monitor.log.warn({ err: (error as Error).message }, 'heartbeat failed; retrying');
    monitor.isHealthy = false;
  }
}

async function tickAllTables(monitor: Monitor, { from, to }: Outage): Promise<void> {
  const { tapes, bus, clock, log, replica } = monitor;
  const tick = (table: string) => {
    const about = { id: `${table}/outage/${to}/${replica}`, source: 'gamemaster', subject: table, at: clock.now() };
    return bus.publish(contracts.write('table.tick', { alarm: to }, about));
  };
  try {
    const running = await tapes.due(Number.MAX_SAFE_INTEGER, ALL_TABLES);
    log.warn({ from, to, ms: to - from, tables: running.length }, 'outage detected; tables that lost a turn get the time back');
    for (let i = 0; i < running.length && !monitor.isStopped; i += TELL_BATCH)
      await Promise.all(running.slice(i, i + TELL_BATCH).map(({ table }) => tick(table)));
    monitor.toldUpTo = to;
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'not all tables were told of an outage; retrying');
  } finally {
    monitor.telling = undefined;
  }
}

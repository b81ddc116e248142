import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '@maw/async/timeout.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Absence, Heartbeat, HeartbeatReply, Outage } from '@maw/store/ports/heartbeat.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { Clock, Mark } from '@maw/service/database-clock.ts';
import { type Consumers, consumers, WATCHED } from './consumers.ts';
import { hideTimeLost, showTimeLost } from './lost-time-metrics.ts';
import type { LostTime } from './time-given-back.ts';

/** Beats, and knows the times in which nothing could be decided or answered. */
export interface HeartbeatMonitor {
  /**
   * The outages and absences so far. Nothing that depends on the time may be decided without them. Waits while the broker or the database
   * takes nothing.
   * @throws when they cannot be known after WAIT_MS, or this is closed
   */
  lostTime(): Promise<LostTime>;
  /** The end of the last outage or absence, by the database's clock. */
  resumedAt(): number;
  /** To be called for each sign of life of a consumer, and each failed append of another gamemaster. */
  hear(news: Message<'service.alive' | 'tape.failed'>): void;
  /** To be called when an append failed for another reason than a conflict: nothing is decided until a probe has succeeded. */
  appendFailed(): void;
  /** @throws Error with the reason when this gamemaster cannot beat */
  check(): void;
  /** Whether the last beat failed. */
  isFailing(): boolean;
  /** Resolves after the first beat, successful or not; never rejects. While the bus is paused there is none. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** For a gamemaster that knows no outages. */
export const noHeartbeat: HeartbeatMonitor = {
  lostTime: () => Promise.resolve({ outages: [], absences: [] }),
  resumedAt: () => Number.NEGATIVE_INFINITY,
  hear: () => undefined,
  appendFailed: () => undefined,
  check: () => undefined,
  isFailing: () => false,
  begin: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** This many consecutive beats missed by all replicas are an outage. */
const MISSED_BEATS = 5;
/** How many beats may be under way one interval after another. Further ones start at half of the longest silence: a slow answer is no outage. */
const MAX_PROMPT = 3;
/** How many beats may be under way at all. */
const MAX_IN_FLIGHT = 10;
/** How long a beat may take. */
const BEAT_MS = 5_000;
/** How long a decision waits for a beat before its message is retried. */
const WAIT_MS = 10_000;
const RETRY_MS = 200;
/** After an outage this old all tables have been told, or find out when their alarm is due. */
const RECENT_MS = 60_000;
/** The shortest time between two notifications of all tables: one costs a message or more per seat, and must not itself cause the next outage. */
const TELL_EVERY_MS = 5_000;
/** Above the number of all running tables. */
const ALL_TABLES = 1_000_000;
/** How many tables are told at the same time. */
const TELL_BATCH = 50;

interface Ports {
  readonly heartbeat: Heartbeat;
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
  readonly consumers: Consumers;
  isStopped: boolean;
  /** Why the last beat failed. */
  failure: Error | undefined;
  /** When the last successful beat was sent. */
  beatAt: Mark | undefined;
  lost: LostTime;
  /** How many appends have failed, and how many of them had failed when a probe last succeeded. */
  failedAppends: number;
  probedAppends: number;
  /** The end of the last outage or absence that all tables were told of. */
  toldUpTo: number;
  toldAt: number;
  inFlight: number;
  /** When a beat was last started, by a monotonic clock in milliseconds. */
  startedAt: number;
  /** The beat that was started last, while it is under way. */
  latest: Promise<LostTime> | undefined;
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
    consumers: consumers(() => ports.clock.mark().steady),
    isStopped: false,
    failure: undefined,
    beatAt: undefined,
    lost: { outages: [], absences: [] },
    failedAppends: 0,
    probedAppends: 0,
    toldUpTo: Number.NEGATIVE_INFINITY,
    toldAt: Number.NEGATIVE_INFINITY,
    inFlight: 0,
    startedAt: Number.NEGATIVE_INFINITY,
    latest: undefined,
    telling: undefined,
  };
  const timer = setInterval(() => {
    if (!monitor.isStopped && isDue(monitor) && isWorking(monitor.bus)) void beat(monitor).catch(() => undefined);
  }, ports.everyMs);
  return {
    lostTime: () => lostTime(monitor),
    resumedAt: () => resumedAt(monitor),
    hear: (news) => hear(monitor, news),
    appendFailed: () => appendFailed(monitor),
    check() {
      if (monitor.failure) throw new Error(`no heartbeat: ${monitor.failure.message}`);
    },
    isFailing: () => monitor.failure !== undefined,
    begin: async () => void (isWorking(monitor.bus) && (await beat(monitor).catch(() => undefined))),
    async close() {
      monitor.isStopped = true;
      clearInterval(timer);
      await monitor.latest?.catch(() => undefined);
      await monitor.telling;
      hideTimeLost();
    },
  };
}

function hear(monitor: Monitor, news: Message<'service.alive' | 'tape.failed'>): void {
  if (news.type === 'service.alive') monitor.consumers.hear(news.source, news.data.replica);
  else if (isProbed(monitor)) monitor.failedAppends++;
}

/** Tells the other gamemasters: as long as one of them beat, there would be no outage, though it could not append either. */
function appendFailed(monitor: Monitor): void {
  const { bus, clock } = monitor;
  const isNew = isProbed(monitor);
  monitor.failedAppends++;
  if (!isNew) return;
  const news = contracts.write('tape.failed', {}, { id: randomUUID(), source: 'gamemaster', subject: '-', at: clock.now() });
  void untraced(() => bus.publish(news)).catch(() => undefined); // without a broker nobody beats anyway
}

const isDue = ({ inFlight, startedAt, maxSilenceMs }: Monitor): boolean =>
  inFlight < MAX_PROMPT || (inFlight < MAX_IN_FLIGHT && performance.now() - startedAt >= maxSilenceMs / 2);

/** A gamemaster that consumes nothing keeps no table going. */
const isWorking = (bus: Bus): boolean => bus.isUp() && !bus.isPaused();

async function lostTime(monitor: Monitor): Promise<LostTime> {
  const patientUntil = performance.now() + WAIT_MS;
  for (;;) {
    await monitor.latest?.catch(() => undefined); // it may have been sent long ago
    if (isFresh(monitor)) return monitor.lost;
    const lost = await (monitor.latest ?? beat(monitor)).catch((error: Error) => error);
    if (!(lost instanceof Error) && isProbed(monitor)) return lost;
    const failure = lost instanceof Error ? lost : new Error('appends keep failing');
    if (monitor.isStopped || performance.now() > patientUntil) throw failure;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}

/** An outage after the last beat lasts longer than `maxSilenceMs`: until then there is none. Half of it leaves time to act. */
const isFresh = (monitor: Monitor): boolean =>
  monitor.beatAt !== undefined && isProbed(monitor) && monitor.clock.since(monitor.beatAt) <= monitor.maxSilenceMs / 2;

/** Whether tapes could be appended to since the last append that failed. */
const isProbed = ({ failedAppends, probedAppends }: Monitor): boolean => probedAppends >= failedAppends;

const resumedAt = ({ lost: { outages, absences } }: Monitor): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...[outages.at(-1), absences.findLast(({ to }) => to !== null)].map((last) => last?.to ?? -Infinity));

/** Sends a beat. Its failure is logged, and shown until the next success. */
function beat(monitor: Monitor): Promise<LostTime> {
  const work = (signal: AbortSignal): Promise<LostTime> => {
    monitor.inFlight++;
    monitor.startedAt = performance.now();
    return sendBeat(monitor, signal).finally(() => void monitor.inFlight--);
  };
  const beating = withTimeout(BEAT_MS, work, { what: 'the heartbeat', unref: true })
    .catch((error: Error) => {
      if (!monitor.failure) monitor.log.warn({ err: error.message }, 'heartbeat failed; retrying');
      monitor.failure = error;
      throw error;
    })
    .finally(() => {
      if (monitor.latest === beating) monitor.latest = undefined;
    });
  return (monitor.latest = beating);
}

/**
 * The broker confirms a message, and then the database writes: so both have worked since the beat was sent. After a failed append the
 * database has to show that tapes can be appended to, because this row is overwritten in place also on a full disk.
 */
async function sendBeat(monitor: Monitor, signal: AbortSignal): Promise<LostTime> {
  const { bus, clock, heartbeat, failedAppends } = monitor;
  if (!bus.isUp()) throw new Error('broker unreachable: nothing is decided while no message can be sent');
  const counts = await bus.probe(WATCHED, signal);
  const asked = clock.mark();
  const reply = await heartbeat.beat(monitor.maxSilenceMs, {
    consumed: monitor.consumers.consumed(counts),
    isProbe: !isProbed(monitor),
  });
  monitor.probedAppends = Math.max(monitor.probedAppends, failedAppends);
  monitor.failure = undefined;
  clock.learn(asked, reply.now);
  if (monitor.beatAt && monitor.beatAt.steady > asked.steady) return monitor.lost; // a later beat was faster
  monitor.lost = lostTimeOf(reply);
  monitor.beatAt = asked;
  showTimeLost(monitor.lost, reply.now);
  tellIfNew(monitor, reply.now);
  return monitor.lost;
}

/** The lost time that a heartbeat tells of. During an outage nobody could see a consumer: that is no absence. */
export function lostTimeOf({ outages, absences }: Pick<HeartbeatReply, 'outages' | 'absences'>): LostTime {
  const isOutage = ({ from, to }: Absence): boolean => to !== null && outages.some((outage) => outage.from <= from && to <= outage.to);
  return { outages, absences: absences.filter((absence) => WATCHED.some((queue) => queue === absence.queue) && !isOutage(absence)) };
}

function tellIfNew(monitor: Monitor, now: number): void {
  const to = resumedAt(monitor);
  if (to <= monitor.toldUpTo || to <= now - RECENT_MS || monitor.telling || monitor.isStopped) return;
  if (now < monitor.toldAt + TELL_EVERY_MS && now >= monitor.toldAt) return;
  monitor.toldAt = now;
  monitor.telling = tickAllTables(monitor, to);
}

/** Ticks all tables, the nearest alarm first. */
async function tickAllTables(monitor: Monitor, to: number): Promise<void> {
  const { tapes, bus, clock, log, replica, lost } = monitor;
  const tick = (table: string) => {
    const about = { id: `${table}/outage/${to}/${replica}`, source: 'gamemaster', subject: table, at: clock.now() };
    return untraced(() => bus.publish(contracts.write('table.tick', { alarm: to }, about)));
  };
  try {
    const running = await tapes.due(Number.MAX_SAFE_INTEGER, ALL_TABLES);
    for (const one of [...lost.outages, ...lost.absences].filter((each) => each.to === to)) logLost(log, one, running.length);
    for (let i = 0; i < running.length && !monitor.isStopped; i += TELL_BATCH)
      await Promise.all(running.slice(i, i + TELL_BATCH).map(({ table }) => tick(table)));
    monitor.toldUpTo = to;
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'not all tables were told of an outage; retrying');
    monitor.toldAt = Number.NEGATIVE_INFINITY;
  } finally {
    monitor.telling = undefined;
  }
}

function logLost(log: Log, lost: Outage | Absence, tables: number): void {
  const { from } = lost;
  const about = { from, to: lost.to, ms: lost.to === null ? 0 : lost.to - from, tables };
  if ('queue' in lost) log.warn({ ...about, queue: lost.queue }, 'a queue had no consumers; tables that need them get the time back');
  else log.warn(about, 'outage detected; running tables get the time back');
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '@maw/async/timeout.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Absence, Heartbeat, HeartbeatReply } from '@maw/store/ports/heartbeat.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { Clock, Mark } from '@maw/service/database-clock.ts';
import { type Consumers, consumers, WATCHED } from './consumers.ts';
import { resumedAt, tableTeller } from './tell-tables.ts';
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
/** The lost time that is shown. */
const WINDOW_MS = 600_000;
const CAUSES = ['outage', ...WATCHED];

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
  readonly consumers: Consumers;
  readonly tables: ReturnType<typeof tableTeller>;
  readonly closing: AbortController;
  readonly beats: Beats;
  readonly appends: Appends;
}

/** Written by `beat` and `sendBeat`. */
interface Beats {
  /** Why the last one failed. */
  failure: Error | undefined;
  /** When the last successful one was sent. */
  sentAt: Mark | undefined;
  lost: LostTime;
  /** How many appends had failed when a probe last succeeded. */
  probedAppends: number;
  inFlight: number;
  /** When one was last started, by a monotonic clock in milliseconds. */
  startedAt: number;
  /** The one that was started last, while it is under way. */
  latest: Promise<LostTime> | undefined;
}

/** Written by `hear` and `appendFailed`. */
interface Appends {
  failed: number;
}

/**
 * Beats while this gamemaster reaches both broker and database. The first beat after an outage records it; every replica that finds a new one
 * ticks all tables, so that they get their time back at once and not only at their next alarm. Ticking twice changes nothing.
 */
export function heartbeatMonitor(ports: Ports): HeartbeatMonitor {
  const closing = new AbortController();
  const monitor: Monitor = {
    ...ports,
    maxSilenceMs: ports.everyMs * MISSED_BEATS,
    consumers: consumers(() => ports.clock.mark().steady),
    tables: tableTeller(ports, closing.signal),
    closing,
    beats: {
      failure: undefined,
      sentAt: undefined,
      lost: { outages: [], absences: [] },
      probedAppends: 0,
      inFlight: 0,
      startedAt: Number.NEGATIVE_INFINITY,
      latest: undefined,
    },
    appends: { failed: 0 },
  };
  const { beats, tables, bus } = monitor;
  const timer = setInterval(() => {
    if (!closing.signal.aborted && isDue(monitor) && isWorking(bus)) void beat(monitor).catch(() => undefined);
  }, ports.everyMs);
  return {
    lostTime: () => lostTime(monitor),
    resumedAt: () => resumedAt(beats.lost),
    hear: (news) => hear(monitor, news),
    appendFailed: () => appendFailed(monitor),
    check() {
      if (beats.failure) throw new Error(`no heartbeat: ${beats.failure.message}`);
    },
    isFailing: () => beats.failure !== undefined,
    begin: async () => void (isWorking(bus) && (await beat(monitor).catch(() => undefined))),
    async close() {
      closing.abort();
      clearInterval(timer);
      await beats.latest?.catch(() => undefined);
      await tables.idle();
      hideTimeLost();
    },
  };
}

function hear(monitor: Monitor, news: Message<'service.alive' | 'tape.failed'>): void {
  if (news.type === 'service.alive') monitor.consumers.hear(news.source, news.data.replica);
  else if (isProbed(monitor)) monitor.appends.failed++;
}

/** Tells the other gamemasters: as long as one of them beat, there would be no outage, though it could not append either. */
function appendFailed(monitor: Monitor): void {
  const { bus, clock } = monitor;
  const isNew = isProbed(monitor);
  monitor.appends.failed++;
  if (!isNew) return;
  const news = contracts.write('tape.failed', {}, { id: randomUUID(), source: 'gamemaster', subject: '-', at: clock.now() });
  void untraced(() => bus.publish(news)).catch(() => undefined); // without a broker nobody beats anyway
}

const isDue = ({ beats: { inFlight, startedAt }, maxSilenceMs }: Monitor): boolean =>
  inFlight < MAX_PROMPT || (inFlight < MAX_IN_FLIGHT && performance.now() - startedAt >= maxSilenceMs / 2);

/** A gamemaster that consumes nothing keeps no table going. */
const isWorking = (bus: Bus): boolean => bus.isUp() && !bus.isPaused();

async function lostTime(monitor: Monitor): Promise<LostTime> {
  const { beats, closing } = monitor;
  const patientUntil = performance.now() + WAIT_MS;
  for (;;) {
    await beats.latest?.catch(() => undefined); // it may have been sent long ago
    if (isFresh(monitor)) return beats.lost;
    const lost = await (beats.latest ?? beat(monitor)).catch((error: Error) => error);
    if (!(lost instanceof Error) && isProbed(monitor)) return lost;
    const failure = lost instanceof Error ? lost : new Error('appends keep failing');
    if (closing.signal.aborted || performance.now() > patientUntil) throw failure;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}

/** An outage after the last beat lasts longer than `maxSilenceMs`: until then there is none. Half of it leaves time to act. */
const isFresh = (monitor: Monitor): boolean => {
  const { beats, clock, maxSilenceMs } = monitor;
  return beats.sentAt !== undefined && isProbed(monitor) && clock.since(beats.sentAt) <= maxSilenceMs / 2;
};

/** Whether tapes could be appended to since the last append that failed. */
const isProbed = ({ appends, beats }: Monitor): boolean => beats.probedAppends >= appends.failed;

/** Sends a beat. Its failure is logged, and shown until the next success. */
function beat(monitor: Monitor): Promise<LostTime> {
  const { beats, log } = monitor;
  const work = (signal: AbortSignal): Promise<LostTime> => {
    beats.inFlight++;
    beats.startedAt = performance.now();
    return sendBeat(monitor, signal).finally(() => void beats.inFlight--);
  };
  const beating = withTimeout(BEAT_MS, work, { what: 'the heartbeat', unref: true })
    .catch((error: Error) => {
      if (!beats.failure) log.warn({ err: error.message }, 'heartbeat failed; retrying');
      beats.failure = error;
      throw error;
    })
    .finally(() => {
      if (beats.latest === beating) beats.latest = undefined;
    });
  return (beats.latest = beating);
}

/**
 * The broker confirms a message, and then the database writes: so both have worked since the beat was sent. After a failed append the
 * database has to show that tapes can be appended to, because this row is overwritten in place also on a full disk.
 */
async function sendBeat(monitor: Monitor, signal: AbortSignal): Promise<LostTime> {
  const { bus, clock, heartbeat, beats, tables, consumers: judge } = monitor;
  const { failed } = monitor.appends;
  if (!bus.isUp()) throw new Error('broker unreachable: nothing is decided while no message can be sent');
  const counts = await bus.probe(WATCHED, signal);
  const asked = clock.mark();
  const reply = await heartbeat.beat(monitor.maxSilenceMs, { consumed: judge.consumed(counts), isProbe: !isProbed(monitor) });
  beats.probedAppends = Math.max(beats.probedAppends, failed);
  beats.failure = undefined;
  clock.learn(asked, reply.now);
  if (beats.sentAt && beats.sentAt.steady > asked.steady) return beats.lost; // a later beat was faster
  beats.lost = lostTimeOf(reply);
  beats.sentAt = asked;
  showTimeLost(beats.lost, reply.now);
  tables.tellIfNew(beats.lost, reply.now);
  return beats.lost;
}

/** The lost time that a heartbeat tells of. During an outage nobody could see a consumer: that is no absence. */
export function lostTimeOf({ outages, absences }: Pick<HeartbeatReply, 'outages' | 'absences'>): LostTime {
  const isOutage = ({ from, to }: Absence): boolean => to !== null && outages.some((outage) => outage.from <= from && to <= outage.to);
  return { outages, absences: absences.filter((absence) => WATCHED.some((queue) => queue === absence.queue) && !isOutage(absence)) };
}

/** Shows how much time was lost within the last ten minutes. The losses are those of the store: a restarted gamemaster shows the same. */
export function showTimeLost({ outages, absences }: LostTime, now: number): void {
  const losses = [...outages.map((outage) => ({ ...outage, queue: 'outage' })), ...absences];
  for (const cause of CAUSES) {
    const own = losses.filter(({ queue }) => queue === cause);
    const ms = own.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - Math.max(from, now - WINDOW_MS)), 0);
    metrics.timeLost.set({ service: 'gamemaster', cause }, ms / 1000);
  }
}

export function hideTimeLost(): void {
  for (const cause of CAUSES) metrics.timeLost.remove({ service: 'gamemaster', cause });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '@maw/async/timeout.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type Clock, databaseClock, type MachineClocks } from './database-clock.ts';

/** The database's clock, as a service uses it in place of the machine's. */
export interface WatchedClock {
  readonly clock: Clock;
  now(): number;
  /**
   * Pauses the consumers of a bus while the machine's clock is wrong: at once, and at every later change.
   * @returns once they are paused, if they have to be
   */
  guard(consumers: Consumers): Promise<void>;
  /**
   * For `/readyz`. Without guarded consumers a wrong clock is a remark: nothing is judged by it, and nothing would have to stop.
   * @throws Error while the machine's clock is wrong and consumers are guarded
   */
  check(): string | void;
  /** Whether the database has answered lately: without it, this service cannot work. */
  isFresh(): boolean;
  close(): void;
}

/** What stops while the clock is wrong; a bus. */
interface Consumers {
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface WatchClockOptions extends Partial<MachineClocks> {
  readonly service: string;
  /** Reads the database's clock, in milliseconds since the epoch. Without a database the machine's clock is used, unwatched. */
  readonly read: (() => Promise<number>) | undefined;
  /** Whether the service starts without a first reading, by the machine's clock. Default: no. */
  readonly isOptional?: boolean;
  readonly log: Log;
  /** The interval between readings, in milliseconds. */
  readonly everyMs?: number;
}

/** A machine's clock is wrong beyond this difference to the database's, and right again within half of it. */
const MAX_DIFFERENCE_MS = 1_000;
const READ_EVERY_MS = 1_000;
/** A reading counts as recent for so long, in milliseconds: two may fail or be slow. */
const FRESH_MS = 3_000;
/** How long the first reading may take before that is logged, or the start goes on without it, in milliseconds. */
const FIRST_READING_MS = 2_000;

interface Watch {
  readonly service: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly read: (() => Promise<number>) | undefined;
  readonly guarded: Set<Consumers>;
  /** When the last successful reading began, by the monotonic clock. */
  readAt: number;
  /** What is wrong with the clock; undefined while it is right. */
  fault: string | undefined;
  /** Whether the consumers are paused. */
  isPaused: boolean;
  reading: Promise<void> | undefined;
  changing: Promise<void> | undefined;
}

/**
 * Compares the machine's clock with the database's once a second. The difference says that a time server is missing or wrong; what the
 * service decides goes by the database's clock in any case. While the database does not answer, nothing changes.
 * Resolves after the first reading.
 */
export async function watchClock(options: WatchClockOptions): Promise<WatchedClock> {
  const { service, read, log, isOptional = false, everyMs = READ_EVERY_MS, wall = Date.now, steady = () => performance.now() } = options;
  const clock = databaseClock({ wall, steady });
  const watch: Watch = {
    service,
    clock,
    log,
    read,
    guarded: new Set(),
    readAt: Number.NEGATIVE_INFINITY,
    fault: undefined,
    isPaused: false,
    reading: undefined,
    changing: undefined,
  };
  const timer = await startReading(watch, everyMs, isOptional);
  return {
    clock,
    now: clock.now,
    async guard(consumers) {
      watch.guarded.add(consumers);
      await watch.changing;
      if (watch.isPaused) await consumers.pause();
    },
    check() {
      const { fault, guarded } = watch;
      if (guarded.size === 0) return fault === undefined ? undefined : `${fault}; set it`;
      if (fault !== undefined) throw new Error(`${fault}: no messages are consumed; set it`);
      if (watch.isPaused) throw new Error('the clock of this machine was wrong: consuming is not resumed yet');
      return undefined;
    },
    isFresh: () => !read || clock.mark().steady - watch.readAt <= FRESH_MS,
    close() {
      clearInterval(timer);
      metrics.clockAhead.remove({ service });
    },
  };
}

async function startReading(watch: Watch, everyMs: number, isOptional: boolean): Promise<NodeJS.Timeout | undefined> {
  const { read, clock, log } = watch;
  if (!read) {
    log.warn({}, 'no database: deadlines are judged by the clock of this machine');
    return undefined;
  }
  await withTimeout(FIRST_READING_MS, compare(watch), { onTimeout: () => undefined });
  if (clock.aheadMs() === undefined) log.warn({ isOptional }, 'the clock of the database cannot be read; retrying');
  while (!isOptional && clock.aheadMs() === undefined) {
    await sleep(everyMs);
    await compare(watch);
  }
  return setInterval(() => void compare(watch), everyMs).unref();
}

/** One reading at a time. Never rejects. */
const compare = (watch: Watch): Promise<void> =>
  (watch.reading ??= readClock(watch).finally(() => {
    watch.reading = undefined;
  }));

async function readClock(watch: Watch): Promise<void> {
  const { service, clock, read } = watch;
  const asked = clock.mark();
  try {
    clock.learn(asked, await read!());
    watch.readAt = asked.steady;
  } catch {
    metrics.clockAhead.remove({ service }); // an outdated value would be misleading; the check of the database says why
    return;
  }
  const aheadMs = clock.aheadMs()!;
  metrics.clockAhead.set({ service }, aheadMs / 1000);
  judge(watch, aheadMs);
  watch.changing ??= applyTo(watch).finally(() => {
    watch.changing = undefined;
  });
}

function judge(watch: Watch, aheadMs: number): void {
  const { log } = watch;
  const wasWrong = watch.fault !== undefined;
  const isWrong = Math.abs(aheadMs) > (wasWrong ? MAX_DIFFERENCE_MS / 2 : MAX_DIFFERENCE_MS);
  watch.fault = isWrong ? faultOf(aheadMs) : undefined;
  const about = { aheadMs: Math.round(aheadMs) };
  if (isWrong && !wasWrong) log.warn(about, 'clock of this machine differs from the database; set it');
  if (wasWrong && !isWrong) log.info(about, 'clock of this machine is right again');
}

/** Pauses or resumes the guarded consumers, if they have to be. What fails is tried again after the next reading. */
async function applyTo(watch: Watch): Promise<void> {
  const isPausing = watch.fault !== undefined;
  if (watch.isPaused === isPausing) return;
  try {
    await Promise.all([...watch.guarded].map((consumers) => (isPausing ? consumers.pause() : consumers.resume())));
    watch.isPaused = isPausing;
  } catch (err) {
    watch.log.error({ err }, isPausing ? 'pausing consumers failed; retrying' : 'resuming consumers failed; retrying');
  }
}

const faultOf = (aheadMs: number): string => {
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this machine is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${side} that of the database`;
};

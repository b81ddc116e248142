import { randomBytes } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Outage, Heartbeat } from '@maw/store/ports/heartbeat.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Clock, Mark } from './clock.ts';

/** What this replica knows of the times in which no gamemaster could work. */
export interface HeartbeatMonitor {
  /**
   * The outages until now, the oldest first. Nothing that depends on the time may be decided without them.
   * @throws when that cannot be known: the broker or the database is away
   */
  outages(): Promise<readonly Outage[]>;
  /** Resolves when the first beat is written down, or cannot be for now; never rejects. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** For a gamemaster whose clock is all that counts. */
export const noHeartbeat: HeartbeatMonitor = {
  outages: () => Promise.resolve([]),
  begin: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** An outage is when the pulse, all replicas' together, has been due so often in vain. */
const MISSED = 5;
/** A clock of this machine that differs by more from the database's is worth a word: other services compare deadlines with theirs. */
const ASTRAY_MS = 2_000;
/** Of an outage that was over so long ago all tables have been told, or will find out when their alarm rings. */
const NEWS_MS = 60_000;
/** More tables than will ever wait for something at once. */
const EVERY_TABLE = 1_000_000;
/** How many tables are told at once. */
const AT_ONCE = 100;

interface Ports {
  readonly pulse: Heartbeat;
  readonly bus: Bus;
  readonly tapes: Tapes;
  /** Learns the time from every beat. */
  readonly clock: Clock;
  readonly log: Log;
  /** How often it beats, in milliseconds. */
  readonly everyMs: number;
}

/**
 * Beats for as long as this gamemaster has both broker and database. Who beats first after an outage writes it down; everybody who finds it
 * tells all tables the time, so that those that lost some get it back at once and not only when their alarm rings. To be told twice changes
 * nothing.
 */
export function heartbeatMonitor({ pulse, bus, tapes, clock, log, everyMs }: Ports): HeartbeatMonitor {
  const longestMs = everyMs * MISSED;
  const replica = randomBytes(4).toString('hex');
  let isStopped = false;
  let isWell = true;
  let isAstray = false;
  let beatAt: Mark | undefined;
  let known: readonly Outage[] = [];
  let toldUpTo = Number.NEGATIVE_INFINITY;
  let beating: Promise<readonly Outage[]> | undefined;
  let telling: Promise<void> | undefined;

  // An outage after the last beat is longer than `longestMs`: before that has passed there has been none.
  const isFresh = (): boolean => beatAt !== undefined && clock.since(beatAt) <= longestMs / 2;

  const beat = (): Promise<readonly Outage[]> =>
    (beating ??= beatOnce().finally(() => {
      beating = undefined;
    }));

  async function beatOnce(): Promise<readonly Outage[]> {
    if (!bus.isUp()) throw new Error('the broker cannot be reached: nothing is decided while nobody could be told');
    const asked = clock.mark();
    const { now, outages } = await pulse.beat(longestMs);
    compare(clock.learn(asked, now));
    known = outages;
    beatAt = asked;
    const last = known.at(-1);
    if (last && last.to > toldUpTo && last.to > now - NEWS_MS) telling ??= tell(last);
    return known;
  }

  function compare(aheadMs: number): void {
    metrics.clockAhead.set({ service: 'gamemaster' }, aheadMs / 1000);
    const differs = Math.abs(aheadMs) > ASTRAY_MS;
    if (differs && !isAstray)
      log.warn(
        { aheadMs: Math.round(aheadMs) },
        'the clock of this machine differs from the one of the database, by which tables are played: set it',
      );
    isAstray = differs;
  }

  /** What is not known any more is not shown. */
  const forgetClock = (): void => metrics.clockAhead.remove({ service: 'gamemaster' });

  async function tell(outage: Outage): Promise<void> {
    try {
      const { from, to } = outage;
      const running = await tapes.due(Number.MAX_SAFE_INTEGER, EVERY_TABLE);
      log.warn({ from, to, ms: to - from, tables: running.length }, 'nobody could act for a while: tables that lost a turn get it back');
      for (let i = 0; i < running.length && !isStopped; i += AT_ONCE)
        await Promise.all(running.slice(i, i + AT_ONCE).map(({ table }) => bus.publish(tickOf(table, to))));
      toldUpTo = to;
    } catch (error) {
      log.warn({ err: (error as Error).message }, 'not all tables could be told of an outage; trying again');
    } finally {
      telling = undefined;
    }
  }

  const tickOf = (table: string, alarm: number) =>
    contracts.write(
      'table.tick',
      { alarm },
      { id: `${table}/outage/${alarm}/${replica}`, source: 'gamemaster', subject: table, at: clock.now() },
    );

  const timer = setInterval(() => {
    if (isStopped || beating || !bus.isUp()) return;
    void beatOrWarn();
  }, everyMs);

  async function beatOrWarn(): Promise<void> {
    try {
      await beat();
      isWell = true;
    } catch (error) {
      forgetClock();
      if (isWell) log.warn({ err: (error as Error).message }, 'the pulse cannot be written down; trying again');
      isWell = false;
    }
  }

  return {
    async outages() {
      if (isFresh()) return known;
      await beating?.catch(() => {}); // it may have been on its way for long
      return isFresh() ? known : beat();
    },
    begin: beatOrWarn,
    async close() {
      isStopped = true;
      clearInterval(timer);
      await beating?.catch(() => {});
      await telling;
      forgetClock();
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Findings } from './audit/table-audits.ts';
import { answeredOrLate, noneDiedAlone, onlyPlantedDead, queuesEmpty } from './audit/system-audits.ts';
import { type TableAuditor, tableAuditor } from './audit/table-auditor.ts';
import { deadLetters, leftovers, plantUnreadable, queueLengths, unrouted } from './audit/evidence.ts';
import { slotsLost } from './audit/slot-probe.ts';
import type { Report } from './report.ts';
import { type Plan, scheduleOf } from './fault-schedule.ts';
import type { Fault } from './faults.ts';
import { setStage, type Stage, type StageOptions } from './stage.ts';
import { MODELS, SLOTS, STORING } from './supervised-system.ts';

export interface ChaosOptions extends StageOptions, Omit<Plan, 'processes' | 'clocks' | 'proxies'> {
  /** Tables in play at once. */
  readonly tables: number;
  /** Whether a table that is over is replaced by another while faults are injected. */
  readonly isOngoing: boolean;
  /** How long all players are cut off before the other faults begin; 0: not at all. */
  readonly absenceMs: number;
}

/** How many tables are played at least when the players are cut off. */
const PLAYED_FIRST = 6;
const PLAYED_MS = 600_000;
/** How long tables may take to end after the last fault. */
const ENDING_MS = 600_000;
/** How long messages in flight may take: the longest retry delay is a minute. */
const QUIET_MS = 600_000;
/** How long an ended table may take to pass its audits. */
const SETTLE_MS = 120_000;
const PROGRESS_MS = 5_000;
const LOOK_MS = 250;
/** The time between the first openings. */
const APART_MS = 150;
/** In a long run, how long after its end a table is audited and dropped from memory. */
const FORGET_MS = 120_000;

/**
 * Plays tables under injected faults, waits until the system is idle, and audits what is left. Starts private servers, services and model
 * servers, and stops them in any case.
 * @throws the reason of the abort; Error when something could not be started
 */
export async function runChaosExperiment(options: ChaosOptions): Promise<Report> {
  const began = performance.now();
  const { signal, say, seed } = options;
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const stage = await setStage(options, closing);
    const { system, broker, recorder, faultLog, driver } = stage;
    const auditor = tableAuditor(stage);
    const planted = await plantUnreadable(broker.url(), seed);
    await play(options, stage, auditor);
    say('waiting until all queues are empty and no decision is in progress');
    await untilIdle(stage, signal);
    say('auditing');
    await auditor.settle(await auditor.unsettled(), SETTLE_MS, signal);
    const whole: Record<string, Findings> = {
      'tables could be opened': driver.unopened,
      'requests about no table are answered or late': answeredOrLate(recorder.of('-'), faultLog.troubles, recorder.all()),
      'no process died by itself': noneDiedAlone(faultLog.deaths),
      'no slot is lost': await slotsLost(broker.url(), { servers: MODELS, slots: SLOTS }),
      'only planted messages are dead-lettered': onlyPlantedDead(await deadLetters(broker.url(), planted), planted),
    };
    await system.close(); // unacknowledged messages return to their queues, decisions among them
    whole['queues are empty'] = queuesEmpty([...(await leftovers(broker.url())), ...(await unrouted(broker.url()))]);
    const found = auditor.report();
    const ms = performance.now() - began;
    return { ...found, audits: { ...found.audits, ...whole }, seed, messages: recorder.messages(), faults: faultLog.counts(), ms };
  } finally {
    for (const close of closing.toReversed()) await close().catch((error: Error) => say(`shutdown incomplete: ${error.message}`));
  }
}

/** Plays tables and injects faults until the time is over, then plays on until all tables are over. */
async function play(options: ChaosOptions, stage: Stage, auditor: TableAuditor): Promise<void> {
  const { system, recorder, faultLog, driver } = stage;
  const { signal, say, seed, tables, isOngoing, ms } = options;
  const processes = named(system.processes);
  const clocks = processes.filter((name) => STORING.some((service) => name.startsWith(service))) as unknown as Plan['clocks'];
  const plan = { ...options, processes, clocks, proxies: named(system.proxies) };
  const faults: readonly Fault[] = scheduleOf(seed, plan);
  const began = Date.now();
  let next = 0;
  const seconds = (): string => `${((Date.now() - began) / 1_000).toFixed(0)} s`;
  const over: { readonly table: string; readonly at: number }[] = [];

  async function seat(first: number): Promise<void> {
    await sleep(first * APART_MS, undefined, { signal });
    do {
      const table = await driver.play(next++);
      if (table !== undefined) over.push({ table, at: Date.now() });
    } while (isOngoing && Date.now() - began < ms && !signal.aborted);
  }

  /** Bounds the memory of a long run. */
  async function forget(): Promise<void> {
    while (over[0] && over[0].at < Date.now() - FORGET_MS)
      await auditor.settle([over.shift()!.table], SETTLE_MS, signal).catch(() => undefined);
  }

  let forgetting = Promise.resolve();
  const progress = setInterval(() => {
    say(
      `${seconds()}: ${driver.playing()} tables are played, ${over.length + auditor.report().tables} are over; ${recorder.messages()} messages`,
    );
    forgetting = forgetting.then(forget);
  }, PROGRESS_MS);
  try {
    const playing = Promise.all(Array.from({ length: tables }, (_, i) => seat(i)));
    playing.catch(() => undefined); // awaited below
    if (options.absenceMs) await cutOffPlayers(options, stage);
    await faultLog.inject(faults, signal);
    say(`${seconds()}: all faults are over`);
    const late = setTimeout(() => driver.stop(), ENDING_MS);
    await playing.finally(() => clearTimeout(late));
  } finally {
    clearInterval(progress);
    driver.stop();
    await forgetting;
  }
  signal.throwIfAborted();
}

/** Cuts off all players once tables are in play. */
async function cutOffPlayers({ tables, absenceMs, signal }: ChaosOptions, { store, faultLog }: Stage): Promise<void> {
  const isPlayed = async () => ((await store.tapes.countByStage())['round'] ?? 0) >= Math.min(tables, PLAYED_FIRST);
  await pollUntil('tables are played', isPlayed, { timeoutMs: PLAYED_MS, everyMs: LOOK_MS, signal });
  await faultLog.inject([{ kind: 'players', at: 0, ms: absenceMs }], signal);
}

/**
 * Waits until all queues are empty and no decision is in progress, or the time is over. A player returns a decision when it closes, so one that is
 * about to end would look lost.
 */
async function untilIdle({ system, broker }: Stage, signal: AbortSignal): Promise<void> {
  let quietLooks = 0;
  async function isIdle(): Promise<boolean> {
    const isQuiet = !queuesEmpty(await queueLengths(broker.url())).length && (await system.decisions()) === 0;
    quietLooks = isQuiet ? quietLooks + 1 : 0;
    return quietLooks > 1; // at one look, a message may be on its way to its consumer
  }
  const how = { timeoutMs: QUIET_MS, everyMs: LOOK_MS, retryErrors: true, signal };
  await pollUntil('all is quiet', isIdle, how).catch(() => signal.throwIfAborted());
}

const named = (some: ReadonlyMap<string, unknown>): readonly [string, ...string[]] => [...some.keys()] as [string, ...string[]];

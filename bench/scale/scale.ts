import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@maw/cli/up/system.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { benchmark, type BenchmarkContext, type BenchmarkResult } from '../benchmark.ts';
import { median } from '../figures.ts';
import { decimal, flag, integer, integers, UsageError, type Values } from '../options.ts';
import { BROKER_ALONE_MESSAGES, brokerAlone } from './bus-throughput.ts';
import { SERVICES, type ServerUrls, withServers, withSystem } from '../system-under-test.ts';
import { qualityOf } from './game-quality.ts';
import { loadOf, measureLevel, stepAfter } from './level-search.ts';
import { playLoad } from './load-level.ts';
import { type MessageMeter, startMessageMeter } from './message-cost.ts';
import { pinningObstacle, pinReplicas } from './pinning.ts';
import { readProcessMetrics } from './process-metrics.ts';
import { type BrokerAlone, type Pass, scaleText } from './report.ts';
import { serversUsed } from './server-usage.ts';
import { copyTables } from './table-copies.ts';
import { type Load, PLAYERS } from './table-opener.ts';

/** A decision occupies its place in the player for a whole phase, and the player has at most 65,535. */
const MAX_AT_ONCE = 9_000;

const options = {
  levels: integers('tables at once, one level after another', [1, 10, 100, 1000], MAX_AT_ONCE),
  games: integer('the least number of games at each level, but at most 20 one after another', { fallback: 100 }),
  disk: integer('ended tables in the database', { fallback: 10_000, min: 0 }),
  replicas: integer('processes of each service', { fallback: 2 }),
  halves: flag('one replica on half of the processors, then two with a half each, in place of --replicas'),
  step: decimal(
    'seconds of a step of the night with ten tables at once, proportional to the tables at other levels; half as long again until no answer is missed',
    { fallback: 0.3, max: 60 },
  ),
  minutes: decimal('end each level after so many minutes, without figures a game if some are not over (default: when all are over)', {
    fallback: undefined,
  }),
};
type ScaleValues = Values<typeof options>;

/** Played first, as a warm-up and for ended tables to copy. */
const WARM: Load = { atOnce: 10, games: 100, stepMs: 300, apartMs: 150 };
const REST_MS = 10_000;
const ALONE_RUNS = 3;

/** What was measured by now. */
interface Measured {
  alone: BrokerAlone | undefined;
  readonly passes: Pass[];
}

export const scale = benchmark({
  name: 'scale',
  description: 'the cost of very many tables, in play and on disk, and whether replicas share them evenly',
  options,
  async measure(values, context) {
    if (values.halves && context.args.some((arg) => /^--replicas(=|$)/.test(arg)))
      throw new UsageError('--halves measures one replica and then two: give it without --replicas');
    const obstacle = values.halves ? await pinningObstacle() : undefined;
    if (obstacle !== undefined) throw new UsageError(obstacle);
    const measured: Measured = { alone: undefined, passes: [] };
    try {
      await withServers((urls) => measureAll(urls, values, measured, context));
    } catch (error) {
      if (!measured.passes.some(({ levels }) => levels.length)) throw error;
      if (!context.signal.aborted) context.say(`a level has failed: ${(error as Error).message}`);
      return { ...resultOf(measured, values), hasFailed: true }; // levels take long: those that were measured are not lost
    }
    return resultOf(measured, values);
  },
});

function resultOf({ alone, passes }: Measured, values: ScaleValues): BenchmarkResult {
  const whole = passes.filter(({ levels }) => levels.length > 0);
  const json = whole.flatMap(({ levels, ...about }) => levels.map((level) => ({ ...values, ...about, alone, ...level })));
  return { text: scaleText(whole, alone!), json };
}

async function measureAll(urls: ServerUrls, values: ScaleValues, measured: Measured, context: BenchmarkContext): Promise<void> {
  const { signal, say } = context;
  measured.alone = await measureBrokerAlone(urls.amqpUrl, signal);
  say(`the broker alone takes ${measured.alone.rate.toFixed(0)} messages/s`);
  const meter = await startMessageMeter(urls.amqpUrl);
  try {
    for (const replicas of values.halves ? [1, 2] : [values.replicas]) {
      const disk = measured.passes.length > 0 ? 0 : values.disk; // those of the first pass are there still
      const pass: Pass = { replicas, isPinned: values.halves, rest: Number.NaN, levels: [] };
      measured.passes.push(pass);
      if (values.halves) say(replicas === 1 ? 'one replica on half of the processors' : 'two replicas with half of the processors each');
      await measurePass(urls, pass, { values: { ...values, disk }, meter, context });
    }
  } finally {
    await meter.close();
  }
}

interface Stage {
  readonly values: ScaleValues;
  readonly meter: MessageMeter;
  readonly context: BenchmarkContext;
}

async function measurePass(urls: ServerUrls, pass: Pass, stage: Stage): Promise<void> {
  const { values, context } = stage;
  const replicas = Object.fromEntries(SERVICES.map((name) => [name, pass.replicas]));
  // A decision occupies its place for a whole phase: each replica of the player has room for all of them.
  const concurrency = PLAYERS * Math.max(...values.levels) + 100;
  const env = { player: { PLAYER_CONCURRENCY: String(concurrency) } };
  const store = await postgresStore({ url: urls.databaseUrl, service: 'bench', poolSize: 2, statementMs: 300_000 });
  try {
    await withSystem(urls, { replicas, env }, context.signal, async (system) => {
      if (pass.isPinned) await pinReplicas(system);
      await measureLevels(system, store, pass, stage);
    });
  } finally {
    await store.close();
  }
}

async function measureLevels(system: System, store: Store, pass: Pass, { values, meter, context }: Stage): Promise<void> {
  const { signal, say } = context;
  const warm = { ...WARM, games: Math.min(WARM.games, values.games) };
  say(`a warm-up of ${warm.games} tables`);
  await playLoad(system, warm, signal, { say });
  signal.throwIfAborted();
  const from = performance.now();
  const events = await copyTables(store, values.disk, signal);
  say(`${values.disk} tables with ${events} events lie in the database after ${((performance.now() - from) / 1000).toFixed(0)} s`);
  pass.rest = await cpuAtRest(system, signal);
  const limitMs = values.minutes === undefined ? undefined : values.minutes * 60_000;
  let { step } = values;
  for (const atOnce of values.levels) {
    signal.throwIfAborted();
    const level = await measureLevel(loadOf(atOnce, { ...values, step }), {
      play: (load, { stopsWhenLate = false }) => playLoad(system, load, signal, { limitMs, stopsWhenLate, say }),
      qualityOf: (tables) => qualityOf(store, tables),
      signal,
      say,
    });
    step = stepAfter(step, level);
    pass.levels.push(level);
    const rate = level.cost.messages / level.cost.seconds;
    say(`what a message costs at ${rate.toFixed(0)} a second`);
    level.message = await meter.costAt(rate, signal);
  }
}

/** The throughput of the broker without other load, and its processor time a message, where that can be seen. */
async function measureBrokerAlone(url: string, signal: AbortSignal): Promise<BrokerAlone> {
  const rates: number[] = [];
  const before = await serversUsed();
  for (let run = 0; run < ALONE_RUNS && !signal.aborted; run++) rates.push(await brokerAlone(url, run));
  const now = await serversUsed();
  const cpu = before.broker && now.broker && (now.broker.cpu - before.broker.cpu) / (ALONE_RUNS * BROKER_ALONE_MESSAGES);
  return { rate: median(rates), cpu };
}

/** Processor time of all services in a second without tables. */
async function cpuAtRest(system: System, signal: AbortSignal): Promise<number> {
  const cpu = async () => (await readProcessMetrics(system)).reduce((sum, one) => sum + one.cpu, 0);
  const [before, start] = [await cpu(), performance.now()];
  await sleep(REST_MS, undefined, { signal });
  return ((await cpu()) - before) / ((performance.now() - start) / 1_000);
}

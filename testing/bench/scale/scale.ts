import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@maw/cli/up/system.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { benchmark, type BenchmarkContext } from '../benchmark.ts';
import { median } from '../figures.ts';
import { decimal, flag, integer, integers, UsageError, type Values } from '../options.ts';
import { BROKER_ALONE_MESSAGES, brokerAlone } from '../system/bus-throughput.ts';
import { SERVICES, type ServerUrls, withServers, withSystem } from '../system-under-test.ts';
import { qualityOf } from './game-quality.ts';
import { measureMessageCost } from './message-cost.ts';
import { pinningObstacle, pinReplicas } from './pinning.ts';
import { type Load, PLAYERS, playLoad } from './load-level.ts';
import { readProcessMetrics } from './process-metrics.ts';
import { type BrokerAlone, type Level, scaleText } from './report.ts';
import { serversUsed } from './server-usage.ts';
import { copyTables } from './table-copies.ts';

const options = {
  levels: integers('tables at once, one level after another', [1, 10, 100, 1000]),
  games: integer('the least number of games at each level', { fallback: 100 }),
  disk: integer('ended tables in the database', { fallback: 10_000, min: 0 }),
  replicas: integer('processes of each service', { fallback: 2 }),
  halves: flag('one replica on half of the processors, then two with a half each, in place of --replicas'),
  step: decimal(
    'seconds of a step of the night with ten tables at once; proportional to the tables, so that the load a second is constant',
    {
      fallback: 0.3,
      max: 60,
    },
  ),
};
type ScaleValues = Values<typeof options>;

/** Played first, as a warm-up and for ended tables to copy. */
const WARM: Load = { atOnce: 10, games: 100, stepMs: 300, apartMs: 150 };
const REST_MS = 10_000;
const ALONE_RUNS = 3;
/** The level at which a step lasts as long as --step says, and the shortest step that leaves time to answer. */
const STEP_LEVEL = 10;
const LEAST_STEP_MS = 200;
/** A game has at least six steps: opened so far apart, all tables of a level run before the first is over. */
const APART_STEPS = 5;

/** The load of a level. */
export function loadOf(atOnce: number, { games, step }: Pick<ScaleValues, 'games' | 'step'>): Load {
  const stepMs = Math.max(LEAST_STEP_MS, Math.round((step * 1_000 * atOnce) / STEP_LEVEL));
  return { atOnce, games: Math.max(atOnce, games), stepMs, apartMs: Math.floor((APART_STEPS * stepMs) / atOnce) };
}

export const scale = benchmark({
  name: 'scale',
  description: 'the cost of very many tables, in play and on disk, and whether replicas share them evenly',
  options,
  async measure(values, context) {
    const obstacle = values.halves ? await pinningObstacle() : undefined;
    if (obstacle !== undefined) throw new UsageError(obstacle);
    return withServers(async (urls) => {
      const { signal, say } = context;
      const alone = await measureBrokerAlone(urls.amqpUrl, signal);
      say(`the broker alone takes ${alone.rate.toFixed(0)} messages/s`);
      const texts: string[] = [];
      const json: object[] = [];
      for (const count of values.halves ? [1, 2] : [values.replicas]) {
        const disk = texts.length > 0 ? 0 : values.disk; // those of the first pass are there still
        const measured = await measureReplicas(urls, count, { ...values, disk }, context);
        const costs = await measureMessageCost(
          urls.amqpUrl,
          measured.levels.map(({ cost }) => cost.messages / cost.seconds),
          signal,
        );
        const about = { replicas: count, isPinned: values.halves, rest: measured.rest, alone, costs };
        texts.push(scaleText(measured.levels, about));
        json.push({ ...values, ...about, levels: measured.levels });
      }
      return { text: texts.join('\n\n'), json };
    });
  },
});

async function measureReplicas(urls: ServerUrls, count: number, values: ScaleValues, context: BenchmarkContext) {
  const replicas = Object.fromEntries(SERVICES.map((name) => [name, count]));
  // A decision occupies its place for a whole phase: each replica of the player has room for all of them.
  const concurrency = Math.min(65_535, PLAYERS * Math.max(...values.levels) + 100);
  const env = { player: { PLAYER_CONCURRENCY: String(concurrency) } };
  const store = await postgresStore({ url: urls.databaseUrl, service: 'bench', poolSize: 2, statementMs: 300_000 });
  try {
    return await withSystem(urls, { replicas, env }, context.signal, async (system) => {
      if (values.halves) await pinReplicas(system);
      return measureLevels(system, store, values, context);
    });
  } finally {
    await store.close();
  }
}

async function measureLevels(system: System, store: Store, values: ScaleValues, { signal, say }: BenchmarkContext) {
  const warm = { ...WARM, games: Math.min(WARM.games, values.games) };
  say(`a warm-up of ${warm.games} tables`);
  await playLoad(system, warm, signal);
  signal.throwIfAborted();
  const from = performance.now();
  const events = await copyTables(store, values.disk, signal);
  say(`${values.disk} tables with ${events} events lie in the database after ${((performance.now() - from) / 1000).toFixed(0)} s`);
  const rest = await cpuAtRest(system, signal);
  const levels: Level[] = [];
  for (const atOnce of values.levels) {
    signal.throwIfAborted();
    const load = loadOf(atOnce, values);
    say(`${load.games} tables, at most ${atOnce} at once, steps of ${load.stepMs / 1_000} s`);
    const cost = await playLoad(system, load, signal);
    signal.throwIfAborted();
    levels.push({ ...load, cost, course: await qualityOf(store, cost.tables) });
    say(`over after ${cost.seconds.toFixed(1)} s; at most ${cost.peak} at once; ${cost.limited} times there was no room`);
  }
  return { rest, levels };
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

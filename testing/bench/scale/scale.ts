import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { postgresStore } from '@maw/store/postgres.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { startDevServers } from '@maw/cli/dev-servers/dev-servers.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { BROKER_ALONE_MESSAGES, brokerAlone } from '../system/bus-throughput.ts';
import { machine, median } from '../figures.ts';
import { copyTables } from './table-copies.ts';
import { type Load, play, PLAYERS } from './load-level.ts';
import { readProcessMetrics } from './process-metrics.ts';
import { qualityOf } from './game-quality.ts';
import { type Alone, type Level, scaleText } from './report.ts';
import { serversUsed } from './server-usage.ts';

const USAGE = `maw bench scale [--levels 1,10,100,1000] [--games 100] [--disk 10000] [--replicas 2] [--step 0.3] [--json]

  --levels N,...  how many tables run at once, one level after another
  --games N       how many are played at each level at least, one after another where fewer run at once
  --disk N        how many tables that are over lie in the database
  --replicas N    how many processes there are of each service
  --step S        how long a step of the night lasts when ten tables run at once, in seconds; it lasts as many times longer as more tables
                  run, so that there is about as much to do in a second at each level, and no machine is overloaded by how many there are
`;

interface Asked {
  readonly levels: readonly number[];
  readonly games: number;
  readonly disk: number;
  readonly replicas: number;
  readonly step: number;
  readonly json: boolean;
}

const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web'];
/** Tables that are played first, so that what lies in the database are games as they are, and nobody is measured who has just started. */
const WARM: Load = { atOnce: 10, games: 100, stepMs: 300, apartMs: 150 };
const REST_MS = 10_000;
const ALONE_RUNS = 3;
/** At which level a step lasts as long as was asked, and the shortest step there is: answers need some of it. */
const STEP_LEVEL = 10;
const LEAST_STEP_MS = 200;
/** A game has at least six steps: with tables so far apart, all of a level run before the first is over. */
const APART_STEPS = 5;

/** What is played at a level. */
export function loadOf(atOnce: number, { games, step }: Pick<Asked, 'games' | 'step'>): Load {
  const stepMs = Math.max(LEAST_STEP_MS, Math.round((step * 1_000 * atOnce) / STEP_LEVEL));
  return { atOnce, games: Math.max(atOnce, games), stepMs, apartMs: Math.floor((APART_STEPS * stepMs) / atOnce) };
}

/** `maw bench scale`: what very many tables cost, and whether replicas share them evenly. Returns the exit code. */
export async function runScale(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readScale(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  say(machine());
  const lane = await startDevServers({});
  try {
    if (lane.amqpUrl === undefined || lane.databaseUrl === undefined) throw new Error(lane.missing.join('\n'));
    const alone = await measureAlone(lane.amqpUrl, signal);
    say(`the broker alone takes ${alone.rate.toFixed(0)} messages/s`);
    const system = await startSystem({
      amqpUrl: lane.amqpUrl,
      databaseUrl: lane.databaseUrl,
      port: 0,
      replicas: Object.fromEntries(SERVICES.map((name) => [name, asked.replicas])),
      base: readCliConfig().all,
      // A decision holds its place for as long as its phase: each replica of the player has room for all of them.
      env: {
        player: { PLAYER_CONCURRENCY: String(Math.min(65_535, PLAYERS * Math.max(...asked.levels) + 100)) },
        all: { LOG_LEVEL: 'error' },
      },
      graceMs: 5_000,
      say: () => {},
    });
    const store = await postgresStore({ url: lane.databaseUrl, service: 'bench', poolSize: 2, statementMs: 300_000 });
    try {
      if (!(await system.isOpen(120_000, signal))) throw new Error('the services did not start');
      say(`a warm-up of ${WARM.games} tables`);
      await play(system, WARM, signal);
      if (signal.aborted) return 130;
      const from = performance.now();
      const events = await copyTables(store, asked.disk, signal);
      say(`${asked.disk} tables with ${events} events lie in the database after ${((performance.now() - from) / 1000).toFixed(0)} s`);
      const rest = await atRest(system, signal);
      const levels: Level[] = [];
      for (const atOnce of asked.levels) {
        if (signal.aborted) return 130;
        const load = loadOf(atOnce, asked);
        say(`${load.games} tables, at most ${atOnce} at once, steps of ${load.stepMs / 1_000} s`);
        const cost = await play(system, load, signal);
        if (signal.aborted) return 130;
        levels.push({ ...load, cost, course: await qualityOf(store, cost.tables) });
        say(`over after ${cost.seconds.toFixed(1)} s; at most ${cost.peak} at once; ${cost.limited} times there was no room for one more`);
      }
      const about = { ...asked, rest, alone };
      process.stdout.write(
        asked.json ? `${JSON.stringify({ bench: 'scale', machine: machine(), ...about, levels })}\n` : scaleText(levels, about),
      );
      return 0;
    } catch (error) {
      if (signal.aborted) return 130;
      throw error;
    } finally {
      await store.close();
      await system.close();
    }
  } finally {
    await lane.close();
  }
}

/** What is asked for; a sentence when it cannot be had. */
export function readScale(args: readonly string[]): Asked | string {
  const option = { type: 'string' } as const;
  let given;
  try {
    given = parseArgs({
      args: [...args],
      options: { levels: option, games: option, disk: option, replicas: option, step: option, json: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const levels = (given.levels ?? '1,10,100,1000').split(',').map((one) => (one.trim() ? Number(one) : Number.NaN));
  const whole = { games: Number(given.games ?? 100), disk: Number(given.disk ?? 10_000), replicas: Number(given.replicas ?? 2) };
  const step = Number(given.step ?? 0.3);
  const isWhole = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;
  if (!levels.every((one) => isWhole(one, 1))) return '--levels: whole numbers from 1 are wanted, with commas between them.';
  for (const [name, value] of Object.entries(whole)) {
    const least = name === 'disk' ? 0 : 1;
    if (!isWhole(value, least)) return `--${name}: a whole number from ${least} is wanted.`;
  }
  if (!(step > 0 && step <= 60)) return '--step: a number above 0 and at most 60 is wanted.';
  return { levels, ...whole, step, json: given.json };
}

/** The most that this broker takes and gives back, for one who does nothing else; and its processor time for it, where that can be seen. */
async function measureAlone(url: string, signal: AbortSignal): Promise<Alone> {
  const rates: number[] = [];
  const before = await serversUsed();
  for (let run = 0; run < ALONE_RUNS && !signal.aborted; run++) rates.push(await brokerAlone(url, run));
  const now = await serversUsed();
  const cpu = before.broker && now.broker && (now.broker.cpu - before.broker.cpu) / (ALONE_RUNS * BROKER_ALONE_MESSAGES);
  return { rate: median(rates), cpu };
}

/** Processor time of all services in a second in which no table runs. */
async function atRest(system: System, signal: AbortSignal): Promise<number> {
  const cpu = async () => (await readProcessMetrics(system)).reduce((sum, one) => sum + one.cpu, 0);
  const [before, start] = [await cpu(), performance.now()];
  await after(REST_MS, undefined, { signal });
  return ((await cpu()) - before) / ((performance.now() - start) / 1_000);
}

import { parseArgs } from 'node:util';
import { postgresStore } from '@maw/store/postgres.ts';
import { readCliConfig } from '../config.ts';
import { door, Refused } from '../door.ts';
import { openLane } from '../lane/lane.ts';
import { startSystem, type System } from '../system.ts';
import { machine } from './figures.ts';
import { copyTables } from './scale-disk.ts';
import { type Reading, readings } from './scale-readings.ts';
import { type Level, scaleText } from './scale-text.ts';

const USAGE = `maw bench scale [--tables 1000] [--disk 10000] [--replicas 2] [--phase 20] [--json]

  --tables N      how many tables run at once; before that a tenth of them does, to compare
  --disk N        how many tables that are over lie in the database
  --replicas N    how many processes there are of gamemaster, chatroom and player
  --phase S       how long days and nights last at most, in seconds
`;

interface Asked {
  readonly tables: number;
  readonly disk: number;
  readonly replicas: number;
  readonly phase: number;
  readonly json: boolean;
}

const SERVICES = ['gamemaster', 'chatroom', 'player'];
const PLAYERS = 7;
/** Tables that are played first, so that what lies in the database are games as they are. */
const FIRST = 5;
/** How long no table may end before something is wrong. */
const STUCK_MS = 300_000;
const LOOK_MS = 500;
/** A game has so many days at most: whoever has too much to do misses votes, and games would last for ever. */
const MOST_DAYS = 4;

/** `maw bench scale`: what very many tables cost, and whether replicas share them evenly. Returns the exit code. */
export async function runScale(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readScale(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  say(machine());
  const lane = await openLane({});
  try {
    if (lane.amqpUrl === undefined || lane.databaseUrl === undefined) throw new Error(lane.missing.join('\n'));
    const system = await startSystem({
      amqpUrl: lane.amqpUrl,
      databaseUrl: lane.databaseUrl,
      port: 0,
      replicas: Object.fromEntries(SERVICES.map((name) => [name, asked.replicas])),
      base: readCliConfig().all,
      // A decision holds its place for as long as its phase: each replica of the player has room for all of them.
      env: { player: { PLAYER_CONCURRENCY: String(Math.min(65_535, PLAYERS * asked.tables + 100)) }, all: { LOG_LEVEL: 'error' } },
      graceMs: 5_000,
      say: () => {},
    });
    const store = await postgresStore({ url: lane.databaseUrl, service: 'bench', poolSize: 2, statementMs: 300_000 });
    try {
      if (!(await system.isOpen(120_000, signal))) throw new Error('the services did not start');
      const levels: Level[] = [];
      await play(system, { ...asked, tables: FIRST, phase: 2 }, signal, say);
      const from = performance.now();
      const events = await copyTables(store, asked.disk, signal);
      say(`${asked.disk} tables with ${events} events lie in the database after ${((performance.now() - from) / 1000).toFixed(0)} s`);
      for (const tables of [Math.max(1, Math.floor(asked.tables / 10)), asked.tables]) {
        if (signal.aborted) return 130;
        levels.push(await play(system, { ...asked, tables }, signal, say));
      }
      if (signal.aborted) return 130;
      process.stdout.write(
        asked.json ? `${JSON.stringify({ bench: 'scale', machine: machine(), ...asked, levels })}\n` : scaleText(levels),
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
      options: { tables: option, disk: option, replicas: option, phase: option, json: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const asked = {
    tables: Number(given.tables ?? 1_000),
    disk: Number(given.disk ?? 10_000),
    replicas: Number(given.replicas ?? 2),
    phase: Number(given.phase ?? 20),
  };
  for (const [name, value] of Object.entries(asked))
    if (!Number.isSafeInteger(value) || value < (name === 'disk' ? 0 : 1))
      return `--${name}: a whole number from ${name === 'disk' ? 0 : 1} is wanted.`;
  return { ...asked, json: given.json };
}

/** Opens so many tables and waits for the end of all of them. @throws Error when none ends for very long */
async function play(system: System, { tables, phase }: Asked, signal: AbortSignal, say: (line: string) => void): Promise<Level> {
  const before = await readings(system);
  const start = performance.now();
  const most = new Map(before.map(({ name, memory }) => [name, memory]));
  let [limited, opened, peak, closed, closedAt] = [0, 0, 0, 0, start];
  const opening = openAll(system, tables, phase, signal, {
    opened: () => opened++,
    limited: () => limited++,
  });
  opening.catch(() => {}); // it is awaited below
  let now = before;
  while (!signal.aborted && closed < tables) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    now = await readings(system);
    for (const { name, memory } of now) most.set(name, Math.max(most.get(name)!, memory));
    const ended = grown(before, now, 'closed');
    if (ended > closed) closedAt = performance.now();
    closed = ended;
    peak = Math.max(peak, opened - closed);
    if (performance.now() - closedAt > STUCK_MS)
      throw new Error(`${tables - closed} of ${tables} tables have not ended: none has for 5 minutes`);
  }
  await opening;
  const seconds = (performance.now() - start) / 1000;
  const whole = (name: string, what: 'acts' | 'taken') =>
    now.filter((one) => isOf(one, name)).reduce((sum, one) => sum + one[what] - reading(before, one)[what], 0);
  const level: Level = {
    tables,
    seconds,
    peak,
    limited,
    cpu: grown(before, now, 'cpu'),
    messages: grown(before, now, 'sent'),
    parts: now.map((one) => {
      const service = one.name.replace(/-\d+$/, '');
      const what = service === 'gamemaster' ? 'acts' : 'taken';
      const [own, all] = [one[what] - reading(before, one)[what], whole(service, what)];
      return {
        name: one.name,
        share: all ? own / all : Number.NaN,
        cpu: one.cpu - reading(before, one).cpu,
        restMiB: reading(before, one).memory,
        mostMiB: most.get(one.name)!,
      };
    }),
  };
  say(`${tables} tables in ${seconds.toFixed(1)} s, at most ${peak} at once; ${limited} times there was no room for one more`);
  return level;
}

const isOf = ({ name }: Reading, service: string): boolean => name === service || new RegExp(`^${service}-\\d+$`).test(name);
const reading = (all: readonly Reading[], { name }: Reading): Reading => all.find((one) => one.name === name)!;
const grown = (before: readonly Reading[], now: readonly Reading[], what: 'closed' | 'cpu' | 'sent'): number =>
  now.reduce((sum, one) => sum + one[what] - reading(before, one)[what], 0);

interface Counting {
  opened(): void;
  limited(): void;
}

/** How many are opened at once, and how long one waits when there is no room. */
const AT_ONCE = 20;
const AGAIN_MS = 2_000;

async function openAll({ url, adminToken }: System, count: number, phase: number, signal: AbortSignal, counting: Counting): Promise<void> {
  const at = door(url, adminToken);
  let next = 0;
  async function one(n: number): Promise<void> {
    while (!signal.aborted) {
      try {
        await at.open({
          rules: 'maw',
          players: PLAYERS,
          seats: Array.from({ length: PLAYERS }, () => ({ kind: 'mind' as const, recipe: 'rules' })),
          rounds: 1,
          options: { dayMs: phase * 1_000, nightMs: phase * 1_000, maxDays: MOST_DAYS },
          seed: `scale ${count} ${n}`,
          lobbyMs: 60_000,
        });
        return counting.opened();
      } catch (error) {
        if (!(error instanceof Refused) || error.reason !== 'limited') throw error;
        counting.limited();
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, count) }, async () => {
      while (next < count && !signal.aborted) await one(next++);
    }),
  );
}

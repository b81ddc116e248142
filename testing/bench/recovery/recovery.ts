import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { whyNoServers } from '../../servers/restartable-server.ts';
import { machine } from '../figures.ts';
import { PLAYERS, RULES } from '../scale/load-level.ts';
import { type Kill, KILLS, killAndWait } from './kills.ts';
import { recoveryText, type Struck, type Times } from './recovery-times.ts';
import { type KillableServers, startKillableServers, startBusySystem } from './busy-system.ts';

const USAGE = `maw bench recovery [--rounds 3] [--tables 20] [--only NAME,...] [--json]

  --rounds N      how often each blow is struck
  --tables N      about how many tables are being played
  --only NAME,... only blows at these: gamemaster, chatroom, player, llm-gateway, web, RabbitMQ, PostgreSQL
`;

interface Asked {
  readonly rounds: number;
  readonly tables: number;
  readonly only: readonly string[] | undefined;
  readonly json: boolean;
}

const NAMES = [...new Set(KILLS.map(({ at }) => at))];
const OPEN_MS = 240_000;

/** `maw bench recovery`: how long it takes after each kind of kill until games go on. Returns the exit code. */
export async function runRecovery(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readRecovery(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const why = await whyNoServers();
  if (why !== undefined) {
    process.stderr.write(`${why}\n`);
    return 1;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  say(machine());
  const blows = KILLS.filter(({ at }) => asked.only?.includes(at) ?? true);
  const times = new Map<Kill, Times[]>(blows.map((blow) => [blow, []]));
  try {
    say('starting a broker and a database');
    const ground = await startKillableServers();
    try {
      for (const replicas of [2, 1]) {
        const some = blows.filter((blow) => blow.replicas === replicas);
        if (some.length) await strikeAll(some, { ...asked, replicas, ground, signal, say }, (blow, one) => times.get(blow)!.push(one));
      }
    } finally {
      await ground.close();
    }
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  }
  if (signal.aborted) return 130;
  const struck = [...times].map(([blow, each]): Struck => ({ blow: blow.says, times: each }));
  const words = `About ${asked.tables} tables of ${PLAYERS} minds of ${RULES}, one of them with a model that is simulated. Medians with their range.`;
  process.stdout.write(
    asked.json ? `${JSON.stringify({ bench: 'recovery', machine: machine(), ...asked, struck })}\n` : recoveryText(struck, words),
  );
  return 0;
}

interface Striking extends Asked {
  readonly replicas: number;
  readonly ground: KillableServers;
  readonly signal: AbortSignal;
  say(line: string): void;
}

/** Starts so many of each service, and strikes all these blows one after another, in so many rounds. */
async function strikeAll(blows: readonly Kill[], given: Striking, tell: (blow: Kill, times: Times) => void): Promise<void> {
  const { replicas, rounds, ground, signal, say } = given;
  signal.throwIfAborted();
  const town = await startBusySystem(ground, given);
  try {
    say(replicas === 1 ? 'starting one process of each service' : `starting ${replicas} processes of each service`);
    if (!(await town.system.isOpen(OPEN_MS, signal))) {
      signal.throwIfAborted();
      throw new Error('the services did not start');
    }
    await ramp(town, given);
    for (let round = 0; round < rounds; round++) {
      for (const blow of blows) {
        const times = await killAndWait(blow, { ground, town, signal });
        tell(blow, times);
        const seconds = (ms: number): string => (Number.isNaN(ms) ? '-' : `${(ms / 1_000).toFixed(1)} s`);
        say(
          `round ${round + 1}, ${blow.says}: first after ${seconds(times.first)}, all tables ${seconds(times.all)}, as before ${seconds(times.back)}, ready ${seconds(times.ready)}`,
        );
      }
    }
  } finally {
    await town.close();
  }
}

/** Waits until so many tables are being played. @throws when after four minutes there are fewer */
async function ramp(town: Awaited<ReturnType<typeof startBusySystem>>, { tables, signal }: Striking): Promise<void> {
  const until = performance.now() + OPEN_MS;
  while (town.playing().size < tables) {
    if (performance.now() > until)
      throw new Error(`only ${town.playing().size} tables are being played after ${OPEN_MS / 1000} s: ask for fewer with --tables`);
    await after(500, undefined, { signal });
  }
}

/** What is asked for; a sentence when it cannot be had. */
export function readRecovery(args: readonly string[]): Asked | string {
  const option = { type: 'string' } as const;
  let given;
  try {
    given = parseArgs({
      args: [...args],
      options: { rounds: option, tables: option, only: option, json: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const asked = { rounds: Number(given.rounds ?? 3), tables: Number(given.tables ?? 20) };
  for (const [name, value] of Object.entries(asked))
    if (!Number.isSafeInteger(value) || value < 1) return `--${name}: a whole number from 1 is wanted.`;
  const only = given.only?.split(',').map((name) => name.trim());
  const unknown = only?.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return `--only: there is no "${unknown}"; there are ${NAMES.join(', ')}.`;
  return { ...asked, only, json: given.json };
}

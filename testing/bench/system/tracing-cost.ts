import { parseArgs } from 'node:util';
import { readCliConfig } from '@maw/cli/config.ts';
import { type DevServers, startDevServers } from '@maw/cli/dev-servers/dev-servers.ts';
import { startSystem } from '@maw/cli/up/system.ts';
import { type MeasuredProcess, startMeasuredProcess } from '../measured-process.ts';
import { type Figure, machine, tableOf } from '../figures.ts';
import { type Load, play, PLAYERS, RULES } from '../scale/load-level.ts';
import type { Received } from './trace-receiver.ts';

const USAGE = `maw bench telemetry [--rounds 5] [--games 50] [--at-once 10] [--step 0.5] [--json]

  --rounds N      how often each way of tracing has its turn: none, a tenth, everything
  --games N       how many games are played in a turn, after a fifth as many that are not measured
  --at-once N     how many of them run at once
  --step S        how long a step of the night lasts, in seconds
`;

interface Asked {
  readonly rounds: number;
  readonly games: number;
  readonly atOnce: number;
  readonly step: number;
  readonly json: boolean;
}

/** The part of traces that is recorded; undefined: no receiver is named, and nothing is. */
const WAYS = [
  { says: 'no traces', ratio: undefined },
  { says: 'a tenth of traces', ratio: 0.1 },
  { says: 'all traces', ratio: 1 },
] as const;
type Way = (typeof WAYS)[number];

interface Turn {
  /** Processor time of all services, in seconds a game. */
  readonly cpu: number;
  readonly received: Received;
}

/** `maw bench telemetry`: what traces cost: the same games without them, with a tenth, with all. Returns the exit code. */
export async function runTelemetry(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readTelemetry(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  say(machine());
  const lane = await startDevServers({});
  let receiver: MeasuredProcess | undefined;
  const turns = new Map<Way, Turn[]>(WAYS.map((way) => [way, []]));
  try {
    if (lane.amqpUrl === undefined || lane.databaseUrl === undefined) throw new Error(lane.missing.join('\n'));
    receiver = await startMeasuredProcess('system/trace-receiver.ts', '');
    for (let round = 0; round < asked.rounds; round++) {
      for (const way of inTurn(round)) {
        if (signal.aborted) return 130;
        const turn = await oneTurn(way, asked, lane, receiver.url, signal);
        if (signal.aborted) return 130;
        turns.get(way)!.push(turn);
        say(
          `round ${round + 1}, ${way.says}: ${(turn.cpu * 1_000).toFixed(0)} ms a game; ${turn.received.requests} requests with ${turn.received.bytes} bytes of traces`,
        );
      }
    }
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  } finally {
    receiver?.close();
    await lane.close();
  }
  const figures = figuresOf(WAYS.map((way) => ({ says: way.says, turns: turns.get(way)! })));
  process.stdout.write(
    asked.json
      ? figures.map((figure) => `${JSON.stringify({ bench: 'telemetry', machine: machine(), ...figure })}\n`).join('')
      : `\n### telemetry\n\n${machine()}\n\n${asked.games} games a turn of ${PLAYERS} \`rules\` minds of ${RULES}, ${asked.atOnce} at once; one of each service.\n\n${tableOf(figures)}\n`,
  );
  return 0;
}

/** Each way begins a round as often as the others: whatever changes in the course of a round is not to the good of one. */
export const inTurn = (round: number): readonly Way[] => WAYS.map((_, i) => WAYS[(round + i) % WAYS.length]!);

/** The figures of all rounds: those of the first way come before the others, which are compared with it round by round. */
export function figuresOf(ways: readonly { readonly says: string; readonly turns: readonly Turn[] }[]): readonly Figure[] {
  const [first, ...others] = ways as [(typeof ways)[number], ...typeof ways];
  return [
    ...ways.map(({ says, turns }) => ({
      what: `processor time of all services, ${says}`,
      unit: 'ms/game',
      runs: turns.map(({ cpu }) => cpu * 1_000),
    })),
    ...others.map(({ says, turns }) => ({
      what: `${says} against ${first.says}`,
      unit: 'ratio',
      runs: turns.map(({ cpu }, round) => cpu / first.turns[round]!.cpu),
    })),
    ...others.map(({ says, turns }) => ({ what: `sent, ${says}`, unit: 'KiB', runs: turns.map(({ received }) => received.bytes / 1024) })),
  ];
}

/** Starts all services, plays until they are warm, and then what counts. Ends them. */
async function oneTurn(
  { ratio }: Way,
  { games, atOnce, step }: Asked,
  lane: DevServers,
  receiver: string,
  signal: AbortSignal,
): Promise<Turn> {
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: ratio === undefined ? '' : receiver,
    OTEL_TRACES_SAMPLER_ARG: String(ratio ?? 1),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  };
  const system = await startSystem({
    amqpUrl: lane.amqpUrl!,
    databaseUrl: lane.databaseUrl!,
    port: 0,
    base: readCliConfig().all,
    env: { all: { LOG_LEVEL: 'error', ...traces } },
    graceMs: 5_000,
    say: () => {},
  });
  try {
    if (!(await system.isOpen(120_000, signal))) throw new Error('the services did not start');
    const load: Load = { atOnce, games, stepMs: Math.round(step * 1_000), apartMs: 0 };
    await play(system, { ...load, games: Math.ceil(games / 5) }, signal);
    const before = await receivedBy(receiver);
    const { cpu } = await play(system, load, signal);
    const now = await receivedBy(receiver);
    return { cpu: cpu / games, received: { requests: now.requests - before.requests, bytes: now.bytes - before.bytes } };
  } finally {
    await system.close();
  }
}

const receivedBy = async (url: string): Promise<Received> => (await (await fetch(`${url}/received`)).json()) as Received;

/** What is asked for; a sentence when it cannot be had. */
export function readTelemetry(args: readonly string[]): Asked | string {
  const option = { type: 'string' } as const;
  let given;
  try {
    given = parseArgs({
      args: [...args],
      options: { 'rounds': option, 'games': option, 'at-once': option, 'step': option, 'json': { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const whole = { 'rounds': Number(given.rounds ?? 5), 'games': Number(given.games ?? 50), 'at-once': Number(given['at-once'] ?? 10) };
  for (const [name, value] of Object.entries(whole))
    if (!Number.isSafeInteger(value) || value < 1) return `--${name}: a whole number from 1 is wanted.`;
  const step = Number(given.step ?? 0.5);
  if (!(step >= 0.1 && step <= 60)) return '--step: a number from 0.1 to 60 is wanted.';
  return { rounds: whole.rounds, games: whole.games, atOnce: whole['at-once'], step, json: given.json };
}

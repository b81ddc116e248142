import { parseArgs } from 'node:util';
import { busAlone } from './system/bus-throughput.ts';
import { runChaos } from './chaos.ts';
import { decisions } from './system/decision-latency.ts';
import { type Figure, machine, tableOf } from './figures.ts';
import { games } from './system/games.ts';
import { runFuzz } from './fuzz/fuzz.ts';
import { gatewayCost } from './gateway/latency.ts';
import { runGatewayFairness } from './gateway/fairness.ts';
import { gatewayLeaks } from './gateway/leaks.ts';
import { gatewayLoad } from './gateway/load.ts';
import { runGatewaySim } from './gateway/simulation.ts';
import { runLaws } from './laws/laws.ts';
import { runLeaks } from './leaks.ts';
import { messages } from './system/message-count.ts';
import { runRecovery } from './recovery/recovery.ts';
import { runScale } from './scale/scale.ts';
import { runSchedules } from './schedules.ts';
import { runSimulate } from './games/simulate.ts';
import { runStrength } from './games/strength.ts';
import { tape } from './system/tape-throughput.ts';
import { runTelemetry } from './system/tracing-cost.ts';

export interface BenchOptions {
  readonly runs: number;
  readonly games: number;
  readonly signal: AbortSignal;
  say(line: string): void;
}

const MEASURES: { readonly [name: string]: { readonly says: string; measure(options: BenchOptions): Promise<readonly Figure[]> } } = {
  'messages': { says: 'messages per played action, by phase', measure: messages },
  'decisions': { says: 'overhead of one decision with a model that answers at once, on RabbitMQ', measure: decisions },
  'games': { says: 'games per second and memory of each service with many games at once, on RabbitMQ', measure: games },
  'bus': { says: 'the bus alone against amqplib alone', measure: busAlone },
  'tape': { says: 'events a second into the tape, on PostgreSQL and on PGlite', measure: tape },
  'gateway': { says: 'what the gateway adds to a model server that answers after 20 ms, by HTTP and by messages', measure: gatewayCost },
  'gateway-load': { says: 'idle slots, the highest rate, and the memory of ten thousand that wait', measure: gatewayLoad },
  'gateway-leaks': { says: 'what a gateway has left after ten thousand requests of which anything may happen', measure: gatewayLeaks },
};

const list = (): string =>
  Object.entries({
    ...MEASURES,
    'strength': {
      says: 'how often each side of each game wins with `rules` minds against random play; has options of its own, is not in all',
    },
    'simulate': { says: 'random games per second and core, and the weight of a long game; has options of its own, is not in all' },
    'chaos': { says: 'very many tables while everything fails that can, and what is left of them; has options of its own, is not in all' },
    'laws': { says: 'the laws of the games on very many games, on all cores; has options of its own, is not in all' },
    'schedules': {
      says: 'every schedule of two replicas at a small table, and very many at whole games; has options of its own, is not in all',
    },
    'scale': {
      says: 'what very many tables cost, running and on disk, and whether replicas share them; has options of its own, is not in all',
    },
    'recovery': { says: 'how long it takes after each kind of kill until games go on; has options of its own, is not in all' },
    'telemetry': { says: 'what a game costs without traces, with a tenth, with all; has options of its own, is not in all' },
    'fuzz': { says: 'mutated and random messages and requests to every service; has options of its own, is not in all' },
    'leaks': { says: 'what seats, spans, logs and metrics get to know of many games; has options of its own, is not in all' },
    'gateway-sim': { says: 'the simulation of the gateway’s design on the line of the gateway; has options of its own, is not in all' },
    'gateway-fairness': { says: 'the same load on the gateway itself, in scaled real time; has options of its own, is not in all' },
  })
    .map(([name, { says }]) => `  ${name.padEnd(16)} ${says}`)
    .join('\n');

/** `maw bench NAME|all [--runs N] [--games N] [--json]`. Prints a table; returns the exit code. */
export async function runBench(what: string | undefined, args: readonly string[], signal: AbortSignal): Promise<number> {
  if (what === 'chaos') return runChaos(args, signal);
  if (what === 'laws') return runLaws(args, signal);
  if (what === 'scale') return runScale(args, signal);
  if (what === 'recovery') return runRecovery(args, signal);
  if (what === 'telemetry') return runTelemetry(args, signal);
  if (what === 'schedules') return runSchedules(args, signal);
  if (what === 'fuzz') return runFuzz(args, signal);
  if (what === 'leaks') return runLeaks(args, signal);
  if (what === 'strength') return runStrength(args, signal);
  if (what === 'simulate') return runSimulate(args, signal);
  if (what === 'gateway-sim') return runGatewaySim(args, signal);
  if (what === 'gateway-fairness') return runGatewayFairness(args, signal);
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '5' },
      games: { type: 'string', default: '100' },
      json: { type: 'boolean', default: false },
    },
  });
  const [runs, count] = [Number(values.runs), Number(values.games)];
  const isNamed = what !== undefined && (what === 'all' || Object.hasOwn(MEASURES, what));
  if (!isNamed || !(Number.isInteger(runs) && runs >= 1) || !(Number.isInteger(count) && count >= 1)) {
    process.stderr.write(`maw bench NAME|all [--runs N] [--games N] [--json], where NAME is one of\n${list()}\n`);
    return 2;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  say(machine());
  for (const [name, { says, measure }] of Object.entries(MEASURES)) {
    if (what !== 'all' && what !== name) continue;
    if (signal.aborted) return 130;
    say(`${name}: ${says}, ${runs} runs`);
    const figures = await measure({ runs, games: count, signal, say });
    process.stdout.write(
      values.json
        ? figures.map((figure) => `${JSON.stringify({ bench: name, machine: machine(), ...figure })}\n`).join('')
        : `\n### ${name}: ${says}\n\n${machine()}\n\n${tableOf(figures)}\n`,
    );
  }
  return signal.aborted ? 130 : 0;
}

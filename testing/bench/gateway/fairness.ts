import { parseArgs } from 'node:util';
import { runLiveTrial, type TrialResult } from '../../gateway-lab/live-trial.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { machine, median } from '../figures.ts';

const USAGE = 'maw bench gateway-fairness [--runs SEEDS] [--minutes SIMULATED] [--json]\n';
const SERVERS = 2;
const SLOTS_EACH = 4;
/** An answer of ten tokens takes a fiftieth of the three seconds of the design. */
const MS_PER_TOKEN = 6;

/** The table of the design, for the policy that the gateway follows under such a load. */
const LOADS = [
  { name: '130 %, a hog', games: 6, greed: 4, designed: { urgent: 100, talk: 94.1, worst: 92.9, greedy: 38.6 } },
  { name: '162 %, a hog', games: 8, greed: 4, designed: { urgent: 100, talk: 70.4, worst: 75, greedy: 23.6 } },
] as const;
const MEASURES = { urgent: 'votes+night', talk: 'talk', worst: 'worst other game', greedy: 'hog' } as const;

/**
 * `maw bench gateway-fairness`: the load of the design on the real gateway in front of simulated servers, in scaled real time, first come first
 * served and as the gateway does it, in turn. Returns the exit code.
 */
export async function runGatewayFairness(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
    },
  });
  const [runs, minutes] = [Number(values.runs), Number(values.minutes)];
  if (!(Number.isInteger(runs) && runs >= 1) || !(minutes > 0 && minutes <= 600)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  say(machine());
  const lines: string[] = [];
  for (const { name, games, greed, designed } of LOADS) {
    const first: TrialResult[] = [];
    const fair: TrialResult[] = [];
    for (let run = 1; run <= runs; run++) {
      const load = { games, greed, forMs: minutes * 60_000, phases: 'apart', seed: `seed ${run}` } as const;
      for (const [line, kept] of [['fifo', first] as const, ['fair', fair] as const]) {
        if (signal.aborted) return 130;
        const came = await tried(load, line, signal);
        kept.push(came);
        say(`${name}, seed ${run}, ${line}: ${inWords(came)}; 1:${(1 / came.scale).toFixed(0)}, ${came.failed} failed`);
      }
    }
    for (const [policy, all] of Object.entries({ FIFO: first, gateway: fair }))
      lines.push(
        values.json
          ? JSON.stringify({ bench: 'gateway-fairness', machine: machine(), load: name, policy, minutes, runs: all })
          : `| ${name} | ${policy} | ${keys.map((key) => middle(all, key)).join(' | ')} |`,
      );
    if (!values.json) lines.push(`| ${name} | design, simulated | ${keys.map((key) => designed[key].toFixed(1)).join(' | ')} |`);
  }
  const head = `| load | line | ${Object.values(MEASURES).join(' | ')} |\n| --- | --- |${' --- |'.repeat(keys.length)}`;
  process.stdout.write(
    values.json
      ? `${lines.join('\n')}\n`
      : `\n### gateway-fairness: per cent answered in time, medians of ${runs} seeds of ${minutes} minutes\n\n${machine()}\n\n${head}\n${lines.join('\n')}\n`,
  );
  return 0;
}

const keys = Object.keys(MEASURES) as (keyof typeof MEASURES)[];

async function tried(load: Parameters<typeof runLiveTrial>[0]['load'], line: 'fair' | 'fifo', signal: AbortSignal): Promise<TrialResult> {
  const simulators = await Promise.all(
    Array.from({ length: SERVERS }, (_, i) =>
      startSimulator({ seed: i + 1, slots: SLOTS_EACH, decodeMsPerToken: MS_PER_TOKEN, prefillMsPerToken: 0.02 }),
    ),
  );
  try {
    const servers = simulators.map(({ url }) => ({ url, name: new URL(url).host, authorization: undefined, slots: SLOTS_EACH }));
    return await runLiveTrial({ servers, load, line, signal });
  } finally {
    for (const simulator of simulators) await simulator.close();
  }
}

const percent = (share: number | undefined): string => (100 * (share ?? Number.NaN)).toFixed(1);
const middle = (all: readonly TrialResult[], key: keyof typeof MEASURES): string => percent(median(all.map((one) => one[key]!)));
const inWords = (came: TrialResult): string => keys.map((key) => `${MEASURES[key]} ${percent(came[key])} %`).join(', ');

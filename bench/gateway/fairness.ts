import { runLiveTrial, type TrialResult } from '@maw/tests/equipment/gateway-lab/live-trial.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { benchmark } from '../benchmark.ts';
import { median } from '../figures.ts';
import { decimal, integer } from '../options.ts';

const SERVERS = 2;
const SLOTS_EACH = 4;
/** An answer of ten tokens takes a fiftieth of the three seconds of the design. */
const MS_PER_TOKEN = 6;

/** Figures of the design, for the policy that the gateway follows under such a load. */
const LOADS = [
  { name: '130 %, a hog', games: 6, greed: 4, designed: { urgent: 100, talk: 94.1, worst: 92.9, greedy: 38.6 } },
  { name: '162 %, a hog', games: 8, greed: 4, designed: { urgent: 100, talk: 70.4, worst: 75, greedy: 23.6 } },
] as const;
const MEASURES = { urgent: 'votes+night', talk: 'talk', worst: 'worst other game', greedy: 'hog' } as const;

const keys = Object.keys(MEASURES) as (keyof typeof MEASURES)[];

/** The load of the design on the real gateway in front of simulated servers, in scaled real time: first come first served, and as it is. */
export const gatewayFairness = benchmark({
  name: 'gateway-fairness',
  description: 'per cent of requests answered in time by the real gateway, in scaled real time, beside the design',
  options: {
    runs: integer('seeds', { fallback: 3 }),
    minutes: decimal('simulated minutes', { fallback: 20, max: 600 }),
  },
  async measure({ runs, minutes }, { signal, say }) {
    const rows: string[] = [];
    const json: object[] = [];
    for (const { name, games, greed, designed } of LOADS) {
      const results: Record<'fifo' | 'fair', TrialResult[]> = { fifo: [], fair: [] };
      for (let run = 1; run <= runs; run++)
        for (const queue of ['fifo', 'fair'] as const) {
          signal.throwIfAborted();
          const load = { games, greed, forMs: minutes * 60_000, phases: 'apart', seed: `seed ${run}` } as const;
          const result = await runTrial(load, queue, signal);
          results[queue].push(result);
          say(`${name}, seed ${run}, ${queue}: ${inWords(result)}; 1:${(1 / result.scale).toFixed(0)}, ${result.failed} failed`);
        }
      for (const [policy, all] of Object.entries({ FIFO: results.fifo, gateway: results.fair })) {
        json.push({ load: name, policy, minutes, runs: all });
        rows.push(`| ${name} | ${policy} | ${keys.map((key) => middle(all, key)).join(' | ')} |`);
      }
      rows.push(`| ${name} | design, simulated | ${keys.map((key) => designed[key].toFixed(1)).join(' | ')} |`);
    }
    const head = `| load | line | ${Object.values(MEASURES).join(' | ')} |\n| --- | --- |${' --- |'.repeat(keys.length)}`;
    return { text: `Medians of ${runs} seeds of ${minutes} minutes.\n\n${head}\n${rows.join('\n')}`, json };
  },
});

async function runTrial(
  load: Parameters<typeof runLiveTrial>[0]['load'],
  queue: 'fair' | 'fifo',
  signal: AbortSignal,
): Promise<TrialResult> {
  const simulators = await Promise.all(
    Array.from({ length: SERVERS }, (_, i) =>
      startSimulator({ seed: i + 1, slots: SLOTS_EACH, decodeMsPerToken: MS_PER_TOKEN, prefillMsPerToken: 0.02 }),
    ),
  );
  try {
    const servers = simulators.map(({ url }) => ({ url, name: new URL(url).host, authorization: undefined, slots: SLOTS_EACH }));
    return await runLiveTrial({ servers, load, queue, signal });
  } finally {
    for (const simulator of simulators) await simulator.close();
  }
}

const percent = (share: number | undefined): string => (100 * (share ?? Number.NaN)).toFixed(1);
const middle = (all: readonly TrialResult[], key: keyof typeof MEASURES): string => percent(median(all.map((one) => one[key]!)));
const inWords = (result: TrialResult): string => keys.map((key) => `${MEASURES[key]} ${percent(result[key])} %`).join(', ');

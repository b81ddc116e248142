import { type Policy, policies, simulate, type SimulationResult } from '@maw/tests/equipment/gateway-lab/queue-simulation.ts';
import { benchmark } from '../benchmark.ts';
import { median } from '../figures.ts';
import { decimal, integer, knownName, text } from '../options.ts';

const SLOTS = 8;

/** In per cent, as in the table of the design: `worst` is the worst game that is not greedy, `wasted` slot time. */
type Designed = readonly [urgent: number, talk: number, worst: number, greedy: number | undefined, wasted: number];
const none = undefined;

interface Row {
  readonly load: string;
  readonly games: number;
  readonly greed: number;
  /** Figures of the design, by policy. */
  readonly designed: { readonly [policy: string]: Designed };
}

const [FIFO, EDF, SFQ, K10, K15] = [
  'FIFO',
  'EDF+drop',
  'SFQ > EDF, k=1.0',
  'class > SFQ > EDF, k=1.0',
  'class > SFQ > EDF, k=1.5',
] as const;
const ROWS: readonly Row[] = [
  {
    load: '63 %',
    games: 4,
    greed: 1,
    designed: { [FIFO]: [100, 98.4, 98.3, none, 1.2], [EDF]: [100, 98.8, 99, none, 0.9], [K10]: [100, 98, 97.9, none, 0.9] },
  },
  {
    load: '95 %',
    games: 6,
    greed: 1,
    designed: { [FIFO]: [100, 96.1, 94.9, none, 1.3], [EDF]: [100, 98.5, 98.6, none, 1], [K10]: [100, 95.4, 92.9, none, 0.8] },
  },
  {
    load: '126 %',
    games: 8,
    greed: 1,
    designed: {
      [FIFO]: [72.3, 75.1, 69.9, none, 11.4],
      [EDF]: [65.7, 71.6, 58.1, none, 23.4],
      [SFQ]: [83.2, 75.5, 75.7, none, 4],
      [K15]: [100, 70.7, 74.9, none, 2.4],
    },
  },
  {
    load: '189 %',
    games: 12,
    greed: 1,
    designed: { [FIFO]: [25.1, 41, 26.4, none, 46.5], [EDF]: [27.8, 40.7, 28.3, none, 48.8], [K15]: [99.9, 36.1, 49.7, none, 4.9] },
  },
  {
    load: '130 %, a hog',
    games: 6,
    greed: 4,
    designed: {
      [FIFO]: [73.8, 74.1, 67, 66.9, 13.7],
      [EDF]: [70.1, 76.9, 63.8, 58.3, 19.6],
      [SFQ]: [98, 95.7, 94.8, 36.3, 5.2],
      [K15]: [100, 94.1, 92.9, 38.6, 2.9],
    },
  },
  {
    load: '162 %, a hog',
    games: 8,
    greed: 4,
    designed: { [FIFO]: [47, 52.8, 43.1, 44, 33.6], [EDF]: [44.2, 55.5, 42.6, 40.9, 35.9], [K15]: [100, 70.4, 75, 23.6, 3.7] },
  },
];
const POLICIES: readonly Policy[] = [
  policies.fifo,
  policies.earliest,
  policies.classless(1),
  policies.recommended(1),
  policies.recommended(1.5),
];

const MEASURES = {
  'votes+night': (one) => one.urgent,
  'talk': (one) => one.talk,
  'worst normal game': (one) => one.worst,
  'hog': (one) => one.greedy,
  'slot time wasted': (one) => one.wasted,
} as const satisfies { readonly [name: string]: (one: SimulationResult) => number | undefined };

const PHASES = { apart: 'apart', chance: 'by chance' } as const;

/** The simulation of the design (section 2 of the page on the gateway) on the queue of the gateway, beside the figures of the design. */
export const gatewaySimulation = benchmark({
  name: 'gateway-sim',
  description: 'per cent of requests answered in time by the queue of the gateway, simulated, beside the design',
  options: {
    runs: integer('seeds', { fallback: 3 }),
    hours: decimal('simulated hours', { fallback: 2, max: 100 }),
    phases: text<string>('apart or chance: how the phases of games lie to each other', 'apart', 'HOW'),
  },
  async measure(values, { signal }) {
    const { runs, hours } = values;
    const phases = PHASES[knownName(values.phases, 'phases', Object.keys(PHASES)) as keyof typeof PHASES];
    const rows: string[] = [];
    const json: object[] = [];
    for (const { load, games, greed, designed } of ROWS)
      for (const policy of POLICIES) {
        await new Promise(setImmediate); // so that it can be interrupted
        signal.throwIfAborted();
        const seeds = Array.from({ length: runs }, (_, i) => `seed ${i + 1}`);
        const all = seeds.map((seed) => simulate({ games, greed, forMs: hours * 3_600_000, phases, seed }, SLOTS, policy));
        if (all.some(({ isConserving }) => !isConserving)) throw new Error(`${policy.name} left a slot free while a request waited`);
        const cells = Object.entries(MEASURES).map(([name, of], i) => ({
          name,
          seen: middle(all, of),
          designed: designed[policy.name]?.[i],
        }));
        const offered = middle(all, (one) => one.offered)!;
        json.push({ load, offered, policy: policy.name, runs, hours, phases, cells });
        const shown = cells.map((cell) => `${inPercent(cell.seen)}${cell.designed === undefined ? '' : ` (${cell.designed})`}`);
        rows.push(`| ${load} | ${policy.name} | ${shown.join(' | ')} |`);
      }
    const names = Object.keys(MEASURES);
    const head = `| load | policy | ${names.join(' | ')} |\n| --- | --- |${' --- |'.repeat(names.length)}`;
    return { text: `Medians of ${runs} seeds, ${hours} h; figures of the design in brackets.\n\n${head}\n${rows.join('\n')}`, json };
  },
});

const middle = (all: readonly SimulationResult[], of: (one: SimulationResult) => number | undefined): number | undefined => {
  const numbers = all.map(of);
  return numbers.every((one) => one !== undefined) ? Math.round(1000 * median(numbers)) / 10 : undefined;
};

const inPercent = (share: number | undefined): string => (share === undefined ? '' : share.toFixed(1));

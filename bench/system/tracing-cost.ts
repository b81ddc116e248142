import type { System } from '@maw/cli/up/system.ts';
import { benchmark, type BenchmarkContext } from '../benchmark.ts';
import { type Figure, figuresTable } from '../figures.ts';
import { startMeasuredProcess } from '../measured-process.ts';
import { decimal, integer, type Values } from '../options.ts';
import { playLoad } from '../scale/load-level.ts';
import { type Load, PLAYERS, RULES } from '../scale/table-opener.ts';
import { type ServerUrls, withServers, withSystem } from '../system-under-test.ts';
import type { Received } from './trace-receiver.ts';

const options = {
  'rounds': integer('how often each sampling ratio is measured: none, a tenth, everything', { fallback: 5 }),
  'games': integer('games in a measurement, after a fifth as many as a warm-up', { fallback: 50 }),
  'at-once': integer('games at once', { fallback: 10 }),
  'step': decimal('how long a step of the night lasts, in seconds', { fallback: 0.5, min: 0.1, max: 60 }),
};

/** `ratio`: the part of traces that is recorded. Undefined: no receiver is configured. */
const VARIANTS = [
  { says: 'no traces', ratio: undefined },
  { says: 'a tenth of traces', ratio: 0.1 },
  { says: 'all traces', ratio: 1 },
] as const;
type Variant = (typeof VARIANTS)[number];

interface Measurement {
  /** Processor time of all services, in seconds a game. */
  readonly cpu: number;
  readonly received: Received;
}

export const tracingCost = benchmark({
  name: 'telemetry',
  description: 'the cost of a game without traces, with a tenth of them, with all',
  options,
  measure: (values, context) =>
    withServers(async (urls) => {
      const receiver = await startMeasuredProcess('system/trace-receiver.ts', '');
      try {
        const figures = figuresOf(await measureRounds(values, urls, receiver.url, context));
        const text = `${values.games} games a measurement of ${PLAYERS} \`rules\` minds of ${RULES}, ${values['at-once']} at once; one of each service.\n\n${figuresTable(figures)}`;
        return { text, json: figures };
      } finally {
        receiver.close();
      }
    }),
});

async function measureRounds(values: Values<typeof options>, urls: ServerUrls, receiver: string, { signal, say }: BenchmarkContext) {
  const measured = VARIANTS.map(({ says }) => ({ says, measurements: [] as Measurement[] }));
  for (let round = 0; round < values.rounds; round++)
    for (const variant of inTurn(round)) {
      signal.throwIfAborted();
      const one = await measureOnce(variant, values, urls, receiver, signal);
      signal.throwIfAborted();
      measured[VARIANTS.indexOf(variant)]!.measurements.push(one);
      const { requests, bytes } = one.received;
      say(
        `round ${round + 1}, ${variant.says}: ${(one.cpu * 1_000).toFixed(0)} ms a game; ${requests} requests with ${bytes} bytes of traces`,
      );
    }
  return measured;
}

/** Rotates the variants, so that drift within a round favours none. */
export const inTurn = (round: number): readonly Variant[] => VARIANTS.map((_, i) => VARIANTS[(round + i) % VARIANTS.length]!);

/** The others are compared with the first variant, round by round. */
export function figuresOf(
  variants: readonly { readonly says: string; readonly measurements: readonly Measurement[] }[],
): readonly Figure[] {
  const [first, ...others] = variants as [(typeof variants)[number], ...typeof variants];
  return [
    ...variants.map(({ says, measurements }) => ({
      what: `processor time of all services, ${says}`,
      unit: 'ms/game',
      runs: measurements.map(({ cpu }) => cpu * 1_000),
    })),
    ...others.map(({ says, measurements }) => ({
      what: `${says} against ${first.says}`,
      unit: 'ratio',
      runs: measurements.map(({ cpu }, round) => cpu / first.measurements[round]!.cpu),
    })),
    ...others.map(({ says, measurements }) => ({
      what: `sent, ${says}`,
      unit: 'KiB',
      runs: measurements.map(({ received }) => received.bytes / 1024),
    })),
  ];
}

/** Starts all services, plays a warm-up, then the games that count. */
const measureOnce = ({ ratio }: Variant, values: Values<typeof options>, urls: ServerUrls, receiver: string, signal: AbortSignal) => {
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: ratio === undefined ? '' : receiver,
    OTEL_TRACES_SAMPLER_ARG: String(ratio ?? 1),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  };
  const { games, 'at-once': atOnce, step } = values;
  const load: Load = { atOnce, games, stepMs: Math.round(step * 1_000), apartMs: 0 };
  return withSystem(urls, { env: { all: traces } }, signal, async (system: System): Promise<Measurement> => {
    await playLoad(system, { ...load, games: Math.ceil(games / 5) }, signal);
    const before = await receivedBy(receiver);
    const { cpu } = await playLoad(system, load, signal);
    const now = await receivedBy(receiver);
    return { cpu: cpu / games, received: { requests: now.requests - before.requests, bytes: now.bytes - before.bytes } };
  });
};

const receivedBy = async (url: string): Promise<Received> => (await (await fetch(`${url}/received`)).json()) as Received;

import { diceOf } from '@maw/games/kernel/dice.ts';
import { TACTICS_004 } from '@maw/learning/policy/tactics.ts';
import { createNetwork } from '@maw/learning/network/network.ts';
import { formatPolicy } from '@maw/learning/policy/policy.ts';
import { servedPolicy, type ServedPolicy } from '@maw/learning/policy/served-policy.ts';

const SIZES = [
  { dimension: 256, hidden: [32, 32], quantiles: 1 },
  { dimension: 1536, hidden: [256, 256], quantiles: 32 },
] as const;
const AT_ONCE = [1, 64] as const;
const BATCHES = { 1: 2_000, 64: 100 } as const;

/** What a seat knows late in a game of five. */
const observation = {
  role: 'robber',
  turn: 2,
  log: Array.from(
    { length: 14 },
    (_, i) => `p${i % 5}: I was dealt the Seer. I looked at p${(i + 2) % 5} and saw a Villager, so I suspect me.`,
  ),
  belief: Object.fromEntries(['me', 'p1', 'p2', 'p3', 'p4'].flatMap((seat) => ['werewolf', 'villager', 'seer'].map((card) => [`${seat}=${card}`, 0.3]))), // prettier-ignore
};

interface Latency {
  readonly size: string;
  readonly atOnce: number;
  /** Milliseconds from the request to the tactic, encoding included. */
  readonly p50: number;
  readonly p99: number;
}

/** How long a policy with two critics takes to choose a tactic, in this thread; of those asked at once the last one waits for all. */
export async function policyLatencies(signal: AbortSignal): Promise<readonly Latency[]> {
  const latencies: Latency[] = [];
  for (const { dimension, hidden, quantiles } of SIZES) {
    const policy = policyOf(dimension, hidden, quantiles);
    for (const atOnce of AT_ONCE) {
      const times: number[] = [];
      for (let batch = 0; batch < BATCHES[atOnce] && !signal.aborted; batch++) times.push(...(await timesOf(policy, atOnce)));
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? NaN;
      latencies.push({ size: [dimension, ...hidden].join('-'), atOnce, p50: at(0.5), p99: at(0.99) });
    }
  }
  return latencies;
}

function policyOf(dimension: number, hidden: readonly number[], quantiles: number): ServedPolicy {
  const widths = [dimension, ...hidden, TACTICS_004.length * quantiles];
  const critics = [0, 1].map((i) => createNetwork(widths, diceOf('latency', `${i}`)));
  const { card, weights } = formatPolicy(critics, {
    encoder: `hashed-ngrams-1:${dimension}:0`,
    tactics: [...TACTICS_004],
    quantiles,
    training: {},
    data: { source: 'none', sha256: '0', choices: 0 },
  });
  return servedPolicy({ name: 'latency', version: 1, card, weights: Buffer.from(weights).toString('base64') });
}

async function timesOf(policy: ServedPolicy, atOnce: number): Promise<readonly number[]> {
  const began = performance.now();
  const noModel = { embed: () => Promise.reject(new Error('n-grams need no model')) };
  return Promise.all(
    Array.from({ length: atOnce }, async () => {
      await Promise.resolve();
      await policy.choose(observation, noModel);
      return performance.now() - began;
    }),
  );
}

export function latencyTable(latencies: readonly Latency[]): string {
  const heads = ['layers', 'asked at once', 'p50, ms', 'p99, ms'];
  const rows = latencies.map(({ size, atOnce, p50, p99 }) => [size, String(atOnce), p50.toFixed(2), p99.toFixed(2)]);
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

import { createWebClient } from '@maw/cli/clients/web-client.ts';
import type { System } from '@maw/cli/up/system.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { quantile } from '../figures.ts';
import { type ServerUrls, withServers, withSystem } from '../system-under-test.ts';

/** From a question on the tape to the first answer of each mind that is asked, with a model that answers at once and minds that do not wait. */
export const decisionLatency = figuresBenchmark(
  'decisions',
  'the latency of one decision with a model that answers at once, on RabbitMQ',
  ({ runs }, { signal, say }) =>
    withServers((urls) =>
      withInstantModel(urls, signal, async (system) => {
        const [p50, p99, counts]: [number[], number[], number[]] = [[], [], []];
        for (let run = -1; run < runs && !signal.aborted; run++) {
          const waits = await playOnce(system, run, signal);
          if (run < 0) continue; // the first game is a warm-up
          p50.push(quantile(waits, 0.5));
          p99.push(quantile(waits, 0.99));
          counts.push(waits.length);
          say(`run ${run + 1}: ${waits.length} decisions, p50 ${p50.at(-1)} ms, p99 ${p99.at(-1)} ms`);
        }
        return [
          { what: 'question asked to act accepted, p50', unit: 'ms', runs: p50 },
          { what: 'question asked to act accepted, p99', unit: 'ms', runs: p99 },
          { what: 'decisions in a run', unit: '', runs: counts },
        ];
      }),
    ),
);

const SLOTS = 16;

async function withInstantModel<T>(urls: ServerUrls, signal: AbortSignal, use: (system: System) => Promise<T>): Promise<T> {
  const model = await startSimulator({ models: [{ name: 'instant' }], slots: SLOTS });
  const env = { 'player': { MAX_WAIT_S: '0' }, 'llm-gateway': { AGENT_RPM: '100000', AGENT_BURST: '1000' } };
  try {
    return await withSystem(urls, { ollamaUrl: `${model.url}=${SLOTS}`, env }, signal, use);
  } finally {
    await model.close();
  }
}

async function playOnce({ url, adminToken }: System, run: number, signal: AbortSignal): Promise<readonly number[]> {
  const client = createWebClient(url, adminToken);
  const { table } = await client.open({
    rules: 'maw',
    players: 6,
    seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe: 'algorithm-1' })),
    rounds: 6,
    pauseMs: 100,
    options: { dayMs: 2_000, nightMs: 2_000, dayTie: 'random', maxDays: 8 },
    seed: `bench ${run}`,
  });
  for await (const news of client.follow(table, { as: 'narrator', signal })) if (news.kind === 'over') break;
  return firstAnswers(client.tape(table, 'narrator'));
}

/** Milliseconds from each phase's questions to the first answer of each seat, by the tape's own times. */
async function firstAnswers(
  tape: AsyncIterable<{ readonly at: number; readonly event: { readonly type: string; readonly [field: string]: unknown } }>,
): Promise<readonly number[]> {
  const asked = new Map<string, number>();
  const first = new Map<string, number>();
  const phaseOf = (id: string) => id.slice(0, id.lastIndexOf('/'));
  for await (const { at, event } of tape) {
    if (event.type === 'asked') asked.set(phaseOf((event['question'] as { id: string }).id), at);
    if (event.type !== 'answered') continue;
    const phase = phaseOf(event['question'] as string);
    const key = `${phase} ${(event['answer'] as { by: number }).by}`;
    if (phase.startsWith('round') && !first.has(key)) first.set(key, at - asked.get(phase)!);
  }
  return [...first.values()];
}

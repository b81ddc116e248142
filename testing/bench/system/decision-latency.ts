import { readCliConfig } from '@maw/cli/config.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { startDevServers } from '@maw/cli/dev-servers/dev-servers.ts';
import { startSystem } from '@maw/cli/up/system.ts';
import { instantModel } from '../../fakes/instant-model.ts';
import { type Figure, quantile } from '../figures.ts';
import type { BenchOptions } from '../main.ts';

/** From a question on the tape to the first answer of each mind that is asked, with a model that answers at once and minds that do not wait. */
export async function decisions({ runs, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  const lane = await startDevServers({});
  try {
    if (lane.amqpUrl === undefined || lane.databaseUrl === undefined) throw new Error(lane.missing.join('\n'));
    const model = await instantModel();
    const system = await startSystem({
      ollamaUrl: `${model.url}=16`,
      amqpUrl: lane.amqpUrl,
      databaseUrl: lane.databaseUrl,
      port: 0,
      base: readCliConfig().all,
      env: { 'player': { MAX_WAIT_S: '0' }, 'llm-gateway': { AGENT_RPM: '100000', AGENT_BURST: '1000' }, 'all': { LOG_LEVEL: 'error' } },
      graceMs: 5_000,
      say: () => {},
    });
    try {
      if (!(await system.isOpen(60_000, signal))) throw new Error('the services did not start');
      const at = createWebClient(system.url, system.adminToken);
      const [p50, p99, counts]: [number[], number[], number[]] = [[], [], []];
      for (let run = -1; run < runs && !signal.aborted; run++) {
        const { table } = await at.open({
          rules: 'maw',
          players: 6,
          seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe: 'algorithm-1' })),
          rounds: 6,
          pauseMs: 100,
          options: { dayMs: 2_000, nightMs: 2_000, dayTie: 'random', maxDays: 8 },
          seed: `bench ${run}`,
        });
        for await (const news of at.follow(table, { as: 'narrator', signal })) if (news.kind === 'over') break;
        const waits = await firstAnswers(at.tape(table, 'narrator'));
        if (run < 0) continue; // the first game warms everything up
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
    } finally {
      await system.close();
      await model.close();
    }
  } finally {
    await lane.close();
  }
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

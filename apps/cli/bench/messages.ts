import { openHouse } from '../house.ts';
import type { Figure } from './figures.ts';
import type { BenchOptions } from './run.ts';
import { registry } from '@maw/telemetry/metrics.ts';

/**
 * How many messages the platform exchanges for each act that is played, questions, acts, answers, lines and doorbells all counted; the count
 * does not depend on how messages travel, so everything runs in this process. By day and by night, and by what is said.
 */
export async function messages({ runs, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  const house = await openHouse({
    port: 0,
    models: { url: undefined, model: undefined, says: '', sim: {} },
    maxWaitS: 0.5,
    logLevel: 'error',
  });
  const figures: Record<string, number[]> = {};
  const note = (what: string, n: number) => (figures[what] ??= []).push(n);
  try {
    for (let run = 0; run < runs && !signal.aborted; run++) {
      for (const recipe of ['algorithm-1', 'rules']) {
        const counts = { day: { sent: 0, acts: 0 }, night: { sent: 0, acts: 0 } };
        const { table } = await house.door.open({
          rules: 'maw',
          players: 6,
          seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe })),
          rounds: 1,
          options: { dayMs: 3_000, nightMs: 3_000, maxDays: 5 },
          seed: `messages ${run}`,
        });
        let before = await sent();
        let part: 'day' | 'night' | undefined;
        for await (const news of house.door.follow(table, { as: 'narrator', signal })) {
          if (news.kind !== 'seen') continue;
          const { event } = news.seen;
          if (part && event.type === 'answered') counts[part].acts++;
          if (event.type !== 'dawned' && event.type !== 'dusked' && event.type !== 'ended') continue;
          const now = await sent();
          if (part) counts[part].sent += now - before;
          before = now;
          part = event.type === 'dawned' ? 'day' : 'night';
        }
        for (const [name, { sent: n, acts }] of Object.entries(counts)) if (acts) note(`messages per act by ${name}, ${recipe}`, n / acts);
        say(`run ${run + 1}, ${recipe}: ${JSON.stringify(counts)}`);
      }
    }
  } finally {
    await house.close();
  }
  return Object.entries(figures).map(([what, each]) => ({ what, unit: 'messages', runs: each }));
}

async function sent(): Promise<number> {
  const metric = await registry.getSingleMetric('maw_messages_sent_total')!.get();
  return metric.values.reduce((sum, { value }) => sum + value, 0);
}

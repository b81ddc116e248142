import { registry } from '@maw/telemetry/metrics.ts';
import type { WebClient } from '@maw/cli/clients/web-client.ts';
import { startInProcessSystem } from '@maw/cli/in-process-system.ts';
import type { Figure } from '../figures.ts';
import type { BenchOptions } from '../main.ts';

const SAMPLE_MS = 20;
/** Looking at tables and opening them: nobody watches here but the one who waits for the end. */
const WATCHING = /^table\.(view|list|open)(\.reply)?$/;

/**
 * How many messages the platform exchanges for each act that is played: questions, acts, answers, lines, doorbells, readings and completions
 * all counted, while nobody watches. The count does not depend on how messages travel, so everything runs in this process.
 */
export async function messages({ runs, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  const models = { url: undefined, model: undefined, says: '', sim: {} };
  const house = await startInProcessSystem({ port: 0, models, maxWaitS: 2, logLevel: 'error' });
  const figures: Record<string, number[]> = {};
  const note = (what: string, n: number) => (figures[what] ??= []).push(n);
  try {
    for (let run = 0; run < runs && !signal.aborted; run++) {
      for (const recipe of ['algorithm-1', 'rules']) {
        const { table } = await house.door.open({
          rules: 'maw',
          players: 6,
          seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe })),
          rounds: 1,
          options: { dayMs: 10_000, nightMs: 10_000, maxDays: 4 },
          seed: `messages ${run}`,
        });
        const { counts, types } = await counted(house.door, table, signal);
        const acts = counts.day.acts + counts.night.acts;
        if (signal.aborted || !acts) continue;
        for (const [part, { sent, acts: some }] of Object.entries(counts))
          if (some) note(`messages per act by ${part}, ${recipe}`, sent / some);
        note(`messages per act, ${recipe}`, (counts.day.sent + counts.night.sent) / acts);
        const thoughts = types['llm.complete'] ?? 0;
        if (thoughts) note(`messages per thought, listening included, ${recipe}`, total(types) / thoughts);
        const most = Object.entries(types)
          .toSorted(([, a], [, b]) => b - a)
          .slice(0, 8);
        say(
          `run ${run + 1}, ${recipe}: ${acts} acts; of the whole game, an act: ${most.map(([type, n]) => `${type} ${(n / acts).toFixed(1)}`).join(', ')}`,
        );
      }
    }
  } finally {
    await house.close();
  }
  return Object.entries(figures).map(([what, each]) => ({ what, unit: 'messages', runs: each }));
}

/** Samples what is sent while a table is played, and divides it by the tape into days and nights. */
async function counted(door: WebClient, table: string, signal: AbortSignal) {
  const samples: { at: number; sent: number }[] = [];
  const start = await sentByType();
  const timer = setInterval(
    () => void sentByType().then((sent) => samples.push({ at: Date.now(), sent: total(sent) - total(start) })),
    SAMPLE_MS,
  );
  try {
    while (!signal.aborted && (await door.table(table)).stage !== 'over') await new Promise((resolve) => setTimeout(resolve, 1_000));
  } finally {
    clearInterval(timer);
  }
  const end = await sentByType();
  const upTo = (at: number): number => samples.findLast((sample) => sample.at <= at)?.sent ?? 0;
  const counts = { day: { sent: 0, acts: 0 }, night: { sent: 0, acts: 0 } };
  let part: 'day' | 'night' | undefined;
  let from = 0;
  for await (const { at, event } of door.tape(table, 'narrator')) {
    if (part && event.type === 'answered') counts[part].acts++;
    if (event.type !== 'dawned' && event.type !== 'dusked' && event.type !== 'ended') continue;
    if (part) counts[part].sent += upTo(at) - upTo(from);
    from = at;
    part = event.type === 'ended' ? undefined : event.type === 'dawned' ? 'day' : 'night';
  }
  const types = Object.fromEntries(Object.entries(end).map(([type, n]) => [type, n - (start[type] ?? 0)]));
  return { counts, types };
}

async function sentByType(): Promise<Readonly<Record<string, number>>> {
  const types: Record<string, number> = {};
  for (const { labels, value } of (await registry.getSingleMetric('maw_messages_sent_total')!.get()).values) {
    const type = String(labels['type']);
    if (!WATCHING.test(type)) types[type] = (types[type] ?? 0) + value;
  }
  return types;
}

const total = (types: Readonly<Record<string, number>>): number => Object.values(types).reduce((sum, n) => sum + n, 0);

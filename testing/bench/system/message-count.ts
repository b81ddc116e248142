import { registry } from '@maw/telemetry/metrics.ts';
import type { WebClient } from '@maw/cli/clients/web-client.ts';
import { startInProcessSystem } from '@maw/cli/in-process-system.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { untilOver } from '../system-under-test.ts';

const SAMPLE_MS = 20;
/** Only this benchmark looks at tables and opens them: not counted. */
const WATCHING = /^table\.(view|list|open)(\.reply)?$/;

/**
 * Messages per act: questions, acts, answers, lines, doorbells, readings and completions are all counted, while nobody watches. The count does
 * not depend on the transport, so everything runs in this process.
 */
export const messageCount = figuresBenchmark('messages', 'messages per act, by phase', async ({ runs }, { signal, say }) => {
  const models = { url: undefined, model: undefined, says: '', sim: {} };
  const system = await startInProcessSystem({ port: 0, models, maxWaitMs: 2_000, logLevel: 'error' });
  const figures = new Map<string, number[]>();
  const note = (what: string, n: number) => void figures.set(what, [...(figures.get(what) ?? []), n]);
  try {
    for (let run = 0; run < runs && !signal.aborted; run++)
      for (const recipe of ['algorithm-1', 'rules']) {
        const game = await countGame(system.web, recipe, run, signal);
        if (signal.aborted || !game.acts) continue;
        noteGame(game, recipe, note);
        say(`run ${run + 1}, ${recipe}: ${game.acts} acts; messages per act in the whole game: ${commonest(game)}`);
      }
  } finally {
    await system.close();
  }
  return [...figures].map(([what, each]) => ({ what, unit: 'messages', runs: each }));
});

async function countGame(door: WebClient, recipe: string, run: number, signal: AbortSignal) {
  const { table } = await door.open({
    rules: 'maw',
    players: 6,
    seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe })),
    rounds: 1,
    options: { dayMs: 10_000, nightMs: 10_000, maxDays: 4 },
    seed: `messages ${run}`,
  });
  const { counts, types } = await countMessages(door, table, signal);
  return { counts, types, acts: counts.day.acts + counts.night.acts };
}

type CountedGame = Awaited<ReturnType<typeof countGame>>;

function noteGame({ counts, types, acts }: CountedGame, recipe: string, note: (what: string, n: number) => void): void {
  for (const [part, { sent, acts: some }] of Object.entries(counts)) if (some) note(`messages per act by ${part}, ${recipe}`, sent / some);
  note(`messages per act, ${recipe}`, (counts.day.sent + counts.night.sent) / acts);
  const thoughts = types['llm.complete'] ?? 0;
  if (thoughts) note(`messages per thought, listening included, ${recipe}`, total(types) / thoughts);
}

const commonest = ({ types, acts }: CountedGame): string =>
  Object.entries(types)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([type, n]) => `${type} ${(n / acts).toFixed(1)}`)
    .join(', ');

/** Samples the messages sent while a table is played, and splits them into days and nights by the times on its tape. */
async function countMessages(door: WebClient, table: string, signal: AbortSignal) {
  const samples: { at: number; sent: number }[] = [];
  const start = await sentByType();
  const timer = setInterval(
    () => void sentByType().then((sent) => samples.push({ at: Date.now(), sent: total(sent) - total(start) })),
    SAMPLE_MS,
  );
  try {
    await untilOver(door, table, signal);
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

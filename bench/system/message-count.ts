import { registry } from '@maw/telemetry/metrics.ts';
import type { WebClient } from '@maw/cli/clients/web-client.ts';
import { startInProcessSystem } from '@maw/cli/in-process-system.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { untilOver } from '../system-under-test.ts';

const SAMPLE_MS = 20;
/** Only this benchmark looks at tables and opens them, and the Lobby is no part of the game: not counted. */
const LEFT_OUT = /^(table\.(view|list|open|join)|seat\.invited)(\.reply)?$/;

/**
 * Messages per act: questions, acts, answers, lines, doorbells, readings and completions are all counted, while nobody watches. The count does
 * not depend on the transport, so everything runs in this process.
 */
export const messageCount = figuresBenchmark('messages', 'messages per act, by phase', async ({ runs }, { signal, say }) => {
  const models = { servers: [], model: undefined, says: '', sim: {} };
  const system = await startInProcessSystem({ port: 0, models, maxWaitMs: 2_000, logLevel: 'error' });
  const figures = new Map<string, number[]>();
  const note = (what: string, n: number) => void figures.set(what, [...(figures.get(what) ?? []), n]);
  try {
    for (let run = 0; run < runs && !signal.aborted; run++)
      for (const recipe of ['algorithm-1', 'rules']) {
        const game = await countGame(system.web, recipe, run, signal);
        if (signal.aborted || !game.acts) continue;
        noteGame(game, recipe, note);
        for (const [part, { types, acts }] of Object.entries(game.counts))
          say(`run ${run + 1}, ${recipe}, by ${part}: ${acts} acts; messages: ${commonest(types)}`);
      }
  } finally {
    await system.close();
  }
  return [...figures].map(([what, each]) => ({ what, unit: 'messages', runs: each }));
});

async function countGame(door: WebClient, recipe: string, run: number, signal: AbortSignal) {
  const samples: Sample[] = [{ at: 0, types: await sentByType() }];
  const timer = setInterval(() => void sentByType().then((types) => samples.push({ at: Date.now(), types })), SAMPLE_MS);
  try {
    const { table } = await door.open({
      rules: 'maw',
      players: 6,
      seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe })),
      rounds: 1,
      options: { dayMs: 10_000, nightMs: 10_000, maxDays: 4 },
      seed: `messages ${run}`,
    });
    await untilOver(door, table, signal);
    const counts = await countParts(door, table, samples);
    return { counts, acts: counts.day.acts + counts.night.acts };
  } finally {
    clearInterval(timer);
  }
}

interface Sample {
  readonly at: number;
  readonly types: Types;
}

type CountedGame = Awaited<ReturnType<typeof countGame>>;

function noteGame({ counts, acts }: CountedGame, recipe: string, note: (what: string, n: number) => void): void {
  const { day, night } = counts;
  for (const [part, { types, acts: some }] of Object.entries(counts))
    if (some) note(`messages per act by ${part}, ${recipe}`, total(types) / some);
  const sent = total(day.types) + total(night.types);
  note(`messages per act, ${recipe}`, sent / acts);
  const thoughts = (day.types['llm.complete'] ?? 0) + (night.types['llm.complete'] ?? 0);
  if (thoughts) note(`messages per thought, listening included, ${recipe}`, sent / thoughts);
}

const commonest = (types: Types): string =>
  Object.entries(types)
    .filter(([, n]) => n)
    .toSorted(([, a], [, b]) => b - a)
    .map(([type, n]) => `${type} ${n}`)
    .join(', ');

/** Splits the messages that were sent into days and nights, by the times on the tape. */
async function countParts(door: WebClient, table: string, samples: readonly Sample[]) {
  const upTo = (at: number): Types => samples.findLast((sample) => sample.at <= at)!.types;
  const counts: Record<'day' | 'night', { types: Types; acts: number }> = { day: { types: {}, acts: 0 }, night: { types: {}, acts: 0 } };
  let part: 'day' | 'night' | undefined;
  let from = 0;
  for await (const { at, event } of door.tape(table, 'narrator')) {
    if (part && event.type === 'answered') counts[part].acts++;
    if (event.type !== 'dawned' && event.type !== 'dusked' && event.type !== 'ended') continue;
    if (part) counts[part].types = added(counts[part].types, difference(upTo(at), upTo(from)));
    from = at;
    part = event.type === 'ended' ? undefined : event.type === 'dawned' ? 'day' : 'night';
  }
  return counts;
}

type Types = Readonly<Record<string, number>>;

const difference = (after: Types, before: Types): Types =>
  Object.fromEntries(Object.entries(after).map(([type, n]) => [type, n - (before[type] ?? 0)]));
const added = (one: Types, other: Types): Types =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((type) => [type, (one[type] ?? 0) + (other[type] ?? 0)]),
  );

async function sentByType(): Promise<Types> {
  const types: Record<string, number> = {};
  for (const { labels, value } of (await registry.getSingleMetric('maw_messages_sent_total')!.get()).values) {
    const type = String(labels['type']);
    if (!LEFT_OUT.test(type)) types[type] = (types[type] ?? 0) + value;
  }
  return types;
}

const total = (types: Types): number => Object.values(types).reduce((sum, n) => sum + n, 0);

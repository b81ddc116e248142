import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { delaysFor } from '@maw/gamemaster/timing/time-given-back.ts';
import { compareDelays } from '@maw/tests/equipment/leaks/delay-leaks.ts';
import { findLeaks } from '@maw/tests/equipment/leaks/leak-search.ts';
import { play } from '@maw/tests/equipment/leaks/observed-game.ts';
import { difference, runPair } from '@maw/tests/equipment/leaks/paired-run.ts';
import { PAIRS } from '@maw/tests/equipment/leaks/world-pairs.ts';
import { type BenchmarkContext, benchmark } from './benchmark.ts';
import { integer, names, text } from './options.ts';

const RECIPES = ['random', 'rules', 'react'] as const;
const PROGRESS_MS = 5_000;
/** Illegal attempts of a seat in a pair of worlds. */
const PROBES = 12;
const MAX_SHOWN = 10;

interface Row {
  readonly rules: string;
  games: number;
  messages: number;
  spans: number;
  lines: number;
  leaks: number;
}

export const leaks = benchmark({
  name: 'leaks',
  description: 'searches what seats, spans, logs and metrics learn in many games, and compares pairs of worlds',
  options: {
    games: integer('games of each rule set, a third each with `random`, `rules` and `react` minds; and as many pairs of worlds', {
      fallback: 200,
    }),
    seed: text('the same seed deals the same roles', 'leaks'),
    rules: names(
      'rule sets',
      catalogue.map(({ name }) => name),
    ),
  },
  async measure({ games, seed, rules }, context) {
    const sets = catalogue.filter(({ name }) => rules?.includes(name) ?? true);
    context.say(`${games} games of each of ${sets.map(({ name }) => name).join(', ')}, seed ${seed}`);
    const rows: Row[] = [];
    const progress = progressReporter(games, context);
    for (const set of sets) rows.push(await searchGames(set, { games, seed, signal: context.signal, progress }));
    for (const set of sets) rows.push(await comparePairs(set, { games, signal: context.signal, progress }));
    return { text: tableOf(rows), json: rows.map((row) => ({ seed, ...row })), hasFailed: rows.some((row) => row.leaks > 0) };
  },
});

interface Search {
  readonly games: number;
  readonly signal: AbortSignal;
  progress(row: Row): void;
}

async function searchGames(set: RuleSet, { games, seed, signal, progress }: Search & { readonly seed: string }): Promise<Row> {
  const row = emptyRow(set.name);
  for (let n = 0; n < games && !signal.aborted; n++) {
    const recipe = RECIPES[n % RECIPES.length]!;
    const evidence = await play({ set, seed: `${seed}-${n}`, recipe });
    row.games++;
    row.messages += evidence.heard.length;
    row.spans += evidence.spans.length;
    row.lines += evidence.lines.length;
    countLeaks(row, `${set.name}, game ${n} of seed ${seed}, ${recipe} minds`, findLeaks(evidence));
    progress(row);
  }
  return row;
}

async function comparePairs({ name }: RuleSet, { games, signal, progress }: Search): Promise<Row> {
  const row = emptyRow(`pairs of worlds (${name})`);
  for (let n = 0; n < games && !signal.aborted; n++) {
    const pair = PAIRS[name]!(n);
    const run = await runPair(pair, { probes: PROBES });
    row.games++;
    row.messages += run.got[0].length + run.got[1].length;
    for (const why of [difference(run), compareDelays(pair, `pair ${n}`, delaysFor).difference])
      if (why !== undefined) countLeaks(row, `${row.rules}: pair ${n}, eye ${pair.eye}`, [why.slice(0, 4_000)]);
    progress(row);
  }
  return row;
}

const emptyRow = (rules: string): Row => ({ rules, games: 0, messages: 0, spans: 0, lines: 0, leaks: 0 });

function countLeaks(row: Row, where: string, found: readonly string[]): void {
  row.leaks += found.length;
  for (const one of found.slice(0, MAX_SHOWN)) process.stderr.write(`${where}: ${one}\n`);
}

function progressReporter(games: number, { say }: BenchmarkContext): (row: Row) => void {
  let reportedAt = performance.now();
  return (row) => {
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    say(`${row.rules}: ${row.games} of ${games}${row.leaks ? `, ${row.leaks} LEAKS` : ''}`);
  };
}

const tableOf = (rows: readonly Row[]): string =>
  [
    '| rule set | games | messages | spans | log lines | leaks |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.rules} | ${row.games} | ${row.messages} | ${row.spans} | ${row.lines} | ${row.leaks} |`),
  ].join('\n');

import { parseArgs } from 'node:util';
import { catalogue } from '@maw/games/catalogue.ts';
import { difference, runPair } from '../leaks/paired-run.ts';
import { play } from '../leaks/observed-game.ts';
import { findLeaks } from '../leaks/leak-search.ts';
import { PAIRS } from '../leaks/world-pairs.ts';
import { machine } from './figures.ts';

const USAGE = `maw bench leaks [--games N] [--seed S] [--rules NAMES] [--json]

  --games N     games of each rule set (200), a third each with \`random\`, \`rules\` and \`react\` minds; and so many pairs of worlds
  --seed S      the same seed deals the same roles
  --rules NAMES of ${catalogue.map(({ name }) => name).join(', ')}; all of them when not given
`;
const RECIPES = ['random', 'rules', 'react'] as const;
const PROGRESS_MS = 5_000;
/** How often a seat tries what it may not do, in a pair of worlds. */
const PROBES = 12;

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

interface Row {
  readonly rules: string;
  games: number;
  messages: number;
  spans: number;
  lines: number;
  leaks: number;
}

/**
 * `maw bench leaks`: plays games of every rule set with the real services on a bus in memory, and searches every message, span, log line and
 * metric for what its reader may not know; then plays pairs of worlds that an eye cannot tell apart. Returns the exit code: 1 when there is a leak.
 */
export async function runLeaks(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readLeaks(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const { games, seed, sets, json } = asked;
  say(`${machine()}; ${games} games of each of ${sets.map(({ name }) => name).join(', ')}, seed ${seed}`);
  const rows: Row[] = [];
  let told = performance.now();
  const progress = ({ rules, games: done, leaks }: Row): void => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    say(`${rules}: ${done} of ${games}${leaks ? `, ${leaks} LEAKS` : ''}`);
  };
  const leaked = (row: Row, what: string, found: readonly string[]): void => {
    row.leaks += found.length;
    for (const one of found.slice(0, 10)) process.stderr.write(`${what}: ${one}\n`);
  };
  for (const set of sets) {
    const row: Row = { rules: set.name, games: 0, messages: 0, spans: 0, lines: 0, leaks: 0 };
    rows.push(row);
    for (let n = 0; n < games && !signal.aborted; n++) {
      const recipe = RECIPES[n % RECIPES.length]!;
      const evidence = await play({ set, seed: `${seed}-${n}`, recipe });
      row.games++;
      row.messages += evidence.heard.length;
      row.spans += evidence.spans.length;
      row.lines += evidence.lines.length;
      leaked(row, `${set.name}, game ${n} of seed ${seed}, ${recipe} minds`, findLeaks(evidence));
      progress(row);
    }
  }
  for (const { name } of sets) {
    const pairs: Row = { rules: `pairs of worlds (${name})`, games: 0, messages: 0, spans: 0, lines: 0, leaks: 0 };
    rows.push(pairs);
    for (let n = 0; n < games && !signal.aborted; n++) {
      const pair = PAIRS[name]!(n);
      const both = await runPair(pair, { probes: PROBES });
      pairs.games++;
      pairs.messages += both.got[0].length + both.got[1].length;
      const why = difference(both);
      if (why !== undefined) leaked(pairs, `${pairs.rules}: pair ${n}, eye ${pair.eye}`, [why.slice(0, 4_000)]);
      progress(pairs);
    }
  }
  process.stdout.write(
    json
      ? rows.map((row) => `${JSON.stringify({ bench: 'leaks', seed, ...row })}\n`).join('')
      : `\n### leaks\n\n${machine()}\n\n${table(rows)}\n`,
  );
  if (signal.aborted) return 130;
  return rows.some(({ leaks }) => leaks) ? 1 : 0;
}

const table = (rows: readonly Row[]): string =>
  [
    '| rule set | games | messages | spans | log lines | leaks |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ rules, games, messages, spans, lines, leaks }) => `| ${rules} | ${games} | ${messages} | ${spans} | ${lines} | ${leaks} |`,
    ),
  ].join('\n');

/** What is to be played; a sentence when that cannot be. */
export function readLeaks(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { games: text, seed: text, rules: text, json: { type: 'boolean', default: false } },
    });
    const games = Number(values.games ?? 200);
    if (!Number.isSafeInteger(games) || games < 1) return '--games: a whole number from 1 is wanted.';
    const names = values.rules?.split(',').filter(Boolean);
    const unknown = names?.find((name) => !catalogue.some((set) => set.name === name));
    if (unknown !== undefined) return `there is no rule set ${unknown}; there are ${catalogue.map(({ name }) => name).join(', ')}.`;
    return { games, seed: values.seed ?? 'leaks', sets: catalogue.filter(({ name }) => names?.includes(name) ?? true), json: values.json };
  } catch (error) {
    return (error as Error).message;
  }
}

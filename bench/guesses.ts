import { catalogue } from '@maw/games/catalogue.ts';
import { DAY_ATTACKS, guess, MODEL_ATTACKS, NIGHT_ATTACKS } from '@maw/tests/equipment/leaks/guess-roles.ts';
import { playAtOnce } from '@maw/tests/equipment/leaks/running-games.ts';
import { watch, type WatchedTable } from '@maw/tests/equipment/leaks/watched-table.ts';
import { benchmark } from './benchmark.ts';
import { integer, names, text } from './options.ts';

/** With more, minds on two cores have no time to act. */
const AT_ONCE = 15;
const DAYS = 3;
const MAX_DEVIATIONS = 3;

export const guesses = benchmark({
  name: 'guesses',
  description: 'tries to name the wolves of running games by all spans, log lines and metrics, and by what is told of models that fail',
  options: {
    games: integer('games of each rule set', { fallback: 300 }),
    phase: integer('length of every phase and turn in milliseconds', { fallback: 700 }),
    seed: text('the same seed deals the same roles', 'guesses'),
    rules: names(
      'rule sets',
      catalogue.map(({ name }) => name),
    ),
  },
  async measure({ games, phase: phaseMs, seed, rules }, { signal, say }) {
    const rows = [];
    const sets = catalogue.filter(({ name }) => rules?.includes(name) ?? true);
    for (const [set, asksModels] of sets.flatMap((each) => [[each, false] as const, [each, true] as const])) {
      const tables: WatchedTable[] = [];
      for (let n = 0; n < games && !signal.aborted; n += AT_ONCE) {
        const about = { sets: [set], games: Math.min(AT_ONCE, games - n), seed: `${seed}-${n}` };
        const schedule = { ...about, days: DAYS, phaseMs, hurry: true, asksModels };
        tables.push(...watch(await playAtOnce(schedule)));
        say(`${set.name}${asksModels ? ' with models' : ''}: ${tables.length} of ${games}`);
      }
      for (const [by, attack] of Object.entries(asksModels ? MODEL_ATTACKS : { ...NIGHT_ATTACKS, ...DAY_ATTACKS }))
        rows.push({ rules: set.name, games: tables.length, acts: actsIn(tables), by, ...guess(tables, attack) });
    }
    return { text: tableOf(rows), json: rows, hasFailed: rows.some(({ deviations }) => Math.abs(deviations) > MAX_DEVIATIONS) };
  },
});

/** How many acts of minds are traced, per game: without any, nothing would be shown. */
const actsIn = (tables: readonly WatchedTable[]): number =>
  tables.flatMap(({ spans }) => spans.filter(({ name }) => name === 'take act')).length / Math.max(1, tables.length);

interface Row extends ReturnType<typeof guess> {
  readonly rules: string;
  readonly games: number;
  readonly acts: number;
  readonly by: string;
}

const tableOf = (rows: readonly Row[]): string =>
  [
    '| game | games | traced acts per game | by | seats named | wolves among them | by chance | standard deviations |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ rules, games, acts, by, named, hits, expected, deviations }) =>
        `| ${rules} | ${games} | ${acts.toFixed(1)} | ${by} | ${named} | ${hits} | ${expected.toFixed(1)} | ${deviations.toFixed(2)} |`,
    ),
  ].join('\n');

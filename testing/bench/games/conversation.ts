import { catalogue } from '@maw/games/catalogue.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { checkConversation, type Checked } from '../../minds/conversation/check.ts';
import { benchmark, type BenchmarkResult } from '../benchmark.ts';
import { integer, names, text } from '../options.ts';

/** At least this share of the questions of a person has to be answered. */
const ANSWERED = 0.9;

const options = {
  rules: names(
    'rule sets',
    catalogue.map(({ name }) => name),
  ),
  games: integer('games of each rule set', { fallback: 50 }),
  seed: text('the same seed gives the same games', 'conversation'),
};

interface Row extends Checked {
  readonly rules: string;
}

/** What `rules` minds say at tables where a scripted person asks each of them something every day. */
export const conversation = benchmark({
  name: 'conversation',
  description: 'what minds say: words to the dead, foreign words, repetitions, and how many questions of a person they answer',
  options,
  async measure({ rules, games, seed }, { signal, say }) {
    const rows: Row[] = [];
    const sets = catalogue.filter(({ name }) => rules?.includes(name) ?? true);
    for (const set of sets) {
      if (signal.aborted) break;
      const checked = await checkConversation(set, games, seed, findRecipe('rules'));
      rows.push({ rules: set.name, ...checked });
      for (const { what, speech } of checked.findings.slice(0, 10)) say(`${set.name}: ${what}: ${speech}`);
      for (const missed of checked.missed.slice(0, 5)) say(`${set.name}: not answered: ${missed}`);
    }
    return rows.length ? resultOf(rows, games) : undefined;
  },
});

function resultOf(rows: readonly Row[], games: number): BenchmarkResult {
  const count = ({ findings }: Row, what: string) => findings.filter((one) => one.what === what).length;
  const kinds = ['the dead spoken to', 'a foreign word', 'a sentence twice in a row'];
  return {
    text: [
      `| rules | games | speeches | ${kinds.join(' | ')} | questions | answered |`,
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
      ...rows.map((row) => {
        const { rules, speeches, asked, answered } = row;
        const share = `${answered} (${((100 * answered) / Math.max(1, asked)).toFixed(1)} %)`;
        return `| ${[rules, games, speeches, ...kinds.map((what) => count(row, what)), asked, share].join(' | ')} |`;
      }),
    ].join('\n'),
    json: rows,
    hasFailed: rows.some(({ findings, asked, answered }) => findings.length > 0 || answered < ANSWERED * asked),
  };
}

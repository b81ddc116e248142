import { catalogue } from '@maw/games/catalogue.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { checkConversation, type Checked } from '@maw/tests/minds/conversation/check.ts';
import { simulatedModel } from '@maw/tests/minds/conversation/simulated-model.ts';
import { benchmark, type BenchmarkResult } from '../benchmark.ts';
import { integer, names, text } from '../options.ts';

/** At least this share of the questions of a person has to be answered. */
const ANSWERED = 0.9;

const options = {
  rules: names(
    'rule sets',
    catalogue.map(({ name }) => name),
  ),
  minds: names('whose speech: `rules`, or `react` with the stand-in model', ['rules', 'react']),
  games: integer('games of each rule set', { fallback: 50 }),
  seed: text('the same seed gives the same games', 'conversation'),
};

interface Row extends Checked {
  readonly rules: string;
  readonly mind: string;
}

/** What minds say at tables where a scripted person asks each of them something every day. */
export const conversation = benchmark({
  name: 'conversation',
  description: 'what minds say: words to the dead, foreign words, repetitions, and how many questions of a person they answer',
  options,
  async measure({ rules, minds = ['rules'], games, seed }, { signal, say }) {
    const rows: Row[] = [];
    const sets = catalogue.filter(({ name }) => rules?.includes(name) ?? true);
    for (const { set, mind } of sets.flatMap((one) => minds.map((each) => ({ set: one, mind: each })))) {
      if (signal.aborted) break;
      const checked = await checkConversation(set, games, seed, findRecipe(mind), { toolsFor: (_, now) => simulatedModel(now) });
      rows.push({ rules: set.name, mind, ...checked });
      for (const { what, speech } of checked.findings.slice(0, 10)) say(`${set.name}, ${mind}: ${what}: ${speech}`);
      for (const missed of checked.missed.slice(0, 5)) say(`${set.name}, ${mind}: not answered: ${missed}`);
    }
    return rows.length ? resultOf(rows, games) : undefined;
  },
});

function resultOf(rows: readonly Row[], games: number): BenchmarkResult {
  const count = ({ findings }: Row, what: string) => findings.filter((one) => one.what === what).length;
  const kinds = ['the dead spoken to', 'a foreign word', 'a sentence twice in a row'];
  return {
    text: [
      `| rules | minds | games | speeches | ${kinds.join(' | ')} | questions | answered |`,
      '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
      ...rows.map((row) => {
        const { rules, mind, speeches, asked, answered } = row;
        const share = `${answered} (${((100 * answered) / Math.max(1, asked)).toFixed(1)} %)`;
        return `| ${[rules, mind, games, speeches, ...kinds.map((what) => count(row, what)), asked, share].join(' | ')} |`;
      }),
    ].join('\n'),
    json: rows,
    hasFailed: rows.some(({ findings, asked, answered }) => findings.length > 0 || answered < ANSWERED * asked),
  };
}

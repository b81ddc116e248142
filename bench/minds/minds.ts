import { readMinds } from '@maw/minds/own-recipes.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';
import { manyQuestions } from '@maw/tests/equipment/fakes/scripted-model.ts';
import { playDecisions } from '@maw/tests/minds/transcript.ts';
import type { SeatRecipe } from '@maw/recipes/seat-recipe.ts';
import { benchmark, type BenchmarkResult } from '../benchmark.ts';
import { names, text, UsageError } from '../options.ts';
import { type PromptFigures, promptFigures } from './prompt-figures.ts';
import { type WallTime, wallTime } from './wall-time.ts';

const known = catalogue.map(({ name }) => name);
const options = {
  rules: names('rule sets', known),
  minds: text('recipes with a model, by name or file, as for `maw play --minds`; all of the product when not given', undefined, 'A,B:K=V'),
  wall: text('the rule set of the games whose time is taken; none leaves them out', 'avalon', 'RULES'),
};

interface Row extends PromptFigures {
  readonly mind: string;
  readonly rules: string;
}

interface Chosen {
  readonly mind: string;
  readonly seat: SeatRecipe;
  readonly recipe: Recipe;
  /** All that are known. */
  readonly recipes: readonly Recipe[];
}

/** What the decisions of each recipe ask of a model, and what a game takes. */
export const minds = benchmark({
  name: 'minds',
  description: 'calls, chains, prompts and time of the decisions of each recipe in each rule set',
  options,
  async measure({ rules, minds: given, wall }, { signal, say }) {
    const chosen = chosenMinds(given);
    if (wall !== 'none' && !known.includes(wall))
      throw new UsageError(`--wall: there is no "${wall}"; there are none, ${known.join(', ')}`);
    const rows: Row[] = [];
    const times: WallTime[] = [];
    for (const { mind, recipe } of chosen)
      for (const set of catalogue.filter(({ name }) => rules?.includes(name) ?? true)) {
        if (signal.aborted) break;
        rows.push({ mind, rules: set.name, ...promptFigures(await playDecisions(recipe, set.name, manyQuestions)) });
        say(`${mind}, ${set.name}: ${rows.at(-1)!.decisions} decisions`);
      }
    for (const mind of wall === 'none' ? [] : chosen) {
      const time = signal.aborted ? undefined : await wallTime(mind, wall, signal);
      if (!time) break;
      times.push(time);
      say(`${time.mind}, ${wall}: ${time.calls} calls in ${time.wall.toFixed(1)} s`);
    }
    return rows.length ? resultOf(rows, times) : undefined;
  },
});

/** @throws UsageError */
function chosenMinds(given: string | undefined): readonly Chosen[] {
  const usual = recipes.filter(({ usesModel }) => usesModel).map(({ name }) => name);
  try {
    const texts = given?.split(',').map((mind) => mind.trim()) ?? usual;
    const read = readMinds(texts);
    return read.seats.map((seat, i): Chosen => {
      const recipe = findRecipe(seat.recipe, read.recipes, seat.parameters);
      if (!recipe.usesModel) throw new Error(`${texts[i]} asks no model; ${usual.join(', ')} do`);
      return { mind: texts[i]!, seat, recipe, recipes: read.recipes };
    });
  } catch (error) {
    throw new UsageError(`--minds: ${(error as Error).message}`, { cause: error });
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function resultOf(rows: readonly Row[], times: readonly WallTime[]): BenchmarkResult {
  const table = (head: readonly string[], body: readonly (readonly (string | number)[])[]): string =>
    [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
  const kinds = [...new Set(rows.flatMap((row) => Object.keys(row.kinds)))];
  return {
    text: [
      table(
        ['recipe', 'rules', 'decisions', 'calls', 'longest chain', 'prompt tokens', 'shared prefix', 'with any seat', 'own time'],
        rows.map(({ mind, rules, decisions, calls, longestChain, promptTokens, sharedPrefix, sharedByAny, ownMs }) => [
          mind,
          rules,
          decisions,
          calls.toFixed(1),
          longestChain,
          Math.round(promptTokens),
          percent(sharedPrefix),
          percent(sharedByAny),
          `${ownMs.toFixed(1)} ms`, // prettier-ignore
        ]),
      ),
      'Calls in all, calls in a row: of most decisions of a kind, and of others.',
      table(
        ['recipe', ...kinds],
        [...Map.groupBy(rows, ({ mind }) => mind)].map(([mind, own]) => [mind, ...kinds.map((kind) => callsOf(own, kind))]),
      ),
      ...(times.length
        ? [
            table(
              ['recipe', 'rules', 'calls', 'game', 'sum of its calls', 'game / sum'],
              times.map(({ mind, rules, calls, wall, sum }) => [
                mind,
                rules,
                calls,
                `${wall.toFixed(1)} s`,
                `${sum.toFixed(1)} s`,
                (wall / sum).toFixed(2), // prettier-ignore
              ]),
            ),
          ]
        : []),
    ].join('\n\n'),
    json: [...rows, ...times],
  };
}

/** `11/5`, of all rule sets; rarer ones in brackets. */
function callsOf(rows: readonly Row[], kind: string): string {
  const counts = new Map<string, number>();
  for (const row of rows) for (const [key, n] of Object.entries(row.kinds[kind] ?? {})) counts.set(key, (counts.get(key) ?? 0) + n);
  const [usual = '', ...others] = [...counts].toSorted((a, b) => b[1] - a[1]).map(([key]) => key);
  return others.length ? `${usual} (${others.join(', ')})` : usual;
}

import type { DecisionOutcome } from '@maw/minds/count-decision.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import type { CliConfig } from '../config.ts';
import { type Answered, askSamples } from '../clients/sample-decisions.ts';
import { chooseModels, type ModelOptions } from '../models.ts';
import { say } from '../output.ts';

export interface ModelCheck extends ModelOptions {
  /** A recipe with parameters, as `--minds` takes it; algorithm-1 by default. */
  readonly mind?: string;
  readonly json: boolean;
}

/** Seats of a table that think at once. */
const SEATS = 6;
const SHOWN_CHARS = 160;

/**
 * `maw doctor --model NAME`: asks the model five questions of real games, and says what came, how fast, and which settings help.
 * @returns the exit code: 1 when a decision would have been lost
 * @throws Error when there is no such model
 */
export async function doctorModel(
  { mind = 'algorithm-1', json: isJson, ...asked }: ModelCheck,
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  const { recipes, seats: [seat] } = readMinds([mind]); // prettier-ignore
  const recipe = findRecipe(seat!.recipe, recipes, seat!.parameters);
  if (!recipe.usesModel) throw new Error(`--mind ${mind}: ${recipe.name} asks no model`);
  const models = await chooseModels(config.all, asked, 1);
  if (!isJson) say(`${models.says} It is asked five questions of real games, as the recipe ${recipe.name} asks them.\n`);
  const answered: Answered[] = [];
  for await (const answer of askSamples(models, recipe, { signal })) {
    answered.push(answer);
    say(isJson ? JSON.stringify(answer) : textOf(answer, answered.length));
  }
  const lost = answered.filter(isLost).length;
  if (!isJson) for (const line of summaryOf(answered, recipe)) say(line);
  return lost > 0 ? 1 : 0;
}

const isLost = ({ outcome }: Answered): boolean => outcome === 'defaulted';

const OUTCOMES: { readonly [outcome in DecisionOutcome]: string } = {
  valid: 'played as it came',
  repaired: 'played, after the model was told what was wrong',
  fallback: 'played by what the reply names, as it has no form that can be read',
  defaulted: 'LOST: the rules would decide for it',
};

function textOf({ asks, rules, outcome, ms, says, replies, failures }: Answered, number: number): string {
  const shown = replies.map(
    ({ content, unfit }) => `   it said: ${oneLine(content)}${unfit === undefined ? '' : `\n   which is not what was asked for: ${unfit}`}`,
  );
  const played = says.length ? `: ${says.map((each) => each.join(', ')).join('; ')}` : '';
  const tokens = replies.reduce((sum, reply) => sum + reply.tokens.completion, 0);
  return [
    `${number}. ${rules}: ${asks}`,
    ...shown,
    ...failures.map((failure) => `   no answer: ${failure}`),
    `   ${OUTCOMES[outcome]}${played} (${(ms / 1000).toFixed(1)} s, ${tokens} tokens)\n`,
  ].join('\n');
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const oneLine = (text: string): string => {
  const line = JSON.stringify(text).slice(1, -1);
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)} ... (${text.length} characters)` : line || '(nothing)';
};

/** What it comes to, and what would help. */
function summaryOf(answered: readonly Answered[], recipe: Recipe): readonly string[] {
  const count = (outcome: DecisionOutcome): number => answered.filter((each) => each.outcome === outcome).length;
  const seconds = median(answered.map(({ ms }) => ms)) / 1000;
  const replies = answered.flatMap((each) => each.replies);
  const hints = [
    ...(replies.some(({ reason }) => reason === 'length') && recipe.parameters?.['maxTokens']
      ? [`A reply ended before it was complete: give it more room with --minds '${recipe.name}:maxTokens=1000'.`]
      : []),
    ...(replies.some(({ thinking }) => thinking !== undefined)
      ? [`It thinks before it answers: --minds '${recipe.name}:thinking=off' is faster.`]
      : []),
    ...(replies.some(({ unfit }) => unfit !== undefined)
      ? [
          'Its server does not hold it to the form that it is asked for; what can be read is played. Models of 7 billion parameters and more keep the form by themselves.',
        ]
      : []),
    `Where ${SEATS} seats think on one slot, a phase needs about ${Math.ceil(seconds * SEATS * 1.5)} s: --seconds ${Math.ceil(seconds * SEATS * 1.5)}.`,
  ];
  return [
    `${answered.length} questions: ${count('valid')} at once, ${count('repaired')} repaired, ${count('fallback')} by fallback, ${count('defaulted')} lost; ${seconds.toFixed(1)} s a decision (median).`,
    ...hints,
  ];
}

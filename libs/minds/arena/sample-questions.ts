import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Asking, Mind, Moment, Recipe } from '../mind.ts';
import { findRecipe } from '../recipes.ts';
import { playGame } from './arena.ts';

/** A question of a real game, with all that the mind knows when it is asked. */
export interface SampleQuestion {
  readonly rules: string;
  readonly asks: string;
  readonly mind: Mind;
  readonly moment: Moment;
}

/** What is looked for, one question each and nothing else beside it, in the order in which they are asked. */
const WANTED: readonly { readonly rules: string; readonly asks: string; readonly is: (asking: Asking, phase: string) => boolean }[] = [
  { rules: 'maw', asks: 'what to say on the first day', is: ({ verb }, phase) => phase.includes('day-1') && verb === 'say' },
  { rules: 'maw', asks: 'whom to vote for on the second day', is: ({ verb }, phase) => phase.includes('day-2') && verb === 'choose' },
  { rules: 'maw', asks: 'whom to choose at night', is: ({ verb }, phase) => phase.includes('night') && verb === 'choose' },
  { rules: 'avalon', asks: 'whom to send on a quest', is: ({ pick }) => pick > 1 },
  {
    rules: 'avalon',
    asks: 'whether to approve of a team',
    is: ({ options }) => options.some(({ is }) => is === 'approve'),
  },
];
const NAMES = ['Alma', 'Bruno', 'Clara', 'Dario', 'Edith', 'Felix', 'Greta', 'Hugo', 'Irma', 'Jonas'];

/**
 * Five questions of games that the players without a model play: a talk, a vote and a night of MAW, a team and a vote of Avalon. Of one seed they
 * are always the same.
 * @param recipe how the seats read what happens
 */
export async function sampleQuestions(recipe: Recipe, seed: string): Promise<readonly SampleQuestion[]> {
  const found: SampleQuestion[] = [];
  for (const rules of new Set(WANTED.map((wanted) => wanted.rules))) {
    const wanted = WANTED.filter((each) => each.rules === rules);
    const seen = new Map<(typeof WANTED)[number], SampleQuestion>();
    const player = observed(recipe, (mind, moment) => {
      for (const each of wanted.filter((one) => !seen.has(one))) {
        const questions = moment.questions.filter((asking) => each.is(asking, moment.phase));
        // what the player without a model believes is no part of what the recipe reads
        if (questions.length)
          seen.set(each, { rules, asks: each.asks, mind: { ...mind, beliefs: {} }, moment: { ...moment, questions, mustSpeak: true } });
      }
    });
    const set = ruleSetNamed(rules);
    await playGame({ rules: set, players: set.players.usual, seed, names: NAMES, recipeFor: () => player });
    found.push(...wanted.flatMap((each) => seen.get(each) ?? []));
  }
  return found;
}

/** A player without a model that reads what `recipe` reads, and shows each moment before it thinks. */
function observed(recipe: Recipe, show: (mind: Mind, moment: Moment) => void): Recipe {
  const rules = findRecipe('rules');
  const reading = recipe.steps.filter(({ kind }) => kind === 'observe');
  return {
    ...recipe,
    name: 'observed',
    steps: [
      {
        kind: 'observe',
        name: 'show',
        run: async (mind, moment) => {
          show(mind, { ...moment, recipe: recipe.name });
          return {};
        },
      },
      ...reading,
      ...rules.steps,
    ],
  };
}

import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { peopleOf, type PlayOptions } from './play-options.ts';

/** Checks what a table is opened with, before anything is started for it. @throws Error or Refusal that says what is wrong */
export function checkTable(options: Pick<PlayOptions, 'rules' | 'players' | 'minds' | 'option' | 'human' | 'people' | 'lan'>): void {
  const { rules, minds, option } = options;
  const set = ruleSetNamed(rules);
  const { players = set.players.usual } = options;
  set.rules(players, readOptions(set.options, option));
  const people = peopleOf(options);
  if (people > players) throw new Error(`--people ${people}: the table has ${players} seats`);
  const { recipes, seats } = readMinds(minds);
  for (const { recipe, parameters, model } of seats)
    if (!findRecipe(recipe, recipes, parameters).usesModel && model !== undefined)
      throw new Error(`--minds ${recipe}:model=${model}: ${recipe} asks no model; leave it out`);
}

import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { readMinds } from '../minds/own-recipes.ts';
import type { PlayOptions } from './play-options.ts';

/** Checks what a table is opened with, before anything is started for it. @throws Error or Refusal that says what is wrong */
export function checkTable({ rules, players, minds, option }: Pick<PlayOptions, 'rules' | 'players' | 'minds' | 'option'>): void {
  const set = ruleSetNamed(rules);
  set.rules(players ?? set.players.usual, readOptions(set.options, option));
  const { recipes, seats } = readMinds(minds);
  for (const { recipe, parameters } of seats) findRecipe(recipe, recipes, parameters);
}

import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { readMinds } from '../minds/own-recipes.ts';

/** Games to simulate: data, so that it can be sent to another thread. */
export interface Job {
  readonly rules: string;
  readonly players: number;
  readonly options: { readonly [name: string]: string };
  /** The recipes of the seats, one after another: by name or file, with parameters. */
  readonly minds: readonly string[];
  /** The recipe of a side, as it is dealt; other seats go by `minds`. */
  readonly sides: { readonly [side: string]: string };
  /** Game `i` has the seed `seed/i`, whoever plays it. */
  readonly seed: string;
  /** Games of nothing but random play do without minds, unless they shall be compared with games that have some. */
  readonly isPlain: boolean;
}

/**
 * Checks what is asked for.
 * @throws Error (or Refusal) saying what is wrong: the rule set, players, options, recipes or sides
 */
export function createJob(asked: Omit<Job, 'isPlain' | 'players'> & { readonly players: number | undefined }): Job {
  const set = ruleSetNamed(asked.rules);
  const players = asked.players ?? set.players.usual;
  set.rules(players, asked.options);
  if (!asked.minds.length) throw new Error('--minds names no recipe; write for instance --minds rules,random');
  const names = [...asked.minds, ...Object.values(asked.sides)];
  const { recipes, seats } = readMinds(names);
  for (const { recipe: name, parameters } of seats) {
    if (!findRecipe(name, recipes, parameters).usesModel) continue;
    const others = recipes.flatMap((recipe) => (recipe.usesModel ? [] : [recipe.name]));
    throw new Error(
      `${name} needs a model, and nobody waits for one here; without a model play ${others.join(', ')}. For models there is maw play`,
    );
  }
  const sides = Object.keys(set.sides ?? {});
  for (const side of Object.keys(asked.sides))
    if (!sides.includes(side))
      throw new Error(
        `${set.name} has no side ${side.slice(0, 60)}; ${sides.length ? `there are ${sides.join(', ')}` : 'its sides have no names'}`,
      );
  return { ...asked, players, isPlain: names.every((name) => name === 'random') };
}

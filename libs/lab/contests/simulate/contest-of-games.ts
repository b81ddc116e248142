import { createHash } from 'node:crypto';
import { recipeOf } from '../agent-recipe.ts';
import type { Contest, ContestInput } from '../definition.ts';
import { checkContest } from '../read-contest.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { checkGame } from './job.ts';

/** Games as `maw simulate` is asked for them. */
export interface AskedGames {
  readonly rules: string;
  readonly games: number;
  readonly players?: number | undefined;
  readonly minds: readonly string[];
  readonly side: { readonly [side: string]: string };
  readonly option: { readonly [name: string]: string };
  readonly seed?: string | undefined;
  /** The model of minds that need one; `sim`: the simulator. */
  readonly model: string;
}

/**
 * Games of minds with a model as a contest of one line. Its name follows from all but the number of games, so the same command goes on with it,
 * and plays only what is missing when it asks for more games. Without a seed these are always the same games.
 * @throws Error saying what is wrong: the rule set, players, options, recipes or sides
 */
export function contestOfGames(asked: AskedGames): { readonly contest: Contest; readonly recipes: readonly Recipe[] } {
  const { rules, games, minds, side: sides, option: options, seed = 'maw', model } = asked;
  const players = checkGame({ rules, players: asked.players, options, minds, sides });
  if (Object.keys(sides).length && minds.length > 1)
    throw new Error('--side with --model: name one recipe in --minds, for all seats of the other sides');
  const written = [...new Set([...minds, ...Object.values(sides)])];
  const { recipes, seats } = readMinds(written);
  const names = new Map(written.map((text, i) => [text, agentName(text, i)]));
  const needing = seats.map((seat) => recipeOf(seat, recipes).usesModel);
  if (!needing.includes(true)) throw new Error(`${written.join(', ')} need no model; leave --model out`);
  const id = createHash('sha256')
    .update(JSON.stringify([rules, players, options, minds, sides, seed, model]))
    .digest('hex')
    .slice(0, 8);
  const input: ContestInput = {
    name: `simulate-${id}`,
    agents: seats.map((seat, i) => ({ name: names.get(written[i]!)!, ...seat, ...(needing[i] && model !== 'sim' ? { model } : {}) })),
    games: [{ rules, players, options }],
    schedule: {
      kind: 'cells',
      deals: games,
      cells: [
        {
          name: 'all',
          ...(minds.length === 1
            ? { others: names.get(minds[0]!)! }
            : {
                seats: Object.fromEntries(Array.from({ length: players }, (_, i) => [String(i + 1), names.get(minds[i % minds.length]!)!])),
              }),
          sides: Object.fromEntries(Object.entries(sides).map(([side, text]) => [side, names.get(text)!])),
        },
      ],
    },
    seed,
    play: 'tables',
  };
  return { contest: checkContest(input, recipes), recipes };
}

/** The name of an agent: its recipe, with parameters as they are written. */
const agentName = (text: string, i: number): string => {
  const name = text
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 50);
  return text === name ? name : `${name || 'mind'}-${i + 1}`;
};

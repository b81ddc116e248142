import { recipes } from '@maw/minds/recipes.ts';
import { pairingPlayer } from './arena/play-pairing.ts';
import type { Contest, ContestInput } from './definition.ts';
import { readContest } from './read-contest.ts';

/** Agents of one recipe: a0, a1 ... */
export const agentsOf = (count: number, recipe = 'random'): ContestInput['agents'] =>
  Array.from({ length: count }, (_, i) => ({ name: `a${i}`, recipe }));

/** A contest of five agents on five seats, with some of it changed. */
export const contestOf = (given: Partial<ContestInput> = {}, from = recipes): Contest =>
  readContest(
    JSON.stringify({
      name: 'test',
      agents: agentsOf(5),
      games: [{ rules: 'onuw' }],
      schedule: { kind: 'balanced', deals: 2 },
      ...(given.agents?.some(({ outside }) => outside !== undefined) ? {} : { seed: 'maw' }),
      ...given,
    }),
    from,
  );

/** Plays the pairings of a contest with the recipes of the product. */
export const playerOf = (contest: Contest) => pairingPlayer(contest, recipes);

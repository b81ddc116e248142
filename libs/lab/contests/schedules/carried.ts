import type { Recipe } from '@maw/minds/mind.ts';
import { recipeOf } from '../agent-recipe.ts';
import type { Agent, Contest } from '../definition.ts';
import type { Pairing, Plan } from './plan.ts';

/** What an agent has learnt, and takes along to the next game of its cell. */
type Carried = 'strategies' | 'experience';

/** What a recipe with these parameters can take along: strategies that its steps after a game revise, decisions that are a pool of experience. */
export const carriedBy = ({ after, values = {} }: Recipe): readonly Carried[] => [
  ...(after?.length && values['strategies'] === 'off' ? (['strategies'] as const) : []),
  ...(values['experience'] === '' ? (['experience'] as const) : []),
];

/** An agent that learns in the games of a cell. */
export interface Learner {
  readonly agent: string;
  /** Those that it has in this game; it may have none. */
  readonly seats: readonly number[];
  /** Its set of strategies and its pool of experience: no other cell, game or agent has them. */
  readonly memory: string;
  /** Games of the cell before this one. The pool has a version for each, that of all decisions up to its end. */
  readonly before: number;
  readonly carries: readonly Carried[];
  /** The last one that runs after a game. */
  readonly lastStep: string | undefined;
}

/**
 * The agents of a pairing that learn from game to game. The games of a cell are one row for each game of the contest; of the schedule `sides`, one
 * for each way round.
 * @param id of the contest
 */
export function learnersOf(id: string, contest: Contest, plan: Plan, pairing: Pairing, recipes: readonly Recipe[]): readonly Learner[] {
  return contest.agents.flatMap((agent, i) => {
    if (!agent.learns || !playsIn(contest, pairing, agent)) return [];
    const recipe = recipeOf(agent, recipes);
    return {
      agent: agent.name,
      seats: pairing.agents.flatMap((name, seat) => (name === agent.name ? [seat] : [])),
      memory: `${id}-${(pairing.number % plan.perRound) + 1}-${i + 1}`,
      before: Math.floor(pairing.number / plan.perRound),
      carries: carriedBy(recipe),
      lastStep: recipe.after?.at(-1)?.name,
    };
  });
}

/** Whether an agent has seats in the cell of a pairing, in whatever deals. */
function playsIn({ schedule }: Contest, { cell: name }: Pairing, agent: Agent): boolean {
  if (schedule.kind !== 'cells') return true;
  const { sides, seats, others } = schedule.cells.find((cell) => cell.name === name)!;
  return [...Object.values(sides), ...Object.values(seats), others].includes(agent.name);
}

/** The number of the pairing whose lessons another one begins with; undefined: it begins with none. */
export function pairingBefore(contest: Contest, plan: Plan, number: number): number | undefined {
  const learning = contest.agents.filter(({ learns }) => learns);
  if (number < plan.perRound || !learning.length) return undefined;
  const pairing = plan.at(number);
  return learning.some((agent) => playsIn(contest, pairing, agent)) ? number - plan.perRound : undefined;
}

/** With what of its memory an agent begins a game, as parameters of its recipe. */
export const memoryParameters = ({ memory, before, carries }: Learner): NonNullable<Agent['parameters']> => ({
  ...(carries.includes('strategies') ? { strategies: memory } : {}),
  ...(carries.includes('experience') && before ? { experience: `${memory}@${before}` } : {}),
});

import type { Contest } from '../definition.ts';
import { aiwolf2021, type Deal, type Scheduled, set, balanced, cells, cross, sides } from './scheduled.ts';

/** The pairings of a contest. */
export interface Plan {
  /** Those that can be planned now: fewer than `total` while the finalists are unknown. */
  readonly count: number;
  readonly total: number;
  /** Pairings of one deal: their numbers follow one another. */
  readonly perDeal: number;
  /** Games of a pairing. */
  readonly rounds: number;
  /** @throws RangeError for a number that cannot be planned now */
  at(number: number): Pairing;
}

/**
 * The pairings of a contest in their order: deal by deal, in each of them game by game. With one game its deals are those of `maw simulate` with the
 * same seed.
 * @param finalists of a contest with a final, once they are known
 */
export function planOf(contest: Contest, finalists?: readonly string[]): Plan {
  const { games, seed } = contest;
  const { deals, allDeals, perDeal, rounds, seat, cell } = scheduled(contest, finalists);
  const perRound = perDeal * games.length;
  return {
    count: deals * perRound,
    total: allDeals * perRound,
    perDeal,
    rounds,
    at(number) {
      if (!Number.isInteger(number) || number < 0 || number >= deals * perRound)
        throw new RangeError(`there is no pairing ${number}; there are ${deals * perRound}, from 0`);
      const deal = Math.floor(number / perRound);
      const game = Math.floor(number / perDeal) % games.length;
      const k = number % perDeal;
      const key = games.length === 1 ? String(deal) : `${deal}.${game}`;
      const dealt: Deal = { number: deal, game: games[game]!, seed: `${seed}/${key}` };
      const agents = seat(dealt, k);
      return { number, game, deal: key, seed: dealt.seed, agents, rounds, ...(cell ? { cell: cell(k) } : {}) };
    },
  };
}

function scheduled(contest: Contest, finalists: readonly string[] | undefined): Scheduled {
  const { schedule } = contest;
  const names = contest.agents.map(({ name }) => name);
  const seed = (): string => contest.seed;
  switch (schedule.kind) {
    case 'set':
      return set(names, schedule, seed);
    case 'balanced':
      return balanced(names, schedule);
    case 'sides':
      return sides(names, schedule);
    case 'cross':
      return cross(names, schedule);
    case 'cells':
      return cells(schedule);
    case 'aiwolf-2021':
      return aiwolf2021(names, schedule, finalists, seed);
  }
}

/** One table of a contest. What it is follows from the contest and its number alone, so that it can be planned again anywhere. */
export interface Pairing {
  /** From 0, in the order of play. */
  readonly number: number;
  /** The index of its game in the contest. */
  readonly game: number;
  /** Pairings of one deal have the same seed and so the same roles. Their numbers follow one another. */
  readonly deal: string;
  readonly seed: string;
  /** The names of the agents by seat. */
  readonly agents: readonly string[];
  /** Games at this table: more than one in a set. */
  readonly rounds: number;
  /** The cell of a table of results that it belongs to. */
  readonly cell?: string;
}

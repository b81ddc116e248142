import { diceOf } from '@maw/games/kernel/dice.ts';
import { dealOf } from '../deal.ts';
import type { Contest, ContestGame } from '../definition.ts';
import { isSealed, secretOf, seedOf } from '../seed.ts';
import { aiwolf2021, type Deal, type Scheduled, set, balanced, cells, cross, sides } from './scheduled.ts';

/** The pairings of a contest. */
export interface Plan {
  /** Those that can be planned now: fewer than `total` while the finalists are unknown. */
  readonly count: number;
  readonly total: number;
  /** Pairings of one deal: their numbers follow one another. */
  readonly perDeal: number;
  /** Pairings from one deal of a game to its next one. */
  readonly perRound: number;
  /** Games of a pairing. */
  readonly rounds: number;
  /**
   * @param attempt from 1, the default
   * @throws RangeError for a number that cannot be planned now; Error for a contest without a seed
   */
  at(number: number, attempt?: number): Pairing;
}

/**
 * The pairings of a contest in their order: deal by deal, in each of them game by game. With one game its deals are those of `maw simulate` with the
 * same seed.
 * @param finalists of a contest with a final, once they are known
 */
export function planOf(contest: Contest, finalists?: readonly string[]): Plan {
  const { games } = contest;
  const { deals, allDeals = deals, perDeal, rounds = 1, seat, cell } = scheduled(contest, finalists);
  const perRound = perDeal * games.length;
  return {
    count: deals * perRound,
    total: allDeals * perRound,
    perDeal,
    perRound,
    rounds,
    at(number, attempt = 1) {
      if (!Number.isInteger(number) || number < 0 || number >= deals * perRound)
        throw new RangeError(`there is no pairing ${number}; there are ${deals * perRound}, from 0`);
      const deal = Math.floor(number / perRound);
      const game = Math.floor(number / perDeal) % games.length;
      const k = number % perDeal;
      const key = games.length === 1 ? String(deal) : `${deal}.${game}`;
      const dealt: Deal = { number: deal, game: games[game]!, seed: `${seedOf(contest)}/${key}` };
      const agents = seat(dealt, k);
      const pairing: Pairing = { number, game, deal: key, seed: dealt.seed, agents, rounds, ...(cell ? { cell: cell(k) } : {}) };
      return isSealed(contest) ? atOtherSeats(contest, pairing, attempt) : pairing;
    },
  };
}

/**
 * The same agents with the same roles, at other seats and with other dice: an outside agent is told all roles at the end of a game, and may remember
 * them when the deal comes again.
 */
function atOtherSeats(contest: Contest, pairing: Pairing, attempt: number): Pairing {
  const { number, seed, agents } = pairing;
  const game = contest.games[pairing.game]!;
  const dealt = dealOf(game, seed);
  const own = seedWithRoles(dealt, game, (n) => secretOf(seedOf(contest), 'table', number, attempt, ...(n ? [n] : [])));
  const dice = diceOf(own, 'seats');
  const holders = Map.groupBy(dice.shuffle(agents.map((agent, seat) => ({ agent, role: dealt[seat]! }))), ({ role }) => role);
  return { ...pairing, seed: own, agents: dealOf(game, own).map((role) => holders.get(role)!.pop()!.agent) };
}

/** The first of some seeds that deals these roles, in whatever order: where cards are left over, most deal others. */
function seedWithRoles(roles: readonly string[], game: ContestGame, seedAt: (n: number) => string): string {
  const sorted = (each: readonly string[]): string => each.toSorted().join();
  for (let n = 0; n < MAX_SEEDS; n++) if (sorted(dealOf(game, seedAt(n))) === sorted(roles)) return seedAt(n);
  throw new Error(`none of ${MAX_SEEDS} deals has the roles ${roles.join(', ')}`);
}

/** The rarest hand of One Night is dealt once in some thousand times. */
const MAX_SEEDS = 100_000;

function scheduled(contest: Contest, finalists: readonly string[] | undefined): Scheduled {
  const { schedule } = contest;
  const names = contest.agents.map(({ name }) => name);
  const seed = (): string => seedOf(contest);
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
  /**
   * In pairings of one deal the same places have the same roles; their numbers follow one another. They have the same seed too, and so the same
   * seats; with outside agents each has its own.
   */
  readonly deal: string;
  readonly seed: string;
  /** The names of the agents by seat. */
  readonly agents: readonly string[];
  /** Games at this table: more than one in a set. */
  readonly rounds: number;
  /** The cell of a table of results that it belongs to. */
  readonly cell?: string;
}

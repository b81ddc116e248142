import type { Schedule, Cell, ContestGame } from '../definition.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { sideOf } from '@maw/games/roles.ts';
import { dealOf, seatsOf } from '../deal.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';

/** A deal of one game: the same roles for all its pairings. */
export interface Deal {
  /** From 0; each game of the contest has one of this number. */
  readonly number: number;
  readonly game: ContestGame;
  readonly seed: string;
}

/** Who plays whom. */
export interface Scheduled {
  /** Deals of each game that can be planned now. */
  readonly deals: number;
  /** In all; absent: no more. */
  readonly allDeals?: number;
  readonly perDeal: number;
  /** Absent: one. */
  readonly rounds?: number;
  /** The names of the agents by seat of the k-th pairing of a deal. */
  seat(deal: Deal, k: number): readonly string[];
  /** The cell of the k-th pairing of a deal. */
  cell?(k: number): string;
}

/** Sets of games: the group of each set is drawn by chance (AIWolf regulation 2021, section 2.1). */
export const set = (
  names: readonly string[],
  { sets, games, even }: Extract<Schedule, { kind: 'set' }>,
  seed: () => string,
): Scheduled => ({
  deals: sets,
  perDeal: 1,
  rounds: games,
  seat: even ? urnOf(names, 0, seed) : (deal) => drawn(names, deal),
});

/** As many agents as a game has seats, in random order. */
const drawn = (names: readonly string[], { game, seed }: Deal): readonly string[] =>
  diceOf(seed, 'group').shuffle(names).slice(0, seatsOf(game));

/**
 * Draws the groups of sets without replacement, for each game of the contest by itself: once all agents have been drawn they are mixed anew. So at any
 * time every agent has had as many sets as any other, or one more or less. A group that ends a round goes on with others than those it has.
 * @param first the number of the first deal
 * @param seed that of the contest
 */
function urnOf(names: readonly string[], first: number, seed: () => string): Scheduled['seat'] {
  const urns = new Map<ContestGame, { left: readonly string[]; readonly groups: string[][] }>();
  return ({ number, game }) => {
    const urn = urns.get(game) ?? { left: [], groups: [] };
    urns.set(game, urn);
    while (urn.groups.length <= number - first) {
      const dice = diceOf(seed(), `group/${first + urn.groups.length}/${JSON.stringify(game)}`);
      const group = urn.left.slice(0, seatsOf(game));
      const missing = seatsOf(game) - group.length;
      if (missing) {
        const { had = [], others = [] } = Object.groupBy(dice.shuffle(names), (name) => (group.includes(name) ? 'had' : 'others'));
        group.push(...others.slice(0, missing));
        urn.left = dice.shuffle([...had, ...others.slice(missing)]);
      } else urn.left = urn.left.slice(group.length);
      urn.groups.push(dice.shuffle(group));
    }
    return urn.groups[number - first]!;
  };
}

/**
 * Sets of all agents, then sets of the finalists (AIWolf regulation 2021, sections 2.3 and 2.4).
 * @param finalists absent: only the preliminary contest can be planned yet
 */
export function aiwolf2021(
  names: readonly string[],
  { preliminary, final, games, even }: Extract<Schedule, { kind: 'aiwolf-2021' }>,
  finalists: readonly string[] | undefined,
  seed: () => string,
): Scheduled {
  const seatIn = (all: readonly string[], first: number): Scheduled['seat'] =>
    even ? urnOf(all, first, seed) : (deal) => drawn(all, deal);
  const [before, after] = [seatIn(names, 0), seatIn(finalists ?? [], preliminary)];
  return {
    deals: finalists ? preliminary + final : preliminary,
    allDeals: preliminary + final,
    perDeal: 1,
    rounds: games,
    seat: (deal, k) => (deal.number < preliminary ? before : after)(deal, k),
  };
}

/**
 * Each deal once per agent: all agents stand in a circle in random order, and move on by one seat from pairing to pairing. So in every deal each
 * agent has each seat exactly once, whether there are as many agents as seats, more (some pause), or fewer (each has as many seats as any other).
 */
export const balanced = (names: readonly string[], { deals }: Extract<Schedule, { kind: 'balanced' }>): Scheduled => ({
  deals,
  perDeal: names.length,
  seat({ game, seed }, k) {
    const circle = diceOf(seed, 'circle').shuffle(names);
    return Array.from({ length: seatsOf(game) }, (_, seat) => circle[(seat + k) % circle.length]!);
  },
});

/** Whether every agent can have equally many seats of each pairing or none: with 4 agents at 5 seats one would play two of them. */
export const isBalanceable = (agents: number, seats: number): boolean => agents >= seats || seats % agents === 0;

/** Each cell of a table of results plays each deal. */
export const cells = (schedule: Extract<Schedule, { kind: 'cells' }>): Scheduled => ({
  deals: schedule.deals,
  perDeal: schedule.cells.length,
  seat: (deal, k) => seated(deal, schedule.cells[k]!),
  cell: (k) => schedule.cells[k]!.name,
});

function seated({ game, seed }: Deal, { sides, seats, others }: Cell): readonly string[] {
  return dealOf(game, seed).map((role, seat) => (seats[seat + 1] ?? sides[sideOf(role, game.rules)] ?? others)!);
}

/** Two agents: the first has the first side of a deal and the second all other seats; then they change. */
export const sides = ([one = '', two = '']: readonly string[], { deals }: Extract<Schedule, { kind: 'sides' }>): Scheduled => ({
  deals,
  perDeal: 2,
  seat: (deal, k) => (k === 0 ? againstOthers(deal, one, two) : againstOthers(deal, two, one)),
});

/** Every agent has the first side against every agent, itself too. */
export const cross = (names: readonly string[], { deals }: Extract<Schedule, { kind: 'cross' }>): Scheduled => ({
  deals,
  perDeal: names.length ** 2,
  seat: (deal, k) => againstOthers(deal, names[Math.floor(k / names.length)]!, names[k % names.length]!),
});

function againstOthers({ game, seed }: Deal, first: string, others: string): readonly string[] {
  const rules = ruleSetNamed(game.rules);
  const [side] = Object.keys(rules.sides ?? {});
  return dealOf(game, seed).map((role) => (sideOf(role, game.rules) === side ? first : others));
}

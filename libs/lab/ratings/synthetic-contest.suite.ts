import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { normalOf, uniformOf } from './strength/bootstrap.ts';
import type { GameResult } from './result.ts';

/** Two rule sets of different size, with different advantages of the village in logits. */
const RULES = [
  { name: 'five', seats: 5, wolves: 1, advantage: 0.3 },
  { name: 'seven', seats: 7, wolves: 2, advantage: -0.4 },
] as const;

export const SIDES = ['village', 'wolves'] as const;

export interface SyntheticContest {
  readonly games: readonly GameResult[];
  /** By agent, its strength on each side in logits; the mean of the agents is 0 on each. */
  readonly truth: { readonly [agent: string]: { readonly [side in (typeof SIDES)[number]]: number } };
}

export interface SyntheticOptions {
  readonly seed: string;
  readonly agents: number;
  readonly deals: number;
  /** The standard deviation of strengths, in logits. */
  readonly spread: number;
}

/**
 * A contest drawn from the model of `fitStrengths`: each deal is played once for each seat, with the agents moved on by one. Half of the games
 * of a deal share their luck, so that they depend on each other and each game still follows the model.
 */
export function syntheticContest({ seed, agents, deals, spread }: SyntheticOptions): SyntheticContest {
  const dice = diceOf(seed, 'contest');
  const names = Array.from({ length: agents }, (_, i) => `a${i}`);
  const [village, wolves] = SIDES.map(() => centredNormals(dice, agents, spread)) as [number[], number[]];
  const truth = Object.fromEntries(names.map((name, i) => [name, { village: village[i]!, wolves: wolves[i]! }]));
  const games = Array.from({ length: deals }, (_, d): GameResult[] => {
    const { name: rules, seats, wolves: pack, advantage } = RULES[d % 2]!;
    const places = Array.from({ length: seats }, (__, seat) => seat);
    const evil = new Set(dice.shuffle(places).slice(0, pack));
    const group = dice.shuffle(names.concat(names).slice(0, Math.max(agents, seats))).slice(0, seats);
    const luck = uniformOf(dice);
    return places.map((shift) => {
      const sat = places.map((seat) => ({ agent: group[(seat + shift) % seats]!, seat, side: SIDES[evil.has(seat) ? 1 : 0] }));
      const mean = (side: (typeof SIDES)[number]): number => {
        const own = sat.filter((seat) => seat.side === side).map(({ agent }) => truth[agent]![side]);
        return own.reduce((a, b) => a + b) / own.length;
      };
      const chance = 1 / (1 + Math.exp(mean('wolves') - mean('village') - advantage));
      const winner = (dice.below(2) ? luck : uniformOf(dice)) < chance ? 'village' : 'wolves';
      return {
        id: `${d}/${shift}`,
        rules,
        deal: String(d),
        winner,
        seats: sat.map((seat) => ({ ...seat, role: seat.side, won: seat.side === winner, points: Number(seat.side === winner) })),
      };
    });
  }).flat();
  return { games, truth };
}

function centredNormals(dice: Dice, count: number, deviation: number): number[] {
  const values = Array.from({ length: count }, () => deviation * normalOf(dice));
  const mean = values.reduce((a, b) => a + b) / count;
  return values.map((value) => value - mean);
}

/** A game in which each side has one agent, or several with commas between them. */
export function gameOf(id: string, teams: { readonly [side: string]: string }, winner: string, more: Partial<GameResult> = {}): GameResult {
  const seats = Object.entries(teams).flatMap(([side, agents]) => agents.split(',').map((agent) => ({ agent, side })));
  return {
    id,
    rules: 'duel',
    deal: id,
    winner,
    seats: seats.map(({ agent, side }, seat) => ({ agent, seat, side, role: side, won: side === winner, points: Number(side === winner) })),
    ...more,
  };
}

import { compareText, dealsOf } from '../deals.ts';
import { chiSquareP } from '../distributions.ts';
import type { GameResult, SeatResult } from '../result.ts';
import { cholesky, solve, zeroMatrix } from '../linear-algebra.ts';

/** A test of whether a contest was even. */
export interface BiasTest {
  readonly rules: string;
  readonly test: 'agents by seat' | 'agents by role' | 'wins by seat';
  /** Chi-square, and its degrees of freedom; 0 where nothing could differ. */
  readonly statistic: number;
  readonly freedom: number;
  /** Small: less even than chance. Near 1: more even than chance, as in a balanced schedule. */
  readonly p: number;
}

/**
 * Whether agents had all seats and all roles equally often, and whether all seats won equally often, by rule set. The p-values compare with
 * shuffling the seats of each game: their means and covariances under shuffling are exact, and the sum of squares is taken as chi-square, so
 * about ten games are needed. Counts of agents: the generalised Cochran–Mantel–Haenszel test with games as strata (Landis, Heyman and Koch,
 * 1978, International Statistical Review 46, 237–254). A plain chi-square of the table would be wrong, as the seats of a game are not drawn
 * independently. Wins: Cochran's Q (1950, Biometrika 37, 256–266) with deals in place of games, as games of a deal have their roles in common.
 */
export function biasTests(games: readonly GameResult[]): readonly BiasTest[] {
  const deals = dealsOf(games);
  const byRules = Map.groupBy(deals, ([game]) => game!.rules);
  return [...byRules].flatMap(([rules, inside]) => [
    { rules, test: 'agents by seat' as const, ...spreadTest(inside.flat(), ({ seat }) => String(seat)) },
    { rules, test: 'agents by role' as const, ...spreadTest(inside.flat(), ({ role }) => role) },
    { rules, test: 'wins by seat' as const, ...winsTest(inside) },
  ]);
}

type Outcome = Pick<BiasTest, 'statistic' | 'freedom' | 'p'>;

const outcomeOf = (parts: readonly { readonly statistic: number; readonly freedom: number }[]): Outcome => {
  const statistic = parts.reduce((sum, part) => sum + part.statistic, 0);
  const freedom = parts.reduce((sum, part) => sum + part.freedom, 0);
  return { statistic, freedom, p: chiSquareP(statistic, freedom) };
};

type PlaceOf = (seat: SeatResult) => string;

/** Games with the same places (seats, or roles), however they are dealt. */
const withEqualPlaces = (games: readonly GameResult[], placeOf: PlaceOf): readonly (readonly GameResult[])[] => [
  ...Map.groupBy(games, ({ seats }) => JSON.stringify(seats.map(placeOf).toSorted(compareText))).values(),
];

function spreadTest(games: readonly GameResult[], placeOf: PlaceOf): Outcome {
  return outcomeOf(withEqualPlaces(games, placeOf).map((inside) => spreadOf(inside, placeOf)));
}

function spreadOf(games: readonly GameResult[], placeOf: PlaceOf): { statistic: number; freedom: number } {
  const seats = games[0]!.seats.length;
  if (seats < 2) return { statistic: 0, freedom: 0 };
  const agentAt = indexOf(games.flatMap((game) => game.seats.map(({ agent }) => agent)));
  const placeAt = indexOf(games[0]!.seats.map(placeOf));
  const placeCounts = countsOf(games[0]!.seats.map((seat) => placeAt.get(placeOf(seat))!));
  const excess = [...placeAt].map(() => new Float64Array(agentAt.size));
  const covariance = zeroMatrix(agentAt.size);
  for (const game of games) {
    const agents = countsOf(game.seats.map(({ agent }) => agentAt.get(agent)!));
    for (const seat of game.seats) excess[placeAt.get(placeOf(seat))!]![agentAt.get(seat.agent)!]!++;
    for (const [agent, times] of agents) {
      for (const [place, of] of placeCounts) excess[place]![agent]! -= (times * of) / seats;
      for (const [other, too] of agents)
        covariance.elements[agent * agentAt.size + other]! += ((agent === other ? times : 0) - (times * too) / seats) / (seats - 1);
    }
  }
  const places = zeroMatrix(placeAt.size);
  for (const [a, times] of placeCounts)
    for (const [b, too] of placeCounts) places.elements[a * placeAt.size + b] = (a === b ? times : 0) - (times * too) / seats;
  const [byAgent, byPlace] = [cholesky(covariance), cholesky(places)];
  const solved = excess.map((each) => solve(byAgent, each));
  let statistic = 0;
  for (const agent of agentAt.values()) {
    const weighted = solve(
      byPlace,
      Float64Array.from(excess, (each) => each[agent]!),
    );
    statistic += weighted.reduce((sum, value, place) => sum + value * solved[place]![agent]!, 0);
  }
  return { statistic: Math.max(0, statistic), freedom: byAgent.rank * byPlace.rank };
}

function winsTest(deals: readonly (readonly GameResult[])[]): Outcome {
  const seatsOf = ({ seats }: GameResult): string => JSON.stringify(seats.map(({ seat }) => seat).toSorted((a, b) => a - b));
  const blocks = deals.flatMap((deal) => [...Map.groupBy(deal, seatsOf).values()]);
  const alike = Map.groupBy(blocks, ([game]) => seatsOf(game!));
  return outcomeOf(
    [...alike.values()].map((inside) => {
      const seats = inside[0]![0]!.seats.map(({ seat }) => seat);
      const excess = new Map(seats.map((seat) => [seat, 0]));
      let variance = 0;
      for (const deal of inside) {
        const wins = new Map(seats.map((seat) => [seat, 0]));
        for (const game of deal) for (const { seat, won } of game.seats) if (won) wins.set(seat, wins.get(seat)! + 1);
        const mean = [...wins.values()].reduce((a, b) => a + b) / seats.length;
        for (const [seat, won] of wins) {
          excess.set(seat, excess.get(seat)! + won - mean);
          variance += (won - mean) ** 2 / (seats.length - 1);
        }
      }
      if (!(variance > 0)) return { statistic: 0, freedom: 0 };
      return { statistic: [...excess.values()].reduce((sum, value) => sum + value ** 2, 0) / variance, freedom: seats.length - 1 };
    }),
  );
}

const indexOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(names)].toSorted(compareText).map((name, i) => [name, i]));

function countsOf(values: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

import { sideOf, sidesAmong } from '@maw/games/roles.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { winsOf } from '../../ratings/result.ts';
import { type Proportion, wilsonInterval } from '../../ratings/rates/wilson-interval.ts';
import type { Simulated } from './simulator.ts';

/** How a whole number came out over many games. */
interface Spread {
  readonly mean: number;
  /** The values below which 5, 50 and 95 in a hundred lie (nearest rank). */
  readonly low: number;
  readonly median: number;
  readonly high: number;
  readonly most: number;
}

/** What came of many games. */
export interface Score {
  readonly games: number;
  /** How often each side won, of the games that had it, each Tanner for itself, and how often nobody. */
  readonly winners: { readonly [side: string]: { readonly wins: number; readonly of: number } & Proportion };
  /** Days, nights, quests, as the game has them; events; deaths, where there are any. */
  readonly lengths: { readonly [what: string]: Spread };
  /** What a seat of each side, as it was dealt, got in a game on average. */
  readonly points: { readonly [side: string]: number };
}

/** Adds up games one by one: it keeps counts, not games. */
export function scoreOf(set: RuleSet) {
  const sides = sidesAmong(set.name, []);
  const wins = new Map(sides.map((side) => [side, { wins: 0, of: 0 }]));
  const lengths = new Map<string, Map<number, number>>();
  const points = new Map(sides.map((side) => [side, { sum: 0, seats: 0 }]));
  let games = 0;
  let draws = 0;
  const count = (what: string, n: number): void => {
    const counts = lengths.get(what) ?? new Map<number, number>();
    lengths.set(what, counts.set(n, (counts.get(n) ?? 0) + 1));
  };
  return {
    add(simulated: Simulated): void {
      games++;
      if (simulated.winner === 'draw') draws++;
      const { winner, roles, winners } = simulated;
      const ended = roles.map((role, seat) => ({ side: sideOf(role, set.name) || winner, won: winners.includes(seat) }));
      for (const side of new Set([...sides, ...ended.map((seat) => seat.side)])) {
        const before = wins.get(side) ?? { wins: 0, of: 0 };
        const own = winsOf(side, { winner, seats: ended });
        wins.set(side, { wins: before.wins + own.filter(Boolean).length, of: before.of + own.length });
      }
      for (const [phase, n] of Object.entries(simulated.phases)) count(`${phase}s`, n);
      count('events', simulated.events);
      if (simulated.deaths !== undefined) count('deaths', simulated.deaths);
      for (const [seat, role] of simulated.dealt.entries()) {
        const side = sideOf(role, set.name) || 'everybody';
        const { sum, seats } = points.get(side) ?? { sum: 0, seats: 0 };
        points.set(side, { sum: sum + simulated.points[seat]!, seats: seats + 1 });
      }
    },
    score: (): Score => ({
      games,
      winners: Object.fromEntries(
        [...wins, ['draw', { wins: draws, of: games }] as const].map(([side, { wins: n, of }]) => [
          side,
          { wins: n, of, ...wilsonInterval(n, of) },
        ]),
      ),
      lengths: Object.fromEntries([...lengths].map(([what, counts]) => [what, spreadOf(counts, games)])),
      points: Object.fromEntries([...points].flatMap(([side, { sum, seats }]) => (seats ? [[side, sum / seats]] : []))),
    }),
  };
}

/** The spread of counted values; a game that has none of it (a game that ended before its first night) counts as 0. */
function spreadOf(counts: ReadonlyMap<number, number>, games: number): Spread {
  const values = [...counts].toSorted(([a], [b]) => a - b);
  const missing = games - values.reduce((sum, [, n]) => sum + n, 0);
  const all = missing ? [[0, missing] as const, ...values] : values;
  const below = (share: number): number => {
    let seen = 0;
    return all.find(([, n]) => (seen += n) >= Math.ceil(share * games))?.[0] ?? Number.NaN;
  };
  const mean = all.reduce((sum, [value, n]) => sum + value * n, 0) / games;
  return { mean, low: below(0.05), median: below(0.5), high: below(0.95), most: all.at(-1)?.[0] ?? Number.NaN };
}

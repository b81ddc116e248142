import { describe, expect, it } from '@jest/globals';
import { gameRecord } from '../../measures/fixtures.suite.ts';
import type { Speech } from '../../measures/game-record.ts';
import type { GameResult } from '../result.ts';
import type { Counted } from './counted.ts';
import { heldRows } from './held.ts';

type Seat = readonly [agent: string, role: string, won: 0 | 1, speech?: Speech | undefined, seat?: number];

/** A game, each with a deal of its own. */
function gameOf(n: number, seats: readonly Seat[], more: Partial<GameResult> = {}): Counted {
  const game: GameResult = {
    id: `${n}/1`,
    rules: 'onuw',
    deal: String(n),
    winner: 'village',
    seats: seats.map(([agent, role, won, , seat], i) => ({ agent, role, seat: seat ?? i, side: 'village', won: won === 1, points: 0 })),
    ...more,
  };
  const speech = seats.some(([, , , said]) => said) ? { speech: seats.map(([, , , said]) => said ?? ([0, 0] as const)) } : {};
  return { pairing: {}, result: { games: [game], records: [gameRecord(speech)] }, games: [game] } as unknown as Counted;
}

const SHORT: Speech = [2, 20];
const LONG: Speech = [1, 190];

describe('wins held against seat and length of speech', () => {
  it('turn round where an agent wins because it talks long: 20 points above, 25 below at the same length', () => {
    // Long: a won 3 of 4, b 1 of 1. Short: a won 0 of 1, b 1 of 4. Both strata have the weight 4/5, and the difference -1/4.
    const long: readonly (0 | 1)[] = [1, 1, 1, 0];
    const short: readonly (0 | 1)[] = [1, 0, 0, 0];
    const counted = [...long.map((won, i) => gameOf(i, [['a', 'v', won, LONG], ['b', 'v', short[i]!, SHORT]])), gameOf(4, [['a', 'v', 0, SHORT], ['b', 'v', 1, LONG]])]; // prettier-ignore
    const [a, b] = heldRows(counted);
    expect(a).toMatchObject({ agent: 'a', rules: 'onuw', seats: 5, length: (4 * 190 + 10) / 5 });
    expect(b).toMatchObject({ agent: 'b', seats: 5, length: (190 + 4 * 10) / 5 });
    expect(a!.sameRole!.value).toBeCloseTo(0.2, 12);
    expect(a!.sameLength!.value).toBeCloseTo(-0.25, 12);
    expect(b!.sameLength!.value).toBeCloseTo(0.25, 12);
  });

  it('vanish where an agent only had the better seat, and weigh seats as Mantel and Haenszel do', () => {
    // Seat 0 wins 3 of 4 for a, and 3 of 4 for b; seat 1 none of 1 for a, and none of 3 for b.
    const at = (agent: string, seat: number, wins: readonly (0 | 1)[]): readonly Seat[] => wins.map((won) => [agent, 'v', won, undefined, seat]); // prettier-ignore
    const seats = [...at('a', 0, [1, 1, 1, 0]), ...at('b', 0, [1, 1, 1, 0]), ...at('a', 1, [0]), ...at('b', 1, [0, 0, 0])];
    const [a] = heldRows([gameOf(0, seats)]);
    expect(a!.sameRole!.value).toBeCloseTo(3 / 5 - 3 / 7, 12);
    expect(a).toMatchObject({ sameSeat: { value: 0, low: null, high: null }, length: null, sameLength: null });
    // Weights 4 x 4 / 8 = 2 and 1 x 3 / 4: (2 x 0 + 0.75 x 1) / 2.75, once a wins from seat 1.
    const [better] = heldRows([gameOf(0, seats.map((seat) => (seat[0] === 'a' && seat[4] === 1 ? ['a', 'v', 1, undefined, 1] : seat)))]); // prettier-ignore
    expect(better!.sameSeat!.value).toBeCloseTo(0.75 / 2.75, 12);
  });

  it('have the interval of their deals, not of their seats', () => {
    // Differences of the deals 1, 1, 1, 0, 0: the mean .6, its standard error sqrt(.3 / 5) = .2449.
    const won: readonly (readonly [0 | 1, 0 | 1])[] = [[1, 0], [1, 0], [1, 0], [1, 1], [0, 0]]; // prettier-ignore
    const counted = won.map(([a, b], i) => gameOf(i, [['a', 'v', a], ['b', 'v', b], ['a', 'v', a], ['b', 'v', b]])); // prettier-ignore
    const { value, low, high } = heldRows(counted)[0]!.sameRole!;
    expect(value).toBeCloseTo(0.6, 12);
    expect(low).toBeCloseTo(0.6 - 1.959964 * Math.sqrt(0.06), 6);
    expect(high).toBe(1);
    expect(heldRows(counted.slice(1))[0]!.sameRole).toMatchObject({ low: null, high: null });
  });

  it('compare nobody across roles, leave out forfeits, and go by games of which speech is known', () => {
    const spoken = gameOf(0, [['a', 'v', 1, SHORT], ['b', 'w', 0, SHORT]]); // prettier-ignore
    const silent = gameOf(1, [['a', 'v', 1], ['b', 'v', 0]]); // prettier-ignore
    expect(heldRows([spoken, silent])[0]).toMatchObject({ seats: 1, sameRole: null, sameSeat: null, sameLength: null });
    const forfeited = { ...silent, result: { ...silent.result, games: [] } };
    expect(heldRows([forfeited])).toEqual([]);
  });
});

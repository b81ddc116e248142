import { describe, expect, it } from '@jest/globals';
import { requestsOf, CYCLE_MS, MEAN_MS } from '@maw/tests/equipment/gateway-lab/game-load.ts';
import { demand } from './demand.ts';

/** `games` games that each request `ms` of slot time every second for ten minutes. */
const steady = (ms: number, games = 1) => {
  const wanted = demand();
  for (let at = 0; at < 600_000; at += 1000) for (let g = 0; g < games; g++) wanted.record(at, `g${g}`, ms);
  return wanted;
};

describe('demand', () => {
  it('measures demand as share of the slots, beyond 100 % too', () => {
    expect(steady(500).utilisation(600_000, 1)).toBeCloseTo(0.5, 1);
    expect(steady(500).utilisation(600_000, 2)).toBeCloseTo(0.25, 1);
    expect(steady(3000).utilisation(600_000, 1)).toBeCloseTo(3, 0);
  });

  it('decays when requests stop', () => {
    const wanted = steady(500);
    expect(wanted.utilisation(600_000 + 600_000, 1)).toBeLessThan(0.01);
    expect(wanted.activeGames(600_000 + 180_001)).toBe(0);
  });

  it('has room for more games of this size up to 80 %', () => {
    // each of two games uses a tenth of a slot: eight fit
    const wanted = steady(100, 2);
    expect(wanted.activeGames(600_000)).toBe(2);
    expect(wanted.roomForGames(600_000, 1)).toBeGreaterThanOrEqual(5);
    expect(wanted.roomForGames(600_000, 1)).toBeLessThanOrEqual(6);
    expect(steady(900).roomForGames(600_000, 1)).toBe(0);
  });

  it('has room for one game per slot before the first request', () => {
    expect(demand().roomForGames(0, 4)).toBe(4);
    expect(demand().utilisation(0, 0)).toBe(0);
  });

  it('has room in an idle pool after the first burst of a game', () => {
    const wanted = demand();
    for (let n = 0; n < 6; n++) wanted.record(0, 'first', 3_000);
    expect(wanted.utilisation(1_000, 4)).toBeLessThan(0.05);
    expect(wanted.roomForGames(1_000, 4)).toBe(3);
    for (let n = 0; n < 60; n++) wanted.record(1_000, 'first', 3_000);
    expect(wanted.roomForGames(2_000, 4)).toBe(0);
  });

  it('does not over-admit games that have only just started', () => {
    const slots = 8;
    const wanted = demand();
    const games: { readonly from: number; readonly asks: number[] }[] = [];
    for (let at = 0; at < 600_000; at += 1_000) {
      for (const [n, { from, asks }] of games.entries())
        while (asks.length && from + asks[0]! <= at) wanted.record(from + asks.shift()!, `game ${n}`, MEAN_MS);
      if (at % 5_000 > 0) continue;
      for (let more = wanted.roomForGames(at, slots); more > 0; more--) {
        const load = { games: 1, greed: 1, forMs: 600_000, phases: 'apart', seed: `game ${games.length}` } as const;
        games.push({ from: at, asks: requestsOf(load).map(({ arrived }) => arrived) });
      }
    }
    // One of these games uses 1.24 slots; one game per slot was admitted before the first request.
    const cycle = requestsOf({ games: 1, greed: 1, forMs: 20 * CYCLE_MS, phases: 'apart', seed: 'one' });
    const one = (cycle.length * MEAN_MS) / (20 * CYCLE_MS);
    expect(one).toBeCloseTo(1.24, 1);
    expect(games).toHaveLength(slots);
    expect(wanted.roomForGames(600_000, slots)).toBe(0);
    expect(wanted.roomForGames(600_000, 40)).toBeGreaterThanOrEqual(15); // 0.8 x 40 / 1.24 = 25.8, less 8
    expect(wanted.roomForGames(600_000, 40)).toBeLessThanOrEqual(20);
  });

  it('decays also after the clock was set back', () => {
    const wanted = steady(900);
    expect(wanted.utilisation(600_000, 1)).toBeGreaterThan(0.8);
    const hour = 3_600_000;
    wanted.utilisation(600_000 - hour, 1);
    expect(wanted.utilisation(600_000 - hour + 600_000, 1)).toBeLessThan(0.01);
    expect([wanted.activeGames(600_000 - hour), wanted.roomForGames(600_000 - hour, 1)]).toEqual([0, 1]);
  });
});

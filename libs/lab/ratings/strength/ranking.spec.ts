import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { gameOf, SIDES, syntheticContest } from '../synthetic-contest.suite.ts';
import { crossedGames, FORFEIT, type GameResult } from '../result.ts';
import { bootstrapStrengths } from './bootstrap.ts';
import { fitStrengths } from './bradley-terry.ts';
import { designOf } from './design.ts';
import { rankAgents, type Ranking } from './ranking.ts';

function rank(games: readonly GameResult[], draws = 200, seed = 'seed'): Ranking {
  const fit = fitStrengths(games);
  const resampled = bootstrapStrengths(fit, seed);
  return rankAgents(
    fit,
    Array.from({ length: draws }, () => resampled.next().value),
  );
}

const contest = syntheticContest({ seed: 'one', agents: 6, deals: 60, spread: 0.6 });

/** Each agent against each other on both sides, `times` times, won as `winnerOf` says. */
const duels = (agents: readonly string[], times: number, winnerOf: (village: string, wolves: string, i: number) => string): GameResult[] =>
  agents.flatMap((village) =>
    agents.flatMap((wolves) =>
      village === wolves
        ? []
        : Array.from({ length: times }, (_, i) => gameOf(`${village}-${wolves}-${i}`, { village, wolves }, winnerOf(village, wolves, i))),
    ),
  );

describe('the ranking by strength', () => {
  it('holds 92 to 98 % of the truths of 200 contests, and at least 95 % of the ranks', () => {
    const held = { overall: 0, bySide: 0, ranks: 0, agents: 0 };
    for (let c = 0; c < 200; c++) {
      const { games, truth } = syntheticContest({ seed: `contest ${c}`, agents: 8, deals: 60, spread: 0.6 });
      const strengthOf = (agent: string): number => (truth[agent]!.village + truth[agent]!.wolves) / 2;
      for (const { agent, strength, sides, rankLow, rankHigh } of rank(games, 120, `bootstrap ${c}`).agents) {
        held.agents++;
        if (strength.low <= strengthOf(agent) && strengthOf(agent) <= strength.high) held.overall++;
        for (const side of SIDES) if (sides[side]!.low <= truth[agent]![side] && truth[agent]![side] <= sides[side]!.high) held.bySide++;
        const place = 1 + Object.keys(truth).filter((other) => strengthOf(other) > strengthOf(agent)).length;
        if (rankLow <= place && place <= rankHigh) held.ranks++;
      }
    }
    expect(held.agents).toBe(1600);
    for (const share of [held.overall / held.agents, held.bySide / held.agents / 2]) {
      expect(share).toBeGreaterThanOrEqual(0.92);
      expect(share).toBeLessThanOrEqual(0.98);
    }
    expect(held.ranks / held.agents).toBeGreaterThanOrEqual(0.95);
  });

  it('is the same to the last bit for any order of games and the same seed', () => {
    const shuffled = diceOf('order', '').shuffle(contest.games);
    expect(rank(shuffled)).toEqual(rank(contest.games));
    expect(rank(contest.games, 200, 'other').agents[0]!.strength.low).not.toBe(rank(contest.games).agents[0]!.strength.low);
  });

  it('finds the odds of two agents, and the chances of the sides between average agents', () => {
    // On each side a wins 3 of 4 games, and the village wins half of all: logit(3/4) between the agents, less what the prior takes.
    const { agents, shares } = rank(duels(['a', 'b'], 400, (village, _, i) => (i % 4 < 3 === (village === 'a') ? 'village' : 'wolves')));
    expect(agents.map(({ agent, rank: place }) => [agent, place])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(agents[0]!.strength.value).toBeCloseTo(Math.log(3) / 2, 2);
    expect(shares.map(({ side, share }) => [side, Number(share.value.toFixed(3))])).toEqual([
      ['village', 0.5],
      ['wolves', 0.5],
    ]);
  });

  it('keeps apart what a rule set gives a side and what agents are worth there', () => {
    // a plays mostly the rule set in which the village wins easily: its win rate is higher, its strength the same
    const easy = (id: string, village: string, wolves: string, i: number): GameResult =>
      gameOf(`easy-${id}`, { village, wolves }, i % 10 < 8 ? 'village' : 'wolves', { rules: 'easy' });
    const hard = (id: string, village: string, wolves: string, i: number): GameResult =>
      gameOf(`hard-${id}`, { village, wolves }, i % 10 < 3 ? 'village' : 'wolves', { rules: 'hard' });
    const games = Array.from({ length: 100 }, (_, i) => [
      easy(`a${i}`, 'a', 'b', i),
      easy(`c${i}`, 'a', 'b', i),
      hard(`a${i}`, 'a', 'b', i),
      easy(`b${i}`, 'b', 'a', i),
      hard(`b${i}`, 'b', 'a', i),
      hard(`d${i}`, 'b', 'a', i),
    ]).flat();
    const { agents, shares } = rank(games);
    expect(Math.abs(agents[0]!.strength.value)).toBeLessThan(0.01);
    expect(shares.map(({ rules, side, share }) => [rules, side, Number(share.value.toFixed(2))])).toEqual([
      ['easy', 'village', 0.8],
      ['easy', 'wolves', 0.2],
      ['hard', 'village', 0.3],
      ['hard', 'wolves', 0.7],
    ]);
  });

  it('shares a win between the village and a Tanner that wins beside it', () => {
    const game = gameOf('beside', { tanner: 'a', village: 'b', wolves: 'c' }, 'village');
    const beside = { ...game, seats: game.seats.map((seat) => ({ ...seat, won: seat.side !== 'wolves' })) };
    const shares = (of: GameResult) => designOf([of]).deals[0]![0]!.map(({ share }) => share);
    expect([shares(beside), shares(game)]).toEqual([[0.5, 0.5, 0], [0, 1, 0]]); // prettier-ignore
    expect(crossedGames([beside, { ...beside, seats: beside.seats.map((seat) => ({ ...seat, won: true })) }])).toBe(1);
  });

  it('takes each Tanner for a side of its own, which wins or loses alone', () => {
    const seats = ['tanner', 'tanner', 'village'].map((side, seat) => ({
      agent: `${seat}`,
      seat,
      role: side,
      side,
      won: seat === 0,
      points: 0,
    }));
    const game: GameResult = { id: 'alone', rules: 'onuw', deal: '1', winner: 'tanner', seats };
    const teams = designOf([game]).deals[0]![0]!;
    expect(teams.map(({ share, weights }) => [share, weights.length])).toEqual([[1, 2], [0, 2], [0, 2]]); // prettier-ignore
    expect(crossedGames([game])).toBe(0);
  });

  it('tells how often any of several Tanners wins among average agents', () => {
    const game = (n: number): GameResult => {
      const winner = ['village', 'village', 'wolves', 'tanner', 'tanner'][n % 5]!;
      const sides = ['village', 'wolves', 'tanner', 'tanner'];
      const wins = (side: string, seat: number): boolean => side === winner && (side !== 'tanner' || seat === 2 + (Math.floor(n / 5) % 2));
      const seats = sides.map((side, seat) => ({ agent: 'ab'[(n + seat) % 2]!, seat, role: side, side, won: wins(side, seat), points: 0 }));
      return { id: `${n}`, rules: 'onuw', deal: `${n}`, winner, seats };
    };
    const { shares } = rank(Array.from({ length: 400 }, (_, n) => game(n)));
    expect(shares.map(({ side, share }) => [side, Number(share.value.toFixed(2))])).toEqual([['tanner', 0.4], ['village', 0.4], ['wolves', 0.2]]); // prettier-ignore
  });

  it('gives twins the same rank and a difference of exactly 0', () => {
    const { agents, differences } = rank(duels(['twin', 'niwt'], 50, () => 'village'));
    expect(agents.map(({ rank: place, rankLow, rankHigh }) => [place, rankLow, rankHigh])).toEqual([
      [1, 1, 2],
      [1, 1, 2],
    ]);
    expect(differences[0]).toMatchObject({ difference: { value: 0 } });
  });

  it('stays finite and certain of the rank where one agent has won everything', () => {
    const order = ['best', 'other', 'worst'];
    const winner = (village: string, wolves: string): string => (order.indexOf(village) < order.indexOf(wolves) ? 'village' : 'wolves');
    const { agents } = rank(duels(order, 40, winner));
    expect(agents.map(({ agent, rankLow, rankHigh }) => [agent, rankLow, rankHigh])).toEqual([
      ['best', 1, 1],
      ['other', 2, 2],
      ['worst', 3, 3],
    ]);
    expect(agents[0]!.strength.high).toBeLessThan(20);
  });

  it('resamples deals: copies of the games of a deal add no certainty', () => {
    const copies = (games: readonly GameResult[]): GameResult[] =>
      games.flatMap((game) => Array.from({ length: 5 }, (_, i) => ({ ...game, id: `${game.id}/${i}` })));
    const width = ({ agents: [first] }: Ranking): number => first!.strength.high - first!.strength.low;
    const apart = copies(contest.games).map((game) => ({ ...game, deal: game.id }));
    expect(width(rank(copies(contest.games))) / width(rank(contest.games))).toBeGreaterThan(0.9);
    expect(width(rank(apart)) / width(rank(contest.games))).toBeLessThan(0.6);
  });

  it('is about as sure with a few more deals than it recomputes the information for', () => {
    const widthOf = (deals: number): number => {
      const { strength } = rank(syntheticContest({ seed: 'many', agents: 4, deals, spread: 0.3 }).games, 300).agents[0]!;
      return strength.high - strength.low;
    };
    expect(Math.abs(widthOf(2010) / widthOf(1990) - 1)).toBeLessThan(0.2);
  });

  it('knows nothing from one deal, and says which agents cannot be compared', () => {
    const one = rank([gameOf('1', { village: 'a', wolves: 'b' }, 'village')]);
    expect(one.agents[0]).toMatchObject({ agent: 'a', strength: { low: -Infinity, high: Infinity }, rankLow: 1, rankHigh: 2 });
    expect(one.differences[0]!.difference.high).toBe(Infinity);
    const apart = [
      ...duels(['a', 'b'], 20, () => 'village'),
      ...duels(['c', 'd'], 20, () => 'wolves').map((game) => ({ ...game, rules: 'other' })),
    ];
    expect(rank(apart).groups).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(rank(contest.games).groups).toHaveLength(1);
  });

  it('counts a draw for every side, and takes three sides', () => {
    const three = { a: 'one', b: 'two', c: 'three' };
    const games = ['a', 'b', 'c', 'draw'].flatMap((winner) => Array.from({ length: 30 }, (_, i) => gameOf(`${winner}${i}`, three, winner)));
    expect(rank(games).shares.map(({ share }) => Number(share.value.toFixed(6)))).toEqual([0.333333, 0.333333, 0.333333]);
  });

  it('ranks an agent last that forfeits its games, and the others as without them', () => {
    const before = rank(contest.games);
    const forfeits = Array.from({ length: 40 }, (_, i): GameResult => {
      const { seats, ...game } = gameOf(`f${i}`, i % 2 ? { village: 'x', wolves: 'a0' } : { village: 'a0', wolves: 'x' }, 'x');
      return { ...game, winner: FORFEIT, seats: seats.filter(({ agent }) => agent === 'x') };
    });
    const after = rank([...contest.games, ...forfeits]).agents.map(({ agent }) => agent);
    expect(after).toEqual([...before.agents.map(({ agent }) => agent), 'x']);
  });
});

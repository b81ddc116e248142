import { describe, expect, it } from '@jest/globals';
import { seatsOfRound } from './collect-result.ts';
import { affordableTables } from './cost.ts';
import type { Contest, ContestInput } from './definition.ts';
import { agentsOf, contestOf } from './fixtures.suite.ts';
import type { GameResult, PairingResult } from './result.ts';
import { planOf } from './schedules/plan.ts';
import { type Decision, decideStop, stopping } from './stopping.ts';

const tested: Partial<ContestInput> = {
  agents: agentsOf(2),
  schedule: { kind: 'sides', deals: 1000 },
  stopping: { sprt: { agents: ['a0', 'a1'], bounds: [0, 50] } },
};

/** A table at which all seats of one agent won; nobody: a draw. */
function tableWon(contest: Contest, number: number, winner: string | undefined): PairingResult {
  const pairing = planOf(contest).at(number);
  const { deal } = pairing;
  const seats = seatsOfRound(contest, pairing, 1).map((seat) => ({ ...seat, won: seat.agent === winner, points: 0 }));
  const game: GameResult = { id: `${number}/1`, rules: 'onuw', deal, winner: 's', seats };
  return { number, attempt: 1, games: [game], faults: [], usage: [] };
}

/** Deals whose tables are won by these agents, again and again. */
const tablesWon = (contest: Contest, count: number, winners: readonly (string | undefined)[]): readonly PairingResult[] =>
  Array.from({ length: count }, (_, number) => tableWon(contest, number, winners[number % winners.length]));

const counted = (decision: Decision): number => (decision.stop ? decision.counted : Number.NaN);

describe('a sequential test', () => {
  const contest = contestOf(tested);

  it('stops at the deal at which it is decided, whatever came later and in whatever order', () => {
    const results = tablesWon(contest, 600, ['a0', 'a0', 'a0', 'a1']);
    const decision = decideStop(contest, results);
    expect(decision).toMatchObject({
      stop: true,
      why: expect.stringMatching(/^a0 is better than a1: after \d+ deals the test accepts 50/),
    });
    const at = counted(decision);
    expect(at % 2).toBe(0);
    expect(decideStop(contest, results.slice(0, at))).toEqual(decision);
    expect(decideStop(contest, results.slice(0, at - 1))).toEqual({ stop: false });
    expect(decideStop(contest, results.toReversed())).toEqual(decision);
    expect(decideStop(contest, results.toSpliced(at - 4, 1))).toEqual({ stop: false }); // a gap: what follows is not looked at
  });

  it('also says that the first one is not better', () => {
    const decision = decideStop(contest, tablesWon(contest, 600, ['a1', 'a1', 'a1', 'a0']));
    expect(decision).toMatchObject({ stop: true, why: expect.stringMatching(/^a0 is not better than a1: .* accepts 0 normalised Elo/) });
    expect(decideStop(contest, tablesWon(contest, 100, ['a0', 'a1']))).toEqual({ stop: false });
    expect(decideStop({ ...contest, stopping: {} }, tablesWon(contest, 600, ['a0']))).toEqual({ stop: false });
  });

  it('counts a forfeited game as lost, and leaves out deals that nobody broke', () => {
    const half = tablesWon(contest, 600, ['a0', 'a1', 'a0', 'a1', undefined, undefined]);
    const broken = (culprit?: string) =>
      half.map((result) =>
        result.number % 2 ? { ...result, games: [], void: { why: 'w', ...(culprit === undefined ? {} : { culprit }) } } : result,
      );
    expect(decideStop(contest, broken('a1'))).toMatchObject({ stop: true, why: expect.stringMatching(/^a0 is better/) });
    expect(decideStop(contest, broken('a0'))).toMatchObject({ stop: true, why: expect.stringMatching(/^a0 is not better/) });
    expect(decideStop(contest, broken())).toEqual({ stop: false });
  });

  it.each<Partial<ContestInput>>([
    { agents: agentsOf(5), schedule: { kind: 'balanced', deals: 200 } },
    { agents: agentsOf(3), schedule: { kind: 'cross', deals: 200 } },
  ])('looks at the tables of both agents only: %j', (given) => {
    const other = contestOf({ ...tested, ...given });
    const { perDeal } = planOf(other);
    const won = tablesWon(other, 200 * perDeal, ['a0']);
    const at = counted(decideStop(other, won));
    expect(at % perDeal).toBe(0);
    const elsewhere = won.map((result) => {
      const { agents } = planOf(other).at(result.number);
      return agents.includes('a0') && agents.includes('a1') ? result : tableWon(other, result.number, 'a1');
    });
    expect(counted(decideStop(other, elsewhere))).toBe(at);
  });
});

const dealt = contestOf({ games: [{ rules: 'maw', players: 5 }] });
const priced = (number: number): PairingResult => ({
  ...tableWon(dealt, number, 'a0'),
  usage: [{ agent: 'a0', model: 'Big:latest', calls: 1, prompt: 1_000_000, completion: 10, seconds: 1 }],
});

describe('a limit of cost', () => {
  const limited: Contest = { ...dealt, prices: { big: { prompt: 1, completion: 0 } }, stopping: { maxCost: 7.5 } };
  const tables = Array.from({ length: 10 }, (_, number) => priced(number)); // each costs 1

  it('stops before another table would exceed it; only whole deals count', () => {
    expect(decideStop(limited, tables.slice(0, 6))).toEqual({ stop: false });
    expect(decideStop(limited, tables.slice(0, 7))).toEqual({
      stop: true,
      counted: 5,
      why: '7.00 of 7.5 is spent, and another table costs about 1.00 (stopping.maxCost)',
    });
    expect(decideStop(limited, tables.slice(0, 7).toReversed())).toEqual(decideStop(limited, tables.slice(0, 7)));
    expect(decideStop(limited, [...tables.slice(0, 6), ...tables.slice(0, 6)])).toEqual({ stop: false });
    expect(decideStop(limited, [...tables.slice(0, 4), ...tables.slice(5, 8)])).toMatchObject({ counted: 0 });
    expect(decideStop(dealt, tables)).toEqual({ stop: false });
  });

  it('lets no more tables be opened than it pays for, and one by one until their cost is known', () => {
    const affordable = (contest: Contest, count: number, running: readonly number[]) => {
      const { add, spending } = stopping(contest);
      for (const result of tables.slice(0, count)) add(result);
      return running.map((each) => affordableTables(contest, spending, each));
    };
    expect(affordable(limited, 0, [0, 1])).toEqual([1, 0]);
    expect(affordable(limited, 4, [0, 2, 9])).toEqual([3, 1, 0]);
    expect(affordable(dealt, 0, [3])).toEqual([Infinity]);
  });

  it('ends a contest as soon as no table may be opened, however sums are rounded, and not when all are played', () => {
    // 4 tables of .003 come to .012, and (.015 - .012) / .003 to a little less than 1.
    const cheap: Contest = { ...dealt, prices: { big: { prompt: 0.003, completion: 0 } }, stopping: { maxCost: 0.015 } };
    for (let count = 1; count < 6; count++) {
      const { add, decision, spending } = stopping(cheap);
      for (const result of tables.slice(0, count)) add(result);
      expect([count, decision().stop]).toEqual([count, affordableTables(cheap, spending, 0) === 0]);
    }
    expect(planOf(limited).total).toBe(10);
    expect(decideStop({ ...limited, stopping: { maxCost: 10.5 } }, tables)).toEqual({ stop: false });
  });
});

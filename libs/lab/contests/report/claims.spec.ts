import { describe, expect, it } from '@jest/globals';
import { contestOf } from '../fixtures.suite.ts';
import type { PairingResult } from '../result.ts';
import type { Published } from './published.ts';
import { reportOf } from './report.ts';
import { resultsOf } from './synthetic-results.suite.ts';

const DEALS = 40;
const contest = contestOf({
  agents: ['a', 'b'].map((name) => ({ name, recipe: 'rules' })),
  games: [{ rules: 'werewolf-7' }],
  schedule: {
    kind: 'cells',
    deals: DEALS,
    cells: [
      { name: 'with', sides: { village: 'a' }, others: 'b' },
      { name: 'without', others: 'b' },
    ],
  },
});
const claim = (measure: string, about: string, higher = 'with', lower = 'without') => ({ measure, about, higher, lower, where: 'here' });
const claimsOf = (results: readonly PairingResult[], claims: readonly Published['claims'][number][]) =>
  reportOf(contest, results, { bootstrap: 50, published: { document: 'd', about: '', figures: [], claims: [...claims] } }).results
    .published!.claims;

/** The village wins the deals below a number, so that the outcomes of a deal go together; days are near those of the other cell. */
const together = resultsOf(contest, (number, cell) => {
  const deal = Math.floor(number / 2);
  const isWith = cell === 'with';
  return { winner: deal < (isWith ? 24 : 18) ? 'village' : 'werewolves', days: 2 + (deal % 10) + (isWith && deal % 4 !== 0 ? 1 : 0) };
});

describe('an order of two cells that play the same deals', () => {
  const [wins, days, agents] = claimsOf(together, [
    claim('win rate', 'village'),
    claim('duration', 'days'),
    claim('win rate', 'all', 'a', 'b'),
  ]);

  it('is told by the six deals of forty that differ, where games taken as independent would tell nothing', () => {
    expect(wins).toMatchObject({ finding: 'as published', deals: DEALS });
    expect(wins!.difference!.value).toBeCloseTo(6 / DEALS, 12);
    // Independent games: 1.96 sqrt(.6 * .4 / 40 + .45 * .55 / 40) is .22, more than .15.
    // Agresti and Min by deal: a mean of 6/42, of (6 + 1)/42 squares.
    const reach = 1.959964 * Math.sqrt((7 / 42 - (6 / 42) ** 2) / 42);
    expect([wins!.difference!.low, wins!.difference!.high]).toEqual([expect.closeTo(6 / 42 - reach, 5), expect.closeTo(6 / 42 + reach, 5)]);
    // ((1.96 + .84) sd / .15)^2, with the variance (6 - 36/40)/39 of a deal
    expect(wins!.needed).toBe(Math.ceil((2.8015852 ** 2 * ((6 - 36 / 40) / 39)) / 0.15 ** 2));
  });

  it('has for an amount the standard error of paired means', () => {
    // 30 deals of a day more, 10 of none: a deviation of sqrt(40/39 * .75 * .25)
    const error = Math.sqrt((40 / 39) * 0.75 * 0.25) / Math.sqrt(DEALS);
    expect(days).toMatchObject({ finding: 'as published', deals: DEALS, difference: { value: expect.closeTo(0.75, 9) } });
    expect(days!.difference!.low).toBeCloseTo(0.75 - 1.959964 * error, 5);
    expect(days!.difference!.high).toBeCloseTo(0.75 + 1.959964 * error, 5);
  });

  it('tells nothing of agents that never held the same places: there it is sides that differ', () => {
    expect(agents).toMatchObject({ finding: 'not measured', why: 'in no deal they held the same places' });
  });

  it('takes games as independent where no deal is played by both, and says so by naming none', () => {
    const apart = together.filter(({ number }) => Math.floor(number / 2) < 20 === (number % 2 === 0));
    const [rate, length] = claimsOf(apart, [claim('win rate', 'village'), claim('duration', 'days')]);
    for (const each of [rate, length]) expect(each).not.toHaveProperty('deals');
    expect(rate!.difference!.value).toBeCloseTo(1, 12);
    expect(length!.difference!.value).toBeGreaterThan(0);
  });

  it('of equal cells is no difference, however many deals', () => {
    const twins = resultsOf(contest, (number) => ({
      winner: number % 4 < 2 ? 'village' : 'werewolves',
      days: 2 + (Math.floor(number / 2) % 3),
    }));
    for (const each of claimsOf(twins, [claim('win rate', 'village'), claim('duration', 'days')])) {
      expect(each).toMatchObject({ finding: 'not told apart', difference: { value: 0 } });
      expect(each).not.toHaveProperty('needed');
    }
  });
});

describe('an order of two agents that exchange their places', () => {
  const exchanged = contestOf({ agents: contest.agents.map(({ name, recipe }) => ({ name, recipe })), games: [...contest.games, { rules: 'onuw' }], schedule: { kind: 'sides', deals: 20 } }); // prettier-ignore
  const broken = { why: 'it was aborted' };
  const orderOf = (results: readonly PairingResult[]) =>
    reportOf(exchanged, results, { bootstrap: 50, published: { document: 'd', about: '', figures: [], claims: [claim('win rate', 'all', 'a', 'b')] } }).results.published!.claims[0]; // prettier-ignore
  const always = resultsOf(exchanged, () => ({ winner: 'village' }));

  it('is by the deals in which both pairings were played, of the rule set of the figure', () => {
    const some = always.map((result) => (result.number % 4 === 1 && result.number > 40 ? { ...result, games: [], void: broken } : result));
    expect(orderOf(some)).toMatchObject({ deals: 10, difference: { value: 0 }, finding: 'not told apart' });
  });

  it('is not told where the second pairing of each deal is void', () => {
    const half = always.map((result) => (result.number % 2 ? { ...result, games: [], void: broken } : result));
    expect(orderOf(half)).toMatchObject({ finding: 'not measured' });
  });
});

it('a measure of an agent is no surer for games that repeat those of their deal', () => {
  const tables = reportOf(contest, together, { bootstrap: 50 }).results.measures;
  const widthOf = (by: string, name: string): number => {
    const { columns, rows } = tables.find((table) => table.by === by)!;
    const at = columns.findIndex(({ measure }) => measure === 'duration');
    const { low, high } = rows.find((row) => row.name === name)!.values[at]!;
    return high! - low!;
  };
  // b plays both games of each deal, of about the same days: twice the games of a cell, and no more evidence.
  expect(widthOf('agent', 'b') / widthOf('cell', 'without')).toBeGreaterThan(0.9);
});

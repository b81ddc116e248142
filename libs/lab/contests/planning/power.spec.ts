import { describe, expect, it } from '@jest/globals';
import { contestOf } from '../fixtures.suite.ts';
import { countedPairings } from '../report/counted.ts';
import { readPublished } from '../report/published.ts';
import { gapsIn } from '../report/report.ts';
import { resultsOf } from '../report/synthetic-results.suite.ts';
import { anyDifferences, planDeals, publishedDifferences } from './power.ts';

const figure = (cell: string, value: number, measure = 'win rate', about = 'village'): string =>
  `  - { cell: ${cell}, measure: ${measure}, about: ${about}, value: ${value}, how: printed, where: table 1 }`;
const published = readPublished(
  'p.yaml',
  ['document: d', 'figures:', figure('with', 0.5), figure('without', 0.8), figure('other', 0.8), figure('nobody', 0.6), figure('with', 0.9, 'win rate', 'werewolves'), figure('with', 3, 'duration', 'days'), figure('without', 4, 'duration', 'days'), ''].join('\n'), // prettier-ignore
);
const contest = contestOf({
  agents: ['a', 'b'].map((name) => ({ name, recipe: 'rules' })),
  games: [{ rules: 'werewolf-7' }],
  schedule: { kind: 'cells', deals: 20, cells: [{ name: 'with', others: 'a' }, { name: 'without', others: 'b' }, { name: 'other', others: 'b' }] }, // prettier-ignore
});
const sought = { level: 0.05, power: 0.8 };

it.each([1.4, 90, -0.1])('a published share of %f is refused, with its file and place; days are not', (value) => {
  const read = (measure: string) => () => readPublished('p.yaml', `document: d\nfigures:\n${figure('with', value, measure)}\n`);
  expect(read('win rate')).toThrow(/^p\.yaml:3: figures\.0\.value: .*a share, from 0 to 1/);
  expect(read('duration')).not.toThrow();
});

describe('the deals that find what is published', () => {
  it('are of pairs of shares of one measure and side that are not equal, the higher first', () => {
    expect(publishedDifferences(published, contest).map(({ higher, lower, about, shares }) => [higher, lower, about, ...shares])).toEqual([
      ['without', 'with', 'village', 0.8, 0.5],
      ['other', 'with', 'village', 0.8, 0.5],
    ]);
  });

  it('are those of the pair that needs most', () => {
    const pair = (higher: string, p: number, q: number) => ({ measure: 'win rate', about: 'good', higher, lower: 'x', where: 'w', shares: [p, q] as const }); // prettier-ignore
    // A smaller difference near 1 needs fewer than a larger one about a half: .99 - .9 takes 106, .56 - .44 takes 289.
    const plan = planDeals([pair('near', 0.99, 0.9), pair('half', 0.56, 0.44), pair('wide', 0.9, 0.2)], sought);
    expect(plan).toMatchObject({ deals: 289, wanted: { higher: 'half' }, variance: expect.closeTo(2 * 0.56 * 0.44, 12) });
    expect(plan).not.toHaveProperty('played');
  });

  it('are fewer once ten deals were played whose outcomes go together, and a higher level or less power takes fewer, too', () => {
    // One deal in ten differs.
    const results = resultsOf(contest, (number, cell) => ({ winner: number % 6 < 3 || (cell !== 'with' && Math.floor(number / 3) % 10 === 1) ? 'village' : 'werewolves' })); // prettier-ignore
    const [wanted] = publishedDifferences(published, contest);
    const plan = (most: number, terms = sought) =>
      planDeals([wanted!], terms, gapsIn(contest, countedPairings(contest, results.slice(0, most))));
    const any = planDeals(anyDifferences(contest, 0.3), sought, gapsIn(contest, countedPairings(contest, results)));
    expect(any).toMatchObject({ played: 20, wanted: { about: 'village', higher: 'with', lower: 'without' }, deals: 25 });
    expect(plan(60)).toMatchObject({ played: 20, variance: expect.closeTo((2 - 20 * 0.01) / 19, 12) });
    // With .3 of deals decided and all for one: the least n at which six or more of them are as likely as .8.
    expect(plan(60).deals).toBe(25);
    expect(plan(27)).not.toHaveProperty('played');
    expect(plan(27).deals).toBe(46);
    expect(plan(27, { level: 0.1, power: 0.8 }).deals).toBeLessThan(46);
    expect(plan(27, { level: 0.05, power: 0.7 }).deals).toBeLessThan(46);
  });
});

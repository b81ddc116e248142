import { expect, it } from '@jest/globals';
import { normalBeyond } from '../distributions.ts';
import { dealsForPower, pairedDealsForPower, USUALLY_SOUGHT } from './sample-size.ts';

it('quantiles are those of the normal distribution', () => {
  // scipy 1.x, norm.isf(p / 2)
  for (const [p, z] of [
    [0.05, 1.959963984540054],
    [0.01, 2.5758293035489004],
    [0.4, 0.8416212335729142],
    [0.2, 1.2815515655446004],
    [1, 0],
    [0.001, 3.2905267314918945],
  ] as const)
    // prettier-ignore
    expect(normalBeyond(p)).toBeCloseTo(z, 12);
});

// power.prop.test of R 4 (stats); its help page has the fourth line as an example: n = 76.7.
it.each([
  [0.5, 0.37, 0.8, 0.05, 228],
  [0.9, 0.8, 0.8, 0.05, 199],
  [0.7, 0.62, 0.8, 0.05, 550],
  [0.5, 0.75, 0.9, 0.05, 77],
  [0.9, 0.6, 0.95, 0.01, 71],
  [0.625, 0.375, 0.5, 0.05, 31],
])('%f against %f with power %f at %f takes %i independent games of each', (one, other, power, level, games) => {
  const mean = (one + other) / 2;
  const variance = one * (1 - one) + other * (1 - other);
  expect(dealsForPower(one - other, variance, { power, level }, 2 * mean * (1 - mean))).toBe(games);
});

// statsmodels 0.15, NormalIndPower(ddof=0).solve_power(difference / deviation, power=..., alpha=..., ratio=0): one sample of differences.
it.each([
  [0.15, 0.5, 0.8, 0.05, 87.20956138148833],
  [0.1, 0.7, 0.9, 0.05, 514.8635491881269],
  [0.25, 0.6, 0.8, 0.01, 67.27085652654547],
  [0.3, 0.5, 0.95, 0.05, 36.09641199002416],
])(
  'a difference of %f with a deviation of %f, power %f at %f, takes as many paired deals as statsmodels says',
  (difference, deviation, power, level, deals) => {
    expect(dealsForPower(difference, deviation ** 2, { power, level })).toBe(Math.ceil(deals));
    expect(dealsForPower(-difference, deviation ** 2, { power, level })).toBe(Math.ceil(deals));
  },
);

it('fewer than six deals find nothing, and no number of them finds no difference', () => {
  expect([dealsForPower(1, 0.01, USUALLY_SOUGHT), dealsForPower(0, 1, USUALLY_SOUGHT)]).toEqual([6, Infinity]);
});

// By all outcomes of n deals, in exact fractions: won by the one, by the other or tied, with p of the sign test; the formula says 62, 24, 15, 6, 39.
it.each([
  [0.625, 0.375, 71],
  [0.7, 0.3, 29],
  [0.75, 0.25, 19],
  [0.9, 0.1, 9],
  [0.8, 0.5, 46],
])('the test of paired deals finds %f against %f with power .8 from %i deals on', (one, other, deals) => {
  expect(pairedDealsForPower(one - other, one * (1 - one) + other * (1 - other), { power: 0.8, level: 0.05 })).toBe(deals);
});

import { expect, it } from '@jest/globals';
import { gameRecord } from '../fixtures.suite.ts';
import { trustChart } from './trust-chart.ts';

const game = gameRecord({ rules: 'maw', roles: ['wolf', 'villager'] });

it('draws a panel per day, a row per seat that trusts, and nothing without judgements', () => {
  const trust = { table: 't1', round: 1, judge: 'j', version: '1', measure: 'trust' as const };
  const chart = trustChart(game, [{ ...trust, day: 2, pairs: [] }, { ...trust, day: 1, pairs: [[1, 0]] }])!; // prettier-ignore
  expect([...chart.matchAll(/>(day \d)</g)].map(([, day]) => day)).toEqual(['day 1', 'day 2']);
  const filled = [...chart.matchAll(/<rect x="(\d+)" y="(\d+)"[^>]*fill="#1b6ca8"/g)].map(([, x, y]) => [x, y]);
  expect(filled).toEqual([['90', '52']]);
  expect(trustChart({ ...game, round: 2 }, [{ ...trust, day: 1, pairs: [] }])).toBeUndefined();
});

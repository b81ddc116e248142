import { expect, it } from '@jest/globals';
import { gameRecord } from '../fixtures.suite.ts';
import { tacticChart, trustChart } from './charts.ts';

const row = (about: string, value: number, measure = 'tactic share') => ({ measure, source: '', rules: 'onuw', about, value, cases: 4 });

it('draws the shares of each role side by side, and nothing without tactics', () => {
  const chart = tacticChart([row('seer: honest_evidence', 0.75), row('seer: deceptive_evidence', 0.25), row('wolves', 0.5, 'win rate')])!;
  const pieces = [...chart.matchAll(/<rect x="([\d.]+)" y="50" width="([\d.]+)"/g)].map(([, x, width]) => [Number(x), Number(width)]);
  expect(pieces).toEqual([
    [130, 450],
    [580, 150],
  ]);
  expect(chart).toContain('>seer (4)</text>');
  expect(tacticChart([row('wolves', 0.5, 'win rate')])).toBeUndefined();
});

const game = gameRecord({ rules: 'maw', roles: ['wolf', 'villager'] });

it('draws a panel per day, a row per seat that trusts, and nothing without judgements', () => {
  const trust = { table: 't1', round: 1, judge: 'j', version: '1', measure: 'trust' as const };
  const chart = trustChart(game, [{ ...trust, day: 2, pairs: [] }, { ...trust, day: 1, pairs: [[1, 0]] }])!; // prettier-ignore
  expect([...chart.matchAll(/>(day \d)</g)].map(([, day]) => day)).toEqual(['day 1', 'day 2']);
  const filled = [...chart.matchAll(/<rect x="(\d+)" y="(\d+)"[^>]*fill="#1b6ca8"/g)].map(([, x, y]) => [x, y]);
  expect(filled).toEqual([['90', '52']]);
  expect(trustChart({ ...game, round: 2 }, [{ ...trust, day: 1, pairs: [] }])).toBeUndefined();
});

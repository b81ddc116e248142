import { expect, it } from '@jest/globals';
import { tacticChart } from './tactic-chart.ts';

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

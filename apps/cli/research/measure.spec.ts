import { describe, expect, it } from '@jest/globals';
import { linesOf } from './measure.ts';

const rows = [
  {
    measure: 'win rate',
    source: 'document 001, section 4.3',
    rules: 'onuw',
    about: 'village',
    value: 0.42,
    cases: 50,
    low: 0.294,
    high: 0.558,
  },
  { measure: 'score', source: 'document 001, equation 4', rules: 'onuw', about: 'village', value: undefined, cases: 0 },
] as const;

describe('maw measure', () => {
  it('prints a table, and names what needs a judge', () => {
    const [head, first, second, last] = linesOf(rows, 'table');
    expect(head).toMatch(/^rules +measure +about +value +95 % +cases +source$/);
    expect(first).toMatch(/^onuw +win rate +village +0.42 +0.294 to 0.558 +50 +document 001, section 4.3$/);
    expect(second).toMatch(/^onuw +score +village +none +0 +document 001/);
    expect(last).toMatch(/^Not computed, as they need a judge: camouflage; .*; trust\.$/);
  });

  it('prints CSV and JSON for programs', () => {
    expect(linesOf(rows, 'csv')).toEqual([
      'rules,measure,about,value,cases,low,high,source',
      'onuw,win rate,village,0.42,50,0.294,0.558,"document 001, section 4.3"',
      'onuw,score,village,,0,,,"document 001, equation 4"',
    ]);
    const json = linesOf(rows, 'json').map((line) => JSON.parse(line) as { value?: unknown; skipped?: string });
    expect(json.slice(0, 2).map(({ value }) => value)).toEqual([0.42, null]);
    expect(json.slice(2).every(({ skipped }) => skipped === 'needs a judge')).toBe(true);
  });
});

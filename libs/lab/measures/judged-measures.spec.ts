import { describe, expect, it } from '@jest/globals';
import { gameRecord } from './fixtures.suite.ts';
import { type Judgement, judgementShape, measureJudged } from './judged-measures.ts';

const by = { judge: 'a person', version: '1' };
const game = (table: string) => gameRecord({ table, roles: ['a', 'b', 'c'] });
const games = [game('t1'), game('t2')];

/** The value of a measure with these cases in one game each. */
function valueOf(measure: string, ...cases: readonly (readonly [times: number, of: number])[]) {
  const judgements = cases.map(([times, of], i) => judgementShape.parse({ ...by, table: `t${i + 1}`, measure, about: 'x', times, of }));
  return measureJudged(games, judgements)[0]!.value;
}

describe('judged measures', () => {
  it.each<readonly [string, readonly (readonly [number, number])[], number]>([
    ['camouflage', [[3, 1], [2, 1]], 2.5],
    ['reasonable outputs', [[43, 50]], 0.86],
    ['first claims', [[2, 5], [0, 5]], 0.2],
    ['self-recommendation', [[2, 4], [0, 2]], 0.25],
    ['success of self-recommendation', [[1, 2], [0, 0]], 0.25],
    ['teamwork', [[1, 2], [0, 2]], 0.25],
    ['sharing', [[4, 5], [3, 5]], 0.7],
  ])('combine the games: %s', (measure, cases, value) => expect(valueOf(measure, ...cases)).toBeCloseTo(value)); // prettier-ignore

  it('read trust as density and its mutual part, day by day', () => {
    const day = (n: number, ...pairs: [number, number][]): Judgement => ({ ...by, table: 't1', round: 1, measure: 'trust', day: n, pairs });
    const rows = measureJudged(games, [day(1, [0, 1], [1, 0], [0, 2]), day(2, [0, 1], [1, 0])]);
    expect(rows.map(({ about, value, source }) => [about, value, source])).toEqual([
      ['density, day 1', 0.5, 'document 001, section 5.1; judged by a person, 1'],
      ['mutual, day 1', expect.closeTo(2 / 3), expect.any(String)],
      ['density, day 2', expect.closeTo(1 / 3), expect.any(String)],
      ['mutual, day 2', 1, expect.any(String)],
    ]);
  });

  it('keep judges and versions apart, and leave out other games', () => {
    const one = { ...by, table: 't1', measure: 'camouflage', about: 'wolves', times: 3, of: 1 };
    const all = [one, { ...one, version: '2' }, { ...one, table: 'other' }].map((each) => judgementShape.parse(each));
    expect(measureJudged(games, all).map(({ value, source }) => [value, source.split('; ')[1]])).toEqual([
      [3, 'judged by a person, 1'],
      [3, 'judged by a person, 2'],
    ]);
    expect(judgementShape.safeParse({ ...one, judge: '' }).success).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { type ContestView, costOf, faultsOf, hasMore, leftInWords, mindOf, roughTime, timeLeftOf, usedBy } from './standing.ts';

const known = contracts.get('contest.view').replyExample as ContestView;
const view: ContestView = {
  ...known,
  contest: {
    agents: [
      { name: 'a', recipe: 'xu', model: 'llama3.1' },
      { name: 'b', recipe: 'rules' },
    ],
    stopping: { maxCost: 5 },
  },
  faults: [
    { agent: 'a', kind: 'late', times: 3 },
    { agent: 'b', kind: 'late', times: 1 },
    { agent: 'a', kind: 'invalid', times: 2 },
  ],
};

describe('where a contest stands', () => {
  it.each([
    [0, '0 s'],
    [59_000, '59 s'],
    [60_000, '1 min'],
    [61_000, '2 min'],
    [3_599_000, '60 min'],
    [5_400_000, '1.5 h'],
  ])('%i ms are roughly %s', (ms, text) => expect(roughTime(ms)).toBe(text));

  it('says what is known of time and cost, and nothing of what is not', () => {
    expect([timeLeftOf(undefined), timeLeftOf(view), timeLeftOf({ ...view, leftMs: 90_000 })]).toEqual(['', '', 'about 2 min']);
    expect((['phases', 'rules'] as const).map((leftBy) => leftInWords({ ...view, leftMs: 90_000, leftBy }))).toEqual([
      'about 2 min, by the phases so far',
      'about 2 min, by the times of the rules',
    ]);
    expect(leftInWords({ ...view, leftMs: 90_000 })).toBe('about 2 min');
    expect([costOf(undefined), costOf(view), costOf({ ...view, cost: 1.5 }), costOf({ ...view, cost: 1.5, contest: {} })]).toEqual([
      '',
      '',
      '1.50 of at most 5',
      '1.50',
    ]);
  });

  it('tells of each agent its own', () => {
    expect([faultsOf(view, 'a'), faultsOf(view, 'b'), faultsOf(view, 'c')]).toEqual(['late 3, invalid 2', 'late 1', '']);
    expect([mindOf(view, 'a'), mindOf(view, 'b'), mindOf(view, 'c')]).toEqual(['xu, llama3.1', 'rules', '']);
  });

  it('has tokens and cost of each agent, a cost only where it is known, and no cells where no model was asked', () => {
    const used = { ...view, usage: [{ agent: 'a', prompt: 1_200_000, completion: 34, cost: 0.5 }, { agent: 'b', prompt: 7, completion: 1 }] }; // prettier-ignore
    expect([usedBy(used, 'a'), usedBy(used, 'b'), usedBy(used, 'c'), usedBy(view, 'a')]).toEqual([['1,200,034', '0.50'], ['8', ''], ['0', ''], []]); // prettier-ignore
  });

  it('is read of contests that run, and of those at tables, which may have cost something', () => {
    const summaryOf = (state: 'running' | 'finished', play: 'arena' | 'tables') => ({ ...view.summary, state, play });
    expect([summaryOf('running', 'arena'), summaryOf('finished', 'tables'), summaryOf('finished', 'arena')].map(hasMore)).toEqual([true, true, false]); // prettier-ignore
  });
});

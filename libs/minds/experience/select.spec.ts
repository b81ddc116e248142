import { describe, expect, it } from '@jest/globals';
import { experienceScore, selectExperience } from './select.ts';

const of = (...scores: readonly number[]) => scores.map((score) => ({ reflection: '', response: `r${score}`, score }));
const scores = (found: ReturnType<typeof selectExperience>) => found && [found.bad.score, found.good.map(({ score }) => score)];

describe('the experience of a player', () => {
  it('is worth 1000 less the days to a winner, and the days to a loser', () => {
    expect([experienceScore(true, 5), experienceScore(false, 5)]).toEqual([995, 5]);
  });
});

describe('the selection of experience', () => {
  it('is the worst, and those nearest to the median, without the worst', () => {
    expect(scores(selectExperience(of(3, 997, 5, 995, 8, 993, 4), 'median', 3))).toEqual([3, [8, 5, 4]]);
    expect(scores(selectExperience(of(4, 996), 'median', 5))).toEqual([4, [996]]);
  });

  it('is the worst, and the highest of 993 to 995, as the program has it', () => {
    expect(scores(selectExperience(of(3, 997, 995, 993, 992, 994, 995), 'fixed', 3))).toEqual([3, [995, 995, 994]]);
    expect(selectExperience(of(3, 997), 'fixed', 5)).toBeUndefined();
  });

  it('is nothing without two to compare', () => {
    expect(selectExperience([], 'median', 5)).toBeUndefined();
    expect(selectExperience(of(3), 'median', 5)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { mergePlan, planLines, readPlan } from './plan.ts';
import { periodOf, plannedRounds } from './period.ts';

const period = (rules: string, phase: string) => periodOf({ rules: { name: rules, text: '' }, phase: `round-1/${phase}` });

describe('a plan', () => {
  it('is read from JSON, for the wanted rounds only', () => {
    expect(readPlan('{"Quest 2":" Watch Bob. ","quest 3":7,"quest 9":"No."}', ['quest 2', 'quest 3'])).toEqual({ 'quest 2': 'Watch Bob.' });
  });

  it('is read from lines that begin with the round, and day 1 is not day 12', () => {
    expect(readPlan('My plan:\n- day 12: Never.\nDay 1: Watch Bob.\nday 2 - Vote.', ['day 1', 'day 2'])).toEqual({
      'day 1': 'Watch Bob.',
      'day 2': 'Vote.',
    });
  });

  it('keeps the lines that are not replaced, and shows those of the coming rounds', () => {
    const plan = mergePlan({ 'day 1': 'a', 'day 2': 'b', 'day 3': 'c' }, { 'day 2': 'new' });
    expect(planLines(plan, ['day 2', 'day 3', 'day 4'])).toEqual(['day 2: new', 'day 3: c']);
  });
});

describe('the rounds of a plan', () => {
  it.each([
    ['avalon', 'quest-2/proposal-3', 'quest 2', ['quest 2', 'quest 3', 'quest 4', 'quest 5']],
    ['avalon', 'end', 'quest 5', ['quest 5']],
    ['maw', 'night-2', 'day 2', ['day 2', 'day 3', 'day 4']],
    ['aiwolf', 'day-1/vote-2', 'day 1', ['day 1', 'day 2', 'day 3']],
    ['werewolf-7', 'night-1', 'day 1', ['day 1', 'day 2', 'day 3']],
    ['onuw', 'night', 'round 0', ['round 1', 'round 2', 'round 3']],
    ['onuw', 'day/round-2', 'round 2', ['round 2', 'round 3', 'round 4']],
    ['onuw', 'day', 'round 1', ['round 1', 'round 2', 'round 3']],
  ])('of %s in %s are those from %s on', (rules, phase, name, rounds) => {
    expect([period(rules, phase).name, plannedRounds(period(rules, phase))]).toEqual([name, rounds]);
  });
});

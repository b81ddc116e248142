import { describe, expect, it } from '@jest/globals';
import { asking, dayTwo, talk, vote, whisper } from './fixtures.suite.ts';
import { kindOfDecision } from './decision-kind.ts';
import type { Asking } from './mind.ts';

const kind = (questions: readonly Asking[], given: Partial<typeof dayTwo> = {}) => kindOfDecision({ ...dayTwo, questions, ...given });
const avalon = { rules: { name: 'avalon', text: '' } };

describe('kindOfDecision', () => {
  it('is the rule set’s own, else by verb and secrecy', () => {
    expect(kind([vote])).toBe('vote');
    expect(kind([{ ...vote, secret: true }])).toBe('secret-choice');
    expect(kind([whisper])).toBe('talk');
    const quest = asking('quest-1/proposal-1/quest', 'choose', [], { secret: true });
    expect([kind([quest]), kind([quest], avalon)]).toEqual(['secret-choice', 'quest-card']);
    expect(kind([asking('quest-1/proposal-1/team', 'choose')], avalon)).toBe('proposal');
  });

  it('is talk while a vote is open beside it, until the vote must be made', () => {
    expect(kind([vote, talk])).toBe('talk');
    expect(kind([vote, talk], { mustChoose: true })).toBe('vote');
  });
});

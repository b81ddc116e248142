import { describe, expect, it } from '@jest/globals';
import { dayFor, voteId } from '@maw/tests/equipment/fakes/player-fixture.ts';
import { urgencyOf } from './mind-tools.ts';

const [vote, talk] = dayFor(0).questions as [never, never];
const once = { ...(vote as object), id: 'round-1/night-1/guard', final: true } as never;
const turn = { ...(talk as object), final: true } as never;
const begun = { standing: {}, iteration: 0 };
const voted = { [voteId]: ['seat:1'] };

describe('urgencyOf', () => {
  it('is critical while a choice is owed', () => {
    expect(urgencyOf([vote, talk], begun, false)).toBe('critical');
    expect(urgencyOf([talk, vote], { ...begun, standing: { 'round-1/day-1/talk': ['hello'] } }, false)).toBe('critical');
  });

  it('is talk once the choice stands', () => {
    expect(urgencyOf([vote, talk], { standing: voted, iteration: 1 }, false)).toBe('talk');
    expect(urgencyOf([vote, talk], { standing: voted, iteration: 9 }, true)).toBe('talk');
  });

  it('is talk when only speech is asked', () => {
    expect(urgencyOf([talk], begun, false)).toBe('talk');
    expect(urgencyOf([turn], begun, true)).toBe('talk');
  });

  it('stays critical for a choice asked once', () => {
    expect(urgencyOf([once], { standing: {}, iteration: 8 }, false)).toBe('critical');
    expect(urgencyOf([once, talk], { standing: voted, iteration: 8 }, false)).toBe('critical');
  });

  it('is critical for three iterations, and again when time is short', () => {
    const after = (iteration: number, isShort: boolean) => urgencyOf([vote, talk], { standing: {}, iteration }, isShort);
    expect([after(2, false), after(3, false), after(3, true)]).toEqual(['critical', 'talk', 'critical']);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Data } from '@maw/contracts/contracts.ts';
import { dayFor, decideMessage, talkId, voteId } from '@maw/tests/equipment/fakes/player-fixture.ts';
import { newProgress, progressAfter, startProgress } from './progress.ts';

const delayed = { n: 1, at: 0, event: { type: 'delayed', ms: 60_000, at: 0 }, text: 'The game stood still for 60 seconds.' };
const extended = (given: Partial<Data<'seat.decide'>> = {}) => dayFor(0, { news: [delayed], ...given });

describe('startProgress', () => {
  it('keeps choices and what was read when the deadline was extended, unless phase or holder changed', () => {
    const standing = { [voteId]: ['seat:1'] };
    const reading = { until: 9_000, lines: { 'round-1/day-1/Village': 7 }, spoken: { 1: 2 } };
    const kept = { ...newProgress('t1/10/decide-0', 10, 'round-1/day-1'), iteration: 4, answers: 3, closed: [talkId], standing, reading };
    const fresh = newProgress('t1/20/decide-0', 20, 'round-1/day-1');
    expect(startProgress(decideMessage(extended(), 20), kept)).toEqual({ ...fresh, iteration: 4, standing, reading });
    expect(startProgress(decideMessage(dayFor(0), 20), kept)).toEqual(fresh);
    const handed = { n: 2, at: 0, event: { type: 'handed', seat: 0, to: 'mind' } };
    expect(startProgress(decideMessage(extended({ news: [delayed, handed] }), 20), kept)).toEqual(fresh);
    expect(startProgress(decideMessage(extended({ phase: 'round-1/day-2' }), 20), kept)).toEqual({ ...fresh, phase: 'round-1/day-2' });
    expect(startProgress(decideMessage(extended(), 20), undefined)).toEqual(fresh);
    expect(startProgress(decideMessage(dayFor(0), 10), kept)).toBe(kept);
  });
});

describe('progressAfter', () => {
  const start = newProgress('m', 3, 'round-1/day-1');
  const vote = { id: 'vote', final: false };

  it('records answers that stand', () => {
    const once = progressAfter(start, vote, ['seat:1'], { is: 'taken' });
    expect(progressAfter(once, vote, ['seat:2'], { is: 'taken' })).toMatchObject({ standing: { vote: ['seat:2'] }, closed: [] });
    expect(progressAfter(start, { id: 'inspect', final: true }, ['seat:1'], { is: 'taken' }).closed).toEqual(['inspect']);
    const talk = { id: 'talk', final: false, last: 'Over' };
    expect(progressAfter(start, talk, ['hello'], { is: 'taken' }).closed).toEqual([]);
    expect(progressAfter(start, talk, ['Over'], { is: 'taken' }).closed).toEqual(['talk']);
  });

  it('records closed questions and refusals', () => {
    expect(progressAfter(start, vote, [], { is: 'closed', reason: 'dead' }).closed).toEqual(['vote']);
    expect(progressAfter(start, vote, [], { is: 'refused', reason: 'too-long', detail: '9 of 5' }).refused).toEqual(['too-long (9 of 5)']);
    expect(progressAfter(start, vote, [], { is: 'unanswered' })).toBe(start);
  });
});

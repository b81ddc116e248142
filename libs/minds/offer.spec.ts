import { describe, expect, it } from '@jest/globals';
import { afterTalk, dayTwo, inspect, talk, vote } from './fixtures.suite.ts';
import { newMind } from './mind.ts';
import { noteSpeech, offeredTo } from './think.ts';
import { waysOf } from './prompts/reply.ts';

const words = (mind = afterTalk, given: Partial<typeof dayTwo> = {}) =>
  waysOf(offeredTo(mind, { ...dayTwo, ...given })).map((way) => way.do);

describe('what a model is offered', () => {
  it('is no vote before somebody has spoken in public in this phase, unless time is short', () => {
    expect(words(newMind)).toEqual(['speak', 'listen']);
    expect(words(newMind, { isTimeShort: true })).toEqual(['speak', 'vote', 'listen']);
    expect(words(newMind, { questions: [vote, talk, inspect] })).toEqual(['speak', 'inspect', 'listen']);
    expect(words(afterTalk)).toEqual(['speak', 'vote', 'listen']);
    expect(words(afterTalk, { phase: 'round-1/day-3' })).toEqual(['speak', 'listen']);
  });

  it('is no listening once a room has stayed silent', () => {
    expect(words(newMind, { iteration: 1 })).toEqual(['speak']);
  });

  it('is a vote where a speech was heard, and not where it was heard in private', () => {
    const heard = (room: string) => ({ ...dayTwo, news: [{ at: 0, by: 1, speech: 'Hm.', room }] });
    expect(words(noteSpeech(newMind, heard(talk.room!)))).toContain('vote');
    expect(words(noteSpeech(newMind, heard('round-1/day-2/Whisper-0')))).not.toContain('vote');
    expect(words(noteSpeech(newMind, heard('round-1/day-1/Village')))).not.toContain('vote');
  });

  it('is not the choice that stands', () => {
    const [asking] = offeredTo(afterTalk, { ...dayTwo, questions: [vote], standing: { [vote.id]: ['seat:2'] } }).questions;
    expect(asking!.options.map(({ named }) => named)).toEqual(['Bob', 'Dot']);
    const single = { ...vote, options: vote.options.slice(0, 1) };
    expect(words(afterTalk, { questions: [single], standing: { [vote.id]: ['seat:1'] } })).toEqual([]);
  });
});

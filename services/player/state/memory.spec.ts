import { describe, expect, it } from '@jest/globals';
import { addSeenEvents } from '../news/collect-news.ts';
import { newMemory, parseMemory } from './memory.ts';
import { newProgress } from './progress.ts';

describe('parseMemory', () => {
  it('reads back a stored memory', () => {
    const asked = { type: 'asked', question: { id: 'day-1/vote', verb: 'vote', seats: [0, 1], options: ['seat:0'] } };
    const answered = { type: 'answered', question: 'talk', answer: { by: 1, says: ['hello'] } };
    const seen = [
      { n: 1, at: 7, event: asked },
      { n: 2, at: 8, event: answered, room: 'r', line: 2 },
    ];
    const memory = { ...addSeenEvents(newMemory, seen, ['Ann', 'Bob']), decision: newProgress('m', 3, 'round-1/day-1') };
    expect(memory).toMatchObject({ n: 2, rooms: { r: 2 }, verbs: { 'day-1/vote': 'vote' } });
    expect(memory.pending).toMatchObject([{ event: asked }, { text: expect.stringContaining('hello'), event: answered }]);
    expect(parseMemory(JSON.parse(JSON.stringify(memory)))).toEqual(memory);
    expect(parseMemory(JSON.parse(JSON.stringify(newMemory)))).toEqual(newMemory);
  });

  it('returns undefined for anything else', () => {
    for (const other of [null, undefined, 3, {}, { ...newMemory, v: 2 }, { ...newMemory, mind: {} }, { ...newMemory, n: -1 }])
      expect(parseMemory(other)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { addRoomLines, addSeenEvents } from './collect-news.ts';
import { newMemory, parseMemory } from '../state/memory.ts';
import { newProgress, progressAfter } from '../state/progress.ts';

const names = ['Ann', 'Bob'];
const room = 'round-1/day-1/Village';
const line = (number: number, text = `line ${number}`) => ({ line: number, by: 1, text, at: 0 });
const seen = (n: number, number?: number) => ({
  n,
  at: 0,
  event: { type: 'answered', question: 'talk', answer: { by: 1, says: [`line ${number}`] } },
  ...(number === undefined ? {} : { room, line: number }),
});
const texts = ({ pending }: { pending: readonly { text?: string }[] }) => pending.flatMap(({ text }) => text ?? []);

describe('hearing', () => {
  it('takes each line once, whether it was read in the room or came with the news', () => {
    let memory = addRoomLines(newMemory, room, [line(1), line(2)], names);
    memory = addSeenEvents(memory, [seen(1, 1), seen(2, 2), seen(3, 3)], names);
    memory = addRoomLines(memory, room, [line(3), line(4)], names);
    expect(texts(memory)).toEqual([1, 2, 3, 4].map((n) => `[Village] Bob: «line ${n}»`));
    expect(memory).toMatchObject({ n: 3, rooms: { [room]: 4 } });
  });

  it('keeps the event of a line that was read, for minds that count', () => {
    const memory = addSeenEvents(addRoomLines(newMemory, room, [line(1)], names), [seen(1, 1)], names);
    expect(memory.pending).toHaveLength(2);
    expect(memory.pending[1]).toMatchObject({ n: 1, event: { type: 'answered' } });
  });

  it('takes each event once', () => {
    const memory = addSeenEvents(newMemory, [seen(1, 1), seen(2, 2)], names);
    expect(addSeenEvents(memory, [seen(1, 1), seen(2, 2)], names)).toEqual(memory);
  });

  it('forgets the marks of rooms left long ago', () => {
    let memory = newMemory;
    for (let day = 1; day <= 100; day++) memory = addRoomLines(memory, `round-1/day-${day}/Village`, [line(1)], names);
    expect(Object.keys(memory.rooms).length).toBeLessThan(40);
    expect(memory.rooms['round-1/day-100/Village']).toBe(1);
  });
});

describe('a memory', () => {
  it('is the same after it was kept', () => {
    const memory = { ...addSeenEvents(newMemory, [seen(1, 1)], names), decision: newProgress('m', 3, 'round-1/day-1') };
    expect(parseMemory(JSON.parse(JSON.stringify(memory)))).toEqual(memory);
    expect(parseMemory(JSON.parse(JSON.stringify(newMemory)))).toEqual(newMemory);
  });

  it('is none of ours when it looks otherwise', () => {
    for (const other of [null, undefined, 3, {}, { ...newMemory, v: 2 }, { ...newMemory, mind: {} }, { ...newMemory, n: -1 }])
      expect(parseMemory(other)).toBeUndefined();
  });
});

describe('the progress of a decision', () => {
  const start = newProgress('m', 3, 'round-1/day-1');
  const vote = { id: 'vote', final: false };

  it('remembers what stands', () => {
    const once = progressAfter(start, vote, ['seat:1'], { is: 'taken' });
    expect(progressAfter(once, vote, ['seat:2'], { is: 'taken' })).toMatchObject({ standing: { vote: ['seat:2'] }, closed: [] });
    expect(progressAfter(start, { id: 'inspect', final: true }, ['seat:1'], { is: 'taken' }).closed).toEqual(['inspect']);
  });

  it('remembers what is closed, and why something was refused', () => {
    expect(progressAfter(start, vote, [], { is: 'closed', reason: 'dead' }).closed).toEqual(['vote']);
    expect(progressAfter(start, vote, [], { is: 'refused', reason: 'too-long', detail: '9 of 5' }).refused).toEqual(['too-long (9 of 5)']);
    expect(progressAfter(start, vote, [], { is: 'unanswered' })).toBe(start);
  });
});

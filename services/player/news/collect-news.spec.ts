import { describe, expect, it } from '@jest/globals';
import { addRoomLines, addSeenEvents } from './collect-news.ts';
import { newMemory } from '../state/memory.ts';

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

describe('collecting news', () => {
  it('takes each line once, from the room or the view', () => {
    let memory = addRoomLines(newMemory, room, [line(1), line(2)], names);
    memory = addSeenEvents(memory, [seen(1, 1), seen(2, 2), seen(3, 3)], names);
    memory = addRoomLines(memory, room, [line(3), line(4)], names);
    expect(texts(memory)).toEqual([1, 2, 3, 4].map((n) => `[Village] Bob: «line ${n}»`));
    expect(memory).toMatchObject({ n: 3, rooms: { [room]: 4 } });
  });

  it('keeps the event of a line that was read', () => {
    const memory = addSeenEvents(addRoomLines(newMemory, room, [line(1)], names), [seen(1, 1)], names);
    expect(memory.pending).toHaveLength(2);
    expect(memory.pending[1]).toMatchObject({ n: 1, event: { type: 'answered' } });
  });

  it('takes each event once', () => {
    const memory = addSeenEvents(newMemory, [seen(1, 1), seen(2, 2)], names);
    expect(addSeenEvents(memory, [seen(1, 1), seen(2, 2)], names)).toEqual(memory);
  });

  it('forgets rooms left long ago', () => {
    let memory = newMemory;
    for (let day = 1; day <= 100; day++) memory = addRoomLines(memory, `round-1/day-${day}/Village`, [line(1)], names);
    expect(Object.keys(memory.rooms).length).toBeLessThan(40);
    expect(memory.rooms['round-1/day-100/Village']).toBe(1);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Room } from '@maw/store/store.ts';
import { paces } from './pace.ts';
import { checkSpeech } from './verify.ts';

const room: Room = {
  table: 't',
  room: 'round-1/night-1/Hideout',
  question: 'round-1/night-1/talk',
  name: 'Hideout',
  members: [0, 1, 2],
  speakers: [0, 1],
  maxChars: 10,
  until: 1000,
  opened: 5,
  closed: undefined,
  lines: undefined,
  isArchived: false,
};

describe('the door of a room', () => {
  it.each([
    ['a member who may speak', 0, 'hello', 999, room, undefined],
    ['a stranger', 3, 'hello', 999, room, 'not-a-member'],
    ['a stranger at a closed room', 3, 'hello', 1000, { ...room, closed: 9 }, 'not-a-member'],
    ['a member who is dead', 2, 'hello', 999, room, 'dead'],
    ['anybody after it has closed', 0, 'hello', 999, { ...room, closed: 9 }, 'room-closed'],
    ['anybody when its time is over', 0, 'hello', 1000, room, 'room-closed'],
    ['silence', 0, '  ', 999, room, 'nothing-said'],
    ['too long a speech', 0, 'x'.repeat(11), 999, room, 'too-long'],
    ['a speech that counts as ten characters', 0, '🐺'.repeat(10), 999, room, undefined],
    ['control characters', 0, 'a\u0007b', 999, room, 'unprintable'],
    ['a line break', 0, 'a\nb', 999, room, 'unprintable'],
  ])('%s', (_, seat, text, now, at, reason) => {
    const speak = () => checkSpeech(at, seat, text, now);
    if (reason === undefined) expect(speak).not.toThrow();
    else expect(speak).toThrow(expect.objectContaining({ reason }));
  });
});

describe('the pace of a seat', () => {
  it('is a burst, then so many a second', () => {
    const pace = paces({ speechesPerSecond: 2, burst: 3 });
    const say = (id: string, now: number) => pace.allows('t:0', id, now);
    expect(['a', 'b', 'c', 'd'].map((id) => say(id, 0))).toEqual([true, true, true, false]);
    expect(say('e', 499)).toBe(false);
    expect(say('f', 1000)).toBe(true);
    expect(pace.allows('t:1', 'g', 0)).toBe(true);
  });

  it('counts the same message once', () => {
    const pace = paces({ speechesPerSecond: 1, burst: 1 });
    expect([1, 2, 3].map(() => pace.allows('t:0', 'same', 0))).toEqual([true, true, true]);
    expect(pace.allows('t:0', 'other', 0)).toBe(false);
  });
});

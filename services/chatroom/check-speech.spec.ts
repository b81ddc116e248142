import { describe, expect, it } from '@jest/globals';
import type { Room } from '@maw/store/ports/rooms.ts';
import { speechLimit } from './speech-rate.ts';
import { checkSpeech, mayUse } from './check-speech.ts';

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

describe('checkSpeech', () => {
  it.each([
    ['a member who may speak', 0, 'hello', room, undefined],
    ['a member who may not speak: the gamemaster says why', 2, 'hello', room, undefined],
    ['an empty speech of a member who may not speak', 2, '', room, undefined],
    ['a member after the room has closed: only the gamemaster knows whether it was heard', 0, 'hello', { ...room, closed: 9 }, undefined],
    ['silence after it has closed', 0, '  ', { ...room, closed: 9 }, 'nothing-said'],
    ['silence', 0, '  ', room, 'nothing-said'],
    ['too long a speech', 0, 'x'.repeat(11), room, 'too-long'],
    ['a speech that counts as ten characters', 0, '🐺'.repeat(10), room, undefined],
    ['control characters', 0, 'a\u0007b', room, 'unprintable'],
    ['a line break', 0, 'a\nb', room, 'unprintable'],
    ['the joiner of an emoji', 0, '👩\u200d🚀', room, undefined],
    ['a joiner between spaces', 0, 'a \u200d b', room, 'unprintable'],
  ])('%s', (_, seat, text, at, reason) => {
    const speak = () => checkSpeech(at, seat, text);
    if (reason === undefined) expect(speak).not.toThrow();
    else expect(speak).toThrow(expect.objectContaining({ reason }));
  });

  it('names the character that cannot be shown', () => {
    expect(() => checkSpeech(room, 0, 'ab\u202ec')).toThrow(/character 3 is U\+202E/);
  });
});

describe('mayUse', () => {
  const played = { ...room, minds: [1, 2] };

  it('lets the web service in for every member, the player service for minds only', () => {
    expect([0, 1, 2, 3].filter((seat) => mayUse(played, seat, 'web'))).toEqual([0, 1, 2]);
    for (const sender of ['player', undefined]) expect([0, 1, 2, 3].filter((seat) => mayUse(played, seat, sender))).toEqual([1, 2]);
  });

  it('lets every service in for every member of a room without a list of minds', () => {
    expect([0, 1, 2, 3].filter((seat) => mayUse(room, seat, 'player'))).toEqual([0, 1, 2]);
  });
});

describe('the speech limit', () => {
  it('allows a burst, then a constant rate', () => {
    const pace = speechLimit({ speechesPerSecond: 2, burst: 3 });
    const say = (id: string, now: number) => pace.take('t:0', id, now);
    expect(['a', 'b', 'c', 'd'].map((id) => say(id, 0))).toEqual([0, 0, 0, 500]);
    expect(say('e', 499)).toBe(1);
    expect(say('f', 1000)).toBe(0);
    expect(pace.take('t:1', 'g', 0)).toBe(0);
  });

  it('counts a repeated message once', () => {
    const pace = speechLimit({ speechesPerSecond: 1, burst: 1 });
    expect([1, 2, 3].map(() => pace.take('t:0', 'same', 0))).toEqual([0, 0, 0]);
    expect(pace.take('t:0', 'other', 0)).toBe(1_000);
  });
});

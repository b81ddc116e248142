import { describe, expect, it } from '@jest/globals';
import { dayFor, room } from '@maw/tests/equipment/fakes/player-fixture.ts';
import { isHeldBack, newReading, type Reading, readNews } from './reading.ts';

const { questions } = dayFor(0);
const line = (number: number, by: number, at: number, speech: string, where = room) => ({ room: where, line: number, by, at, speech });
const ten = 'one two three four five six seven eight nine ten';

describe('what a reader has to read', () => {
  it('takes its time by its length, one line after another', () => {
    expect(readNews(newReading, [line(1, 1, 1_000, ten)], questions).until).toBe(1_000 + 1_500 + 2_400);
    expect(readNews(newReading, [line(1, 1, 1_000, ten), line(2, 2, 1_000, ten)], questions).until).toBe(1_000 + 2 * 3_900);
  });

  it('counts a line once', () => {
    const once = readNews(newReading, [line(1, 1, 1_000, ten)], questions);
    expect(readNews(once, [line(1, 1, 1_000, ten)], questions)).toEqual(once);
  });

  it('leaves out rooms that not everybody hears', () => {
    const secret = [line(1, 1, 1_000, ten, 'round-1/night-1/Hideout'), line(1, 1, 1_000, ten, 'round-1/day-1/Whisper-0')];
    expect(readNews(newReading, secret, questions)).toEqual(newReading);
  });

  it('contains lines of an earlier day, which are no speeches of this one', () => {
    const { until, spoken } = readNews(newReading, [line(1, 1, 1_000, ten, 'round-1/day-0/Square')], questions);
    expect([until, spoken]).toEqual([4_900, {}]);
  });
});

describe('a vote that is held back', () => {
  const [vote] = questions.map((q) => ({ ...q, until: 300_000, graceMs: 20_000 }));
  const spoken = (...times: number[]): Reading => ({ ...newReading, spoken: Object.fromEntries(times.entries()) });
  const held = (now: number, reading: Reading) => isHeldBack(vote!, { reading, seat: 0, living: [0, 1, 2], asked: 0, now });

  it('waits until everybody alive has spoken twice, for a third of the day', () => {
    expect([held(0, spoken(2, 2, 1)), held(99_999, spoken(2, 2, 1)), held(100_000, spoken(2, 2, 1))]).toEqual([true, true, false]);
    expect(held(0, spoken(2, 2, 2))).toBe(false);
  });

  it('waits for the own speeches during half of the day', () => {
    expect([held(149_999, spoken(1, 2, 2)), held(150_000, spoken(1, 2, 2))]).toEqual([true, false]);
  });

  it('is none where a majority ends the vote at once', () => {
    const { graceMs: _, ...atOnce } = vote!;
    expect(isHeldBack(atOnce, { reading: newReading, seat: 0, living: [0, 1], asked: 0, now: 0 })).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type Mark, recoveryTable, secondsOf, timesOf } from './recovery-times.ts';

const KILLED_AT = 1_000_000;
/** One mark each `every` milliseconds, from and to relative to the kill. */
const marks = (from: number, to: number, every: number, table?: string): Mark[] =>
  Array.from({ length: Math.ceil((to - from) / every) }, (_, i) => ({
    seen: KILLED_AT + from + i * every,
    ...(table === undefined ? {} : { table }),
  }));
const about = (over: { playing?: readonly string[]; now?: number } = {}) => ({
  killedAt: KILLED_AT,
  playing: new Set(over.playing ?? []),
  now: KILLED_AT + (over.now ?? 60_000),
});

describe('timesOf', () => {
  it('measures to the first work, and to the window with enough throughput', () => {
    const seen = [...marks(-10_000, 0, 100), ...marks(5_000, 6_000, 1_000), ...marks(7_000, 20_000, 100)];
    // Thirty are done in three seconds, so 24 are enough: those of the 2.4 seconds from 7 s on.
    expect(timesOf(seen, about())).toMatchObject({ first: 5_000, back: 6_400 });
  });

  it('does not count as restored before the first work', () => {
    const seen = [...marks(-10_000, 0, 2_000), ...marks(4_000, 20_000, 2_000)]; // one or two are enough
    expect(timesOf(seen, about())).toMatchObject({ first: 4_000, back: 4_000 });
  });

  it('is 0 when nothing was lost', () => {
    expect(timesOf(marks(-10_000, 20_000, 100), about())).toMatchObject({ first: 0, back: 0 });
  });

  it('waits for each table in play, and for no other', () => {
    const seen = [
      ...marks(-10_000, 0, 100, 'a'),
      ...marks(1_000, 1_100, 100, 'a'),
      ...marks(300, 400, 100, 'new'),
      ...marks(4_000, 4_100, 100, 'b'),
    ];
    const inOrder = seen.toSorted((one, other) => one.seen - other.seen);
    expect(timesOf(inOrder, about({ playing: ['a', 'b'] }))).toMatchObject({ first: 300, all: 4_000 });
    expect(timesOf(inOrder, about({ playing: ['a'] })).all).toBe(1_000);
    expect(timesOf(inOrder, about({ playing: ['a', 'c'] })).all).toBeNaN();
    expect(timesOf(inOrder, about()).all).toBeNaN();
  });

  it('is NaN until it happens', () => {
    expect(timesOf(marks(-10_000, 0, 100), about())).toEqual({ first: Number.NaN, all: Number.NaN, back: Number.NaN });
    const seen = marks(-10_000, 20_000, 100);
    expect(timesOf(seen, about({ now: 2_999 })).back).toBeNaN();
    expect(timesOf(seen, about({ now: 3_000 })).back).toBe(0);
  });
});

describe('enough throughput', () => {
  it('is four fifths of that before the kill', () => {
    const before = marks(-10_000, 0, 100); // thirty in three seconds
    expect(timesOf([...before, ...marks(0, 3_000, 125)], about({ now: 3_000 })).back).toBe(0); // twenty-four
    expect(timesOf([...before, ...marks(0, 2_990, 130)], about({ now: 3_000 })).back).toBeNaN(); // twenty-three
  });
});

describe('the figures', () => {
  it('are medians with their range, and count missing values', () => {
    expect(secondsOf([3_000, 1_000, 2_040])).toBe('2.0 (1.0 to 3.0)');
    expect(secondsOf([3_000, Number.NaN])).toBe('3.0 (3.0 to 3.0), 1 times not');
    expect(secondsOf([Number.NaN])).toBe('');
  });

  it('are a row for each kind of kill', () => {
    const text = recoveryTable([{ kill: 'web, the only one', times: [{ first: 1_000, all: Number.NaN, back: 2_000, ready: 3_000 }] }]);
    expect(text).toContain('| web, the only one | 1.0 (1.0 to 1.0) |  | 2.0 (2.0 to 2.0) | 3.0 (3.0 to 3.0) | 1 |');
  });
});

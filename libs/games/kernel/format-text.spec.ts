import { describe, expect, it } from '@jest/globals';
import { approximateDuration, joinList, formatDuration } from './format-text.ts';

describe('a phrase', () => {
  it.each([
    [[], ''],
    [['Ann'], 'Ann'],
    [['Ann', 'Bob'], 'Ann and Bob'],
    [['Ann', 'Bob', 'Cy'], 'Ann, Bob and Cy'],
  ])('lists %j as %j', (words, said) => expect(joinList(words)).toBe(said));

  it.each([
    [100, '0.1 seconds'],
    [59_999, '59.999 seconds'],
    [60_000, 'a minute'],
    [90_000, '90 seconds'],
    [120_000, '2 minutes'],
  ])('says %i ms as %j', (ms, said) => expect(formatDuration(ms)).toBe(said));
});

describe('how long something lasted', () => {
  it.each([
    [1, '1 second'],
    [1_499, '1 second'],
    [1_500, '2 seconds'],
    [35_400, '35 seconds'],
    [119_499, '119 seconds'],
    [119_500, '2 minutes'],
    [3_600_000, '60 minutes'],
    [7_169_999, '119 minutes'],
    [7_170_000, '2 hours'],
    [86_400_000, '24 hours'],
  ])('is said of %i ms as %j', (ms, said) => expect(approximateDuration(ms)).toBe(said));
});

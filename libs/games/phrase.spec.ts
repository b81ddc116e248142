import { describe, expect, it } from '@jest/globals';
import { listOf, timeOf } from './phrase.ts';

describe('a phrase', () => {
  it.each([
    [[], ''],
    [['Ann'], 'Ann'],
    [['Ann', 'Bob'], 'Ann and Bob'],
    [['Ann', 'Bob', 'Cy'], 'Ann, Bob and Cy'],
  ])('lists %j as %j', (words, said) => expect(listOf(words)).toBe(said));

  it.each([
    [100, '0.1 seconds'],
    [59_999, '59.999 seconds'],
    [60_000, 'a minute'],
    [90_000, '90 seconds'],
    [120_000, '2 minutes'],
  ])('says %i ms as %j', (ms, said) => expect(timeOf(ms)).toBe(said));
});

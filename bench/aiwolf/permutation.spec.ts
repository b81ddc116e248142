import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { chanceOf, type Sample } from './permutation.ts';

const dice = diceOf('permutation', 'spec');
const LABELS = ['seer', 'villager', 'villager', 'werewolf'];
const samples = (value: (label: string, game: number, seat: number) => number): Sample[] =>
  Array.from({ length: 100 }, (_, game) => {
    const seats = dice.shuffle(LABELS);
    return seats.map((label, seat): Sample => ({ label, block: `game ${game}`, value: value(label, game, seat) }));
  }).flat();

describe('the chance of a dependence', () => {
  it('is small where a label has other values', () => {
    expect(
      chanceOf(
        samples((label) => (label === 'seer' ? 1 : 0) + dice.below(4)),
        499,
        dice,
      ),
    ).toBe(1 / 500);
  });

  it('is not small where games differ, or seats, but not labels', () => {
    expect(
      chanceOf(
        samples((_, game, seat) => 1000 * game + seat),
        199,
        dice,
      ),
    ).toBeGreaterThan(0.01);
  });

  it('is 1 where all values are the same', () => {
    expect(
      chanceOf(
        samples(() => 7.3),
        99,
        dice,
      ),
    ).toBe(1);
  });
});

import type { Dice } from '@maw/games/kernel/dice.ts';

/** A value between 0 and 1, neither of them. */
export const uniformOf = (dice: Dice): number => (dice.below(0x1_0000_0000) + 0.5) / 0x1_0000_0000;

/** A standard normal value (Box and Muller, 1958, Annals of Mathematical Statistics 29, 610–611). */
export const normalOf = (dice: Dice): number => Math.sqrt(-2 * Math.log(uniformOf(dice))) * Math.cos(2 * Math.PI * uniformOf(dice));

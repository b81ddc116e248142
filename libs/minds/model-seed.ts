import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Moment } from './mind.ts';

/** The seed of one model call: the same game, seat, phase, iteration, step and number of the call within the step give the same. */
export const modelSeed = ({ seed, seat, phase, iteration }: Moment, step: string, call: number): number =>
  diceOf(seed, `${seat}/${phase}/${iteration}/${step}/${call}`).below(2 ** 31);

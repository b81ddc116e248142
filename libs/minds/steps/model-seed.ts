import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Moment } from '../mind.ts';

/** The seed of one call of a model: the same game, seat, decision, iteration, step and attempt always give the same. */
export const seedOf = ({ seed, seat, phase, iteration }: Moment, step: string, attempt: number): number =>
  diceOf(seed, `${seat}/${phase}/${iteration}/${step}/${attempt}`).below(2 ** 31);

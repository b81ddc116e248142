/** What both divisions tell in the same way. */
import { roundOf } from '@maw/games/aiwolf/steps.ts';
import type { View } from './view.ts';

/** By seat. */
export const statusesOf = ({ game }: View): ('ALIVE' | 'DEAD')[] =>
  game.roles.map((_, seat) => (game.living.includes(seat) ? 'ALIVE' : 'DEAD'));

/** By seat; undefined where the seat does not know it. */
export const knownRoles = ({ game }: View): (string | undefined)[] => game.roles.map((role) => (role === 'hidden' ? undefined : role));

/** Whether the question that is sent repeats a vote. */
export const isRevote = ({ asked }: View): boolean => asked !== undefined && roundOf(asked) > 1;

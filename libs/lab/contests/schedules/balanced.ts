import { diceOf } from '@maw/games/kernel/dice.ts';
import { seatsOf } from '../deal.ts';
import type { Schedule } from '../definition.ts';
import type { Scheduled } from './scheduled.ts';

/**
 * Each deal once per agent: all agents stand in a circle in random order, and move on by one seat from pairing to pairing. So in every deal each
 * agent has each seat exactly once, whether there are as many agents as seats, more (some pause), or fewer (each has as many seats as any other).
 */
export const balanced = (names: readonly string[], { deals }: Extract<Schedule, { kind: 'balanced' }>): Scheduled => ({
  deals,
  allDeals: deals,
  perDeal: names.length,
  rounds: 1,
  seat({ game, seed }, k) {
    const circle = diceOf(seed, 'circle').shuffle(names);
    return Array.from({ length: seatsOf(game) }, (_, seat) => circle[(seat + k) % circle.length]!);
  },
});

/** Whether every agent can have equally many seats of each pairing or none: with 4 agents at 5 seats one would play two of them. */
export const isBalanceable = (agents: number, seats: number): boolean => agents >= seats || seats % agents === 0;

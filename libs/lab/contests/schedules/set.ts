import { diceOf } from '@maw/games/kernel/dice.ts';
import { seatsOf } from '../deal.ts';
import type { Schedule } from '../definition.ts';
import type { Deal, Scheduled } from './scheduled.ts';

/** Sets of games: the group of each set is drawn by chance (AIWolf regulation 2021, section 2.1). */
export const set = (names: readonly string[], { sets, games }: Extract<Schedule, { kind: 'set' }>): Scheduled => ({
  deals: sets,
  allDeals: sets,
  perDeal: 1,
  rounds: games,
  seat: (deal) => drawn(names, deal),
});

/** As many agents as a game has seats, in random order. */
export const drawn = (names: readonly string[], { game, seed }: Deal): readonly string[] =>
  diceOf(seed, 'group').shuffle(names).slice(0, seatsOf(game));

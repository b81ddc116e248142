import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { sideOf } from '@maw/games/roles.ts';
import { dealOf } from '../deal.ts';
import type { Schedule } from '../definition.ts';
import type { Deal, Scheduled } from './scheduled.ts';

/** Two agents: the first has the first side of a deal and the second all other seats; then they change. */
export const sides = ([one = '', two = '']: readonly string[], { deals }: Extract<Schedule, { kind: 'sides' }>): Scheduled => ({
  deals,
  allDeals: deals,
  perDeal: 2,
  rounds: 1,
  seat: (deal, k) => (k === 0 ? seated(deal, one, two) : seated(deal, two, one)),
});

/** Every agent has the first side against every agent, itself too. */
export const cross = (names: readonly string[], { deals }: Extract<Schedule, { kind: 'cross' }>): Scheduled => ({
  deals,
  allDeals: deals,
  perDeal: names.length ** 2,
  rounds: 1,
  seat: (deal, k) => seated(deal, names[Math.floor(k / names.length)]!, names[k % names.length]!),
});

function seated({ game, seed }: Deal, first: string, others: string): readonly string[] {
  const [side] = Object.keys(ruleSetNamed(game.rules).sides ?? {});
  return dealOf(game, seed).map((role) => (sideOf(role, game.rules) === side ? first : others));
}

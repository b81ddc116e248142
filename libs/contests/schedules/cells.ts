import { sideOf } from '@maw/games/roles.ts';
import { dealOf } from '../deal.ts';
import type { Cell, Schedule } from '../definition.ts';
import type { Deal, Scheduled } from './scheduled.ts';

/** Each cell of a table of results plays each deal. */
export const cells = (schedule: Extract<Schedule, { kind: 'cells' }>): Scheduled => ({
  deals: schedule.deals,
  allDeals: schedule.deals,
  perDeal: schedule.cells.length,
  rounds: 1,
  seat: (deal, k) => seated(deal, schedule.cells[k]!),
  cell: (k) => schedule.cells[k]!.name,
});

function seated({ game, seed }: Deal, { sides, seats, others }: Cell): readonly string[] {
  return dealOf(game, seed).map((role, seat) => (seats[seat + 1] ?? sides[sideOf(role, game.rules)] ?? others)!);
}

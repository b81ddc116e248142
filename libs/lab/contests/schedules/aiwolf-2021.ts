import type { Schedule } from '../definition.ts';
import type { Scheduled } from './scheduled.ts';
import { drawn } from './set.ts';

/**
 * Sets of all agents, then sets of the finalists (AIWolf regulation 2021, sections 2.3 and 2.4).
 * @param finalists absent: only the preliminary contest can be planned yet
 */
export const aiwolf2021 = (
  names: readonly string[],
  { preliminary, final, games }: Extract<Schedule, { kind: 'aiwolf-2021' }>,
  finalists: readonly string[] | undefined,
): Scheduled => ({
  deals: finalists ? preliminary + final : preliminary,
  allDeals: preliminary + final,
  perDeal: 1,
  rounds: games,
  seat: (deal) => drawn(deal.number < preliminary ? names : finalists!, deal),
});

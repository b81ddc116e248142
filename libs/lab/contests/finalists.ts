import { diceOf } from '@maw/games/kernel/dice.ts';
import { rankByWinRate } from '../ratings/regulation.ts';
import { forfeitsOf } from './collect-result.ts';
import type { Contest } from './definition.ts';
import type { PairingResult } from './result.ts';
import { planOf } from './schedules/plan.ts';

/**
 * Those who reach the final, the best first: by their share of won games of the preliminary contest, all games alike (section 2.3), forfeited ones too. Ties, of which
 * the regulation says nothing, are drawn by the contest's seed. Undefined until the preliminary contest is over, and without a final.
 */
export function finalistsOf(contest: Contest, results: readonly PairingResult[]): readonly string[] | undefined {
  const { schedule, agents, seed } = contest;
  if (schedule.kind !== 'aiwolf-2021') return undefined;
  const plan = planOf(contest);
  const preliminary = results.filter(({ number }) => number < plan.count);
  if (preliminary.length < plan.count) return undefined;
  const games = preliminary.flatMap((result) => [...result.games, ...forfeitsOf(contest, plan.at(result.number), result)]);
  const ranks = new Map(rankByWinRate(games).map(({ agent, rank }) => [agent, rank]));
  const drawn = diceOf(seed, 'ties').shuffle(agents.map(({ name }) => name));
  return drawn.toSorted((a, b) => (ranks.get(a) ?? agents.length) - (ranks.get(b) ?? agents.length)).slice(0, schedule.finalists);
}

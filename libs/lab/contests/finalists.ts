import { diceOf } from '@maw/games/kernel/dice.ts';
import { forfeitsOf } from './collect-result.ts';
import type { Contest } from './definition.ts';
import type { PairingResult } from './result.ts';
import { seedOf } from './seed.ts';
import { planOf } from './schedules/plan.ts';

/**
 * Those who reach the final, the best first: by their share of won games of the preliminary contest, all games alike (regulation 1.2.3 of the 3rd
 * International AIWolf Competition, 2021, section 2.3), forfeited ones too; each seat counts. Ties, of which
 * the regulation says nothing, are drawn by the contest's seed. Undefined until the preliminary contest is over, and without a final.
 */
export function finalistsOf(contest: Contest, results: readonly PairingResult[]): readonly string[] | undefined {
  const { schedule, agents } = contest;
  if (schedule.kind !== 'aiwolf-2021') return undefined;
  const plan = planOf(contest);
  const preliminary = results.filter(({ number }) => number < plan.count);
  if (preliminary.length < plan.count) return undefined;
  const games = preliminary.flatMap((result) => [...result.games, ...forfeitsOf(contest, plan.at(result.number, result.attempt), result)]);
  const byAgent = Map.groupBy(games.flatMap(({ seats }) => seats), ({ agent }) => agent); // prettier-ignore
  const rateOf = (agent: string): number => {
    const own = byAgent.get(agent);
    return own ? own.filter(({ won }) => won).length / own.length : -1;
  };
  return diceOf(seedOf(contest), 'ties')
    .shuffle(agents.map(({ name }) => name))
    .toSorted((a, b) => rateOf(b) - rateOf(a))
    .slice(0, schedule.finalists);
}

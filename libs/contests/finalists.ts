import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Contest } from './definition.ts';
import type { PairingResult } from './result.ts';
import { planOf } from './schedules/plan.ts';

/**
 * Those who reach the final, the best first: by their share of won games of the preliminary contest, all games alike (section 2.3). Ties, of which
 * the regulation says nothing, are drawn by the contest's seed. Undefined until the preliminary contest is over, and without a final.
 */
export function finalistsOf(contest: Contest, results: readonly PairingResult[]): readonly string[] | undefined {
  const { schedule, agents, seed } = contest;
  if (schedule.kind !== 'aiwolf-2021') return undefined;
  const { count } = planOf(contest);
  const preliminary = results.filter(({ number }) => number < count);
  if (preliminary.length < count) return undefined;
  const shares = new Map(agents.map(({ name }) => [name, { won: 0, games: 0 }]));
  for (const seat of preliminary.flatMap(({ games }) => games.flatMap(({ seats }) => seats))) {
    const share = shares.get(seat.agent)!;
    share.games++;
    if (seat.won) share.won++;
  }
  const shareOf = (name: string): number => shares.get(name)!.won / Math.max(1, shares.get(name)!.games);
  const drawnOrder = diceOf(seed, 'ties').shuffle(agents.map(({ name }) => name));
  return drawnOrder.toSorted((a, b) => shareOf(b) - shareOf(a)).slice(0, schedule.finalists);
}

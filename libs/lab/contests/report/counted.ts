import { FORFEIT } from '../../ratings/result.ts';
import { forfeitsOf } from '../collect-result.ts';
import type { Contest } from '../definition.ts';
import { finalistsOf } from '../finalists.ts';
import type { Pairing } from '../pairing.ts';
import type { GameResult, PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { inOrder } from './order.ts';

/** A pairing whose games count. */
export interface Counted {
  readonly pairing: Pairing;
  readonly result: PairingResult;
  /** Its games in their order: those that were played, then those that an agent has forfeited. */
  readonly games: readonly GameResult[];
}

/** Where a contest ended: pairings from `counted` on do not count. */
export interface Stop {
  readonly why: string;
  readonly counted: number;
}

/** What counts, in the order of pairings, whatever the order of the results. Each part of a report goes by it, and so does the file of results. */
export function countedPairings(contest: Contest, results: readonly PairingResult[], stop?: Stop): readonly Counted[] {
  const plan = planOf(contest, finalistsOf(contest, results));
  return inOrder(results)
    .filter(({ number }) => !stop || number < stop.counted)
    .map((result) => {
      const pairing = plan.at(result.number);
      return { pairing, result, games: [...result.games, ...forfeitsOf(contest, pairing, result)] };
    });
}

export const isForfeit = ({ winner }: GameResult): boolean => winner === FORFEIT;

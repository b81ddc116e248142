import { csvLines } from '../../charts/csv.ts';
import type { GameResult, PairingResult } from '../result.ts';
import { FORFEIT } from '../../ratings/result.ts';
import { forfeitsOf } from '../collect-result.ts';
import type { Contest } from '../definition.ts';
import { finalistsOf } from '../finalists.ts';
import { type Pairing, planOf } from '../schedules/plan.ts';

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
      const pairing = plan.at(result.number, result.attempt);
      const forfeits = forfeitsOf(contest, pairing, result);
      return { pairing, result, games: forfeits.length ? [...result.games, ...forfeits] : result.games };
    });
}

export const isForfeit = ({ winner }: GameResult): boolean => winner === FORFEIT;

/** Numbers in names by size: `P2` before `P10`. It does not depend on the language of the machine. */
const order = new Intl.Collator('en', { numeric: true });

/** The order of names in tables. */
export const byName = (a: string, b: string): number => order.compare(a, b);

/** Results in the order of their numbers, so that nothing depends on the order of arrival. */
export const inOrder = (results: readonly PairingResult[]): readonly PairingResult[] => results.toSorted((a, b) => a.number - b.number);

const COLUMNS = ['game', 'deal', 'rules', 'agent', 'seat', 'role', 'side', 'won', 'points', 'winner'] as const;

/** One line per seat and game that counts, as `maw rate` reads it, some games at a time. A forfeited game has the seats of its culprit only. */
export function* csvOf(games: readonly GameResult[]): Generator<string> {
  yield `${COLUMNS.join(',')}\n`;
  for (let from = 0; from < games.length; from += GAMES_AT_ONCE) {
    const rows = games
      .slice(from, from + GAMES_AT_ONCE)
      .flatMap(({ id, deal, rules, winner, seats }) =>
        seats.map(({ agent, seat, role, side, won, points }) => [id, deal, rules, agent, seat, role, side, Number(won), points, winner]),
      );
    yield csvLines(rows)
      .map((line) => `${line}\n`)
      .join('');
  }
}

const GAMES_AT_ONCE = 1000;

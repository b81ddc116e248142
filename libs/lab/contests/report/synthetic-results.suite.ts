import { gameRecord } from '../../measures/fixtures.suite.ts';
import { gameLabel, seatsOfRound } from '../collect-result.ts';
import type { Contest } from '../definition.ts';
import type { GameRecord } from '../../measures/game-record.ts';
import type { PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';

/** What came of a game that nobody played. */
interface Invented extends Partial<GameRecord> {
  readonly winner: string;
}

/** Results of all pairings of a contest; `invent` says which side has won the game of a number, and what else happened. */
export function resultsOf(
  contest: Contest,
  invent: (number: number, cell: string | undefined) => Invented,
  keepsRecords = true,
): PairingResult[] {
  const plan = planOf(contest);
  return Array.from({ length: plan.count }, (_, number) => {
    const pairing = plan.at(number);
    const { game, deal, rounds, cell } = pairing;
    const { rules, options } = contest.games[game]!;
    const played = Array.from({ length: rounds }, (__, i) => {
      const more = invent(number * rounds + i, cell);
      const { winner } = more;
      const seats = seatsOfRound(contest, pairing, i + 1).map((seat) => ({ ...seat, won: seat.side === winner, points: 0 }));
      const winners = seats.flatMap(({ won, seat }) => (won ? [seat] : []));
      return {
        game: { id: `${number}/${i + 1}`, rules: gameLabel(contest, game), deal: rounds === 1 ? deal : `${deal}/${i + 1}`, winner, seats },
        record: gameRecord({ rules, options, roles: seats.map(({ role }) => role), table: '', winners, ...more }),
      };
    });
    return { number, attempt: 1, games: played.map(({ game: each }) => each), ...(keepsRecords ? { records: played.map(({ record }) => record) } : {}), faults: [], usage: [] }; // prettier-ignore
  });
}

import type { GameResult } from '../result.ts';

const COLUMNS = ['game', 'deal', 'rules', 'agent', 'seat', 'role', 'side', 'won', 'points', 'winner'] as const;

/** Names of agents need no quotes, roles and deals of other rule sets may. */
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** One line per seat and game that counts, as `maw rate` reads it. A forfeited game has the seats of its culprit only. */
export function csvOf(games: readonly GameResult[]): string {
  const lines = games.flatMap(({ id, deal, rules, winner, seats }) =>
    seats.map(({ agent, seat, role, side, won, points }) =>
      [id, deal, rules, agent, seat, role, side, Number(won), points, winner].map((cell) => quoted(String(cell))).join(','),
    ),
  );
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}

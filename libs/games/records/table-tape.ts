import type { Opening } from '../match/state.ts';
import type { ReplayResult } from './replay.ts';

/** One event of a table, as its narrator sees it. */
export interface TableEvent {
  readonly n: number;
  /** In milliseconds since the table was opened. */
  readonly at: number;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

/** The tape of a table of one round on which a record was played. A record has no times: the events are a second apart. */
export function tableTape(players: readonly string[], { rules, version, options, events, result }: ReplayResult): readonly TableEvent[] {
  const { winner, winners, seats } = result;
  const opening: Opening = {
    rules,
    version,
    options,
    rounds: 1,
    seats: players.map(() => ({ kind: 'hidden' })),
    seed: '',
    lobbyMs: 0,
    pauseMs: 0,
    spectators: 'narrator',
  };
  const points = seats.map((seat) => seat.points);
  const dealt = seats.some((seat) => seat.dealt !== seat.role) ? { dealt: seats.map((seat) => seat.dealt) } : {};
  const outcome = { winner, winners, points, roles: seats.map(({ role }) => role), ...dealt };
  const tape = [
    { type: 'opened', opening },
    ...players.map((name, seat) => ({ type: 'joined', seat, name })),
    { type: 'began', round: 1 },
    ...events,
    { type: 'scored', round: 1, outcome, totals: points },
    { type: 'closed', winners },
  ];
  return tape.map((event, i) => ({ n: i + 1, at: i * 1_000, event }));
}

import { winsByDying } from '@maw/games/roles.ts';

/** One seat of a finished game. */
export interface SeatResult {
  readonly agent: string;
  /** From 0, in the order of the table. */
  readonly seat: number;
  /** As dealt. */
  readonly role: string;
  /** The side by which the seat won or lost: where roles change hands, that of the role it held at the end. Named as in `winner`. */
  readonly side: string;
  readonly won: boolean;
  readonly points: number;
  /** In games that order the players, from 1, the best; equals share one. */
  readonly rank?: number | undefined;
}

/** One counted game. */
export interface GameResult {
  /** Unique among the games that are rated together. */
  readonly id: string;
  /** The rule set, with its options where they matter, such as "werewolf-7". */
  readonly rules: string;
  /** Games of one deal (same seed, same roles by seat) share it. A deal is what the bootstrap resamples: its games depend on each other. */
  readonly deal: string;
  /**
   * The side that won, "draw", `RANKED` or `FORFEIT`. Any other winner that no seat plays for counts as a draw between the sides.
   */
  readonly winner: string;
  readonly seats: readonly SeatResult[];
}

/** Which of the optional columns a file of results has. */
export interface Kept {
  /** Without them, seats are numbered as they come, which tells nothing of the table. */
  readonly hasSeats: boolean;
  /** Without them, a won game is one point. */
  readonly hasPoints: boolean;
}

/**
 * The winner of a game that was not played by the fault of one agent. Only that agent's seats are there, and they have lost: against the average
 * agent, where strengths are rated.
 */
export const FORFEIT = 'forfeit';

/** The winner of a game that orders its players: each seat plays for itself, and has a rank. */
export const RANKED = 'ranks';

/** Whether a side won, as one entry. Each Tanner wins alone, as the winner or beside it, so of Tanners there is an entry for each. */
export const winsOf = (
  side: string,
  { winner, seats }: Pick<GameResult, 'winner'> & { readonly seats: readonly Pick<SeatResult, 'side' | 'won'>[] },
): readonly boolean[] => (winsByDying(side) ? seats.flatMap((seat) => (seat.side === side ? [seat.won] : [])) : [side === winner]);

/**
 * How many games have a seat that won or lost otherwise than its side, as where roles change hands: strengths and who beat whom go by the side
 * that won, win rates by the seats.
 */
export const crossedGames = (games: readonly GameResult[]): number =>
  games.filter(
    (game) => game.seats.some(({ side }) => side === game.winner) && game.seats.some(({ side, won }) => !winsOf(side, game).includes(won)),
  ).length;

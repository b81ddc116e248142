import type { ModelDecisions } from '@maw/minds/replies/made-decisions.ts';
import type { GameRecord } from '../measures/game-record.ts';
import type { GameResult, SeatResult } from '../ratings/result.ts';

/** One seat, and one game that counts. The id of a game is the number of its pairing and of the game at that table: `17/1`. */
export type { GameResult, SeatResult } from '../ratings/result.ts';

export const faultKinds = ['late', 'invalid', 'defaulted', 'crashed', 'disconnected'] as const;
/**
 * What an agent did wrong. `late`: it did not answer in time; `defaulted`: the rules chose in its place; `invalid`: an answer was refused, or a
 * reply of its model could not be read; `crashed`: its mind failed; `disconnected`: it was not there.
 */
export type FaultKind = (typeof faultKinds)[number];

/** Faults of one agent at one table. */
export interface AgentFaults {
  readonly agent: string;
  readonly seat: number;
  readonly kind: FaultKind;
  readonly times: number;
}

/** What the models of one agent did at one table. */
export interface AgentUsage {
  readonly agent: string;
  readonly model: string;
  readonly calls: number;
  /** Tokens. */
  readonly prompt: number;
  readonly completion: number;
  readonly seconds: number;
}

/** Why the rounds of a table that are not over do not count. */
export interface VoidTable {
  /** In words. */
  readonly why: string;
  /** The agent whose fault it was, where that is known. */
  readonly culprit?: string;
}

/** What came of one pairing. It is written once, for one attempt. */
export interface PairingResult {
  readonly number: number;
  /** From 1. A table that broke off is played again, twice at most. */
  readonly attempt: number;
  /** One per round that is over; all of them unless the table is void. */
  readonly games: readonly GameResult[];
  readonly faults: readonly AgentFaults[];
  readonly usage: readonly AgentUsage[];
  /** How decisions came about, by model; absent where no model decided, and in older results. */
  readonly decisions?: readonly ModelDecisions[];
  /** What the measures of behaviour need, one per game, with agents in place of recipes; absent where it was not kept. */
  readonly records?: readonly GameRecord[];
  readonly void?: VoidTable;
}

/** Different seats that are kept: more have contests of many agents or points, where few are equal. */
const MAX_SEATS = 10_000;

/**
 * For results that are kept: a function that gives equal seats one object. There are few different ones, and they are most of what the results of
 * a long contest take.
 */
export function seatSharing(): (result: PairingResult) => PairingResult {
  const seats = new Map<string, SeatResult>();
  const shared = (seat: SeatResult): SeatResult => {
    const key = JSON.stringify(seat);
    const known = seats.get(key);
    if (!known && seats.size < MAX_SEATS) seats.set(key, seat);
    return known ?? seat;
  };
  return (result) => ({ ...result, games: result.games.map((game) => ({ ...game, seats: game.seats.map(shared) })) });
}

/**
 * When a game's points reward a seat's choices. `end`: its last choice alone (document 004, section 5.1). `every-step`: each (appendix E.2).
 * `minus-votes`: each, less the share of the players who voted for the seat (the program of document 004).
 */
export const REWARDS = ['end', 'every-step', 'minus-votes'] as const;
export type Reward = (typeof REWARDS)[number];

/** What a seat got in a game. */
export interface SeatResult {
  /** 1: it won, -1: it lost, 0: a draw. */
  readonly points: number;
  /** The players who voted for it, as a share of all. */
  readonly votes: number;
}

/** A seat's choices in one game, in order, with their rewards. */
export function rewarded<C extends object>(
  choices: readonly C[],
  { points, votes }: SeatResult,
  reward: Reward,
): (C & { readonly reward: number; readonly isLast: boolean })[] {
  const last = choices.length - 1;
  const each = reward === 'minus-votes' ? points - votes : points;
  return choices.map((choice, i) => ({ ...choice, reward: i === last || reward !== 'end' ? each : 0, isLast: i === last }));
}

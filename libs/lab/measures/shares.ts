/** How often something happened, of how many cases. */
export interface Cases {
  readonly times: number;
  readonly of: number;
}

/** The share of the cases. Undefined for no cases: it is none, not 0. */
export const shareOf = ({ times, of }: Cases): number | undefined => (of === 0 ? undefined : times / of);

/** The mean of the values that there are; undefined for none. */
export function mean(values: readonly (number | undefined)[]): number | undefined {
  const there = values.filter((value) => value !== undefined);
  return there.length ? there.reduce((sum, value) => sum + value, 0) / there.length : undefined;
}

export const sumOf = (games: readonly Cases[]): Cases => ({
  times: games.reduce((sum, { times }) => sum + times, 0),
  of: games.reduce((sum, { of }) => sum + of, 0),
});

/** All cases together. */
export const pooledShare = (games: readonly Cases[]): number | undefined => shareOf(sumOf(games));

/** The share in each game, and their mean: a short game counts as much as a long one. */
export const meanShare = (games: readonly Cases[]): number | undefined => mean(games.map(shareOf));

/** The wins of a side in a number of games. */
export interface WinCount {
  readonly games: number;
  readonly wins: number;
}

/** The pooled z of two proportions: by how many standard errors the first is above the second. Above 2.33 it is significant at 99 %. */
export function zOf(a: WinCount, b: WinCount): number {
  const pooled = (a.wins + b.wins) / (a.games + b.games);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.games + 1 / b.games));
  return error ? (a.wins / a.games - b.wins / b.games) / error : 0;
}

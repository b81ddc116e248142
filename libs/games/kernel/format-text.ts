/** `Ann, Bob and Cy`; the empty text for an empty list. @param and the word before the last */
export const joinList = (words: readonly string[], and = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${and} ${words.at(-1)}`;

/** A duration: `30 seconds`, `a minute`, `5 minutes`. */
export const formatDuration = (ms: number): string =>
  ms % 60_000 ? `${ms / 1000} seconds` : ms === 60_000 ? 'a minute' : `${ms / 60_000} minutes`;

/** An elapsed time, rounded for people: `1 second`, `12 seconds`, `3 minutes`, `2 hours`. */
export function approximateDuration(ms: number): string {
  const [unit, size] =
    ms < 119_500 ? (['second', 1_000] as const) : ms < 7_170_000 ? (['minute', 60_000] as const) : (['hour', 3_600_000] as const);
  const n = Math.max(1, Math.round(ms / size));
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}

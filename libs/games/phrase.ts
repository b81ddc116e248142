/** `Ann, Bob and Cy`; nothing for nobody. */
export const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** How long something lasts: `30 seconds`, `a minute`, `5 minutes`. */
export const timeOf = (ms: number): string =>
  ms % 60_000 ? `${ms / 1000} seconds` : ms === 60_000 ? 'a minute' : `${ms / 60_000} minutes`;

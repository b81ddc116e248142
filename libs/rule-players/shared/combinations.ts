/** The numbers from 0 to n - 1. */
export function range(n: number): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < n; i++) numbers.push(i);
  return numbers;
}

/** The number of ways to choose k of n. */
export const choose = (n: number, k: number): number => (k < 0 || k > n ? 0 : k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);

/** All subsets of a size, in lexical order. */
export function* subsets<T>(of: readonly T[], size: number): Generator<readonly T[]> {
  if (size < 0 || size > of.length) return;
  const chosen = range(size);
  for (;;) {
    yield chosen.map((i) => of[i]!);
    // the last place that can move on, and those behind it follow
    const place = chosen.findLastIndex((i, at) => i < of.length - size + at);
    if (place < 0) return;
    const from = chosen[place]! + 1 - place;
    for (let at = place; at < size; at++) chosen[at] = from + at;
  }
}

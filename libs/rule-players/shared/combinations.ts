/** The numbers from 0 to n - 1. */
export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** The number of ways to choose k of n. */
export const choose = (n: number, k: number): number => (k < 0 || k > n ? 0 : k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);

/** All subsets of a size, in lexical order. */
export function* subsets<T>(of: readonly T[], size: number, from = 0): Generator<readonly T[]> {
  if (size <= 0) {
    if (size === 0) yield [];
    return;
  }
  for (let i = from; i <= of.length - size; i++) for (const rest of subsets(of, size - 1, i + 1)) yield [of[i]!, ...rest];
}

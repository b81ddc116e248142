import { LRUCache } from 'lru-cache';

/** Enough for the seats of a thousand tables at once; a few tens of megabytes at most. */
const MAX_RESULTS = 5_000;

/**
 * Caches the last results of a pure function of JSON: the same evidence comes again within a day, and public evidence from every seat.
 * @param compute also gets the JSON text of its argument
 */
export function memoize<Argument, Result extends object>(
  compute: (argument: Argument, key: string) => Result,
  max = MAX_RESULTS,
): (argument: Argument) => Result {
  const results = new LRUCache<string, Result>({ max });
  return (argument) => {
    const key = JSON.stringify(argument);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(argument, key);
    results.set(key, result);
    return result;
  };
}

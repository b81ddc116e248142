/**
 * Caches the last results of a pure function of JSON: the same evidence comes again within a day, and public evidence from every seat.
 * @param compute also gets the JSON text of its argument
 * @param most the number of results to keep; the least recently used is dropped first
 */
export function memoize<Argument, Result extends object>(
  compute: (argument: Argument, key: string) => Result,
  most = 200,
): (argument: Argument) => Result {
  const results = new Map<string, Result>();
  return (argument) => {
    const key = JSON.stringify(argument);
    const result = results.get(key) ?? compute(argument, key);
    results.delete(key);
    results.set(key, result);
    if (results.size > most) results.delete(results.keys().next().value!);
    return result;
  };
}

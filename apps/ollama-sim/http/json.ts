const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON as Go writes it: escaped for HTML. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (symbol) => ESCAPES[symbol] ?? symbol);

/** Drops zero, empty and missing entries, as Go's `omitempty` does. */
export const omitEmpty = (entries: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => !isEmpty(value)));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === 0 || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Converts milliseconds to whole nanoseconds. */
export const nanoseconds = (ms: number): number => Math.max(0, Math.round(ms * 1e6));

/** The JSON of a value with the keys in the order in which jsonb gives them back: shorter ones first, then by their bytes. */
export const toJson = (value: unknown): string => JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));

/** The order in which the database has texts. */
export const compareBytes = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => ({ key, bytes: Buffer.from(key), each: sorted(each) }));
  entries.sort((a, b) => a.bytes.length - b.bytes.length || a.bytes.compare(b.bytes));
  return Object.fromEntries(entries.map(({ key, each }) => [key, each]));
}

/** JSON with the keys in the order of jsonb: shorter ones first, then by bytes. */
export const toJson = (value: unknown): string => JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => ({ key, bytes: Buffer.from(key), each: sorted(each) }));
  entries.sort((a, b) => a.bytes.length - b.bytes.length || a.bytes.compare(b.bytes));
  return Object.fromEntries(entries.map(({ key, each }) => [key, each]));
}

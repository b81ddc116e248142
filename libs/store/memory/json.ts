/**
 * JSON with the keys in the order of jsonb: shorter ones first, then by bytes.
 * @throws Error for U+0000 and lone surrogates, in keys too, as jsonb has no room for them
 */
export function toJson(value: unknown): string {
  const json = JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));
  if (UNSTORABLE.test(json)) throw new Error('jsonb cannot hold U+0000 and lone surrogates');
  return json;
}

/** The escapes that JSON.stringify writes for them, unless the backslash is itself escaped. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => ({ key, bytes: Buffer.from(key), each: sorted(each) }));
  entries.sort((a, b) => a.bytes.length - b.bytes.length || a.bytes.compare(b.bytes));
  return Object.fromEntries(entries.map(({ key, each }) => [key, each]));
}

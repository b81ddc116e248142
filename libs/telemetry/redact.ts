/**
 * Fields that are never logged: game secrets, speech and thoughts, and credentials. The last word of a field's name decides: `roleCard` and
 * `db_password` are secret, `inputTokens` is not.
 */
const SECRET_WORDS = new Set(
  'role roles card cards prompt prompts message messages text texts token authorization password passwords secret secrets cookie key keys'.split(
    ' ',
  ),
);
/** Keys that are no credentials. */
const HARMLESS = new Set(['routingkey', 'routing_key']);
const MAX_CHARS = 4_000;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

/** Whether log lines omit a field of this name. */
export const isSecretField = (name: string): boolean => SECRET_WORDS.has(lastWord(name)) && !HARMLESS.has(name.toLowerCase());

/** Removes user names, passwords and tokens from URLs in the text, and truncates it to 4,000 characters. */
export function redactCredentials(text: string): string {
  const clean = text.replace(/:\/\/[^\s/?#]*@/g, '://').replace(/([?&][\w-]*(?:token|password|secret|key)=)[^&\s"']*/gi, '$1***');
  return clean.length > MAX_CHARS ? `${clean.slice(0, MAX_CHARS)}…` : clean;
}

/** Removes secret fields at any depth. Errors become `{ type, message, code, stack, cause }`. Never throws. */
export function redactSecrets(fields: object): Record<string, unknown> {
  if (fields instanceof Error) return { err: redacted(fields, 0) };
  return fieldsOf(fields, 0);
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactCredentials(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (value instanceof URL) return redactCredentials(value.href);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (depth >= MAX_DEPTH) return '…';
  if (value instanceof Error) return redactedError(value, depth);
  if (value instanceof Map) return fieldsOf(Object.fromEntries(value), depth + 1);
  if (value instanceof Set || Array.isArray(value)) return [...value].slice(0, MAX_ENTRIES).map((one) => redacted(one, depth + 1) ?? null);
  return fieldsOf(value, depth + 1);
}

function fieldsOf(fields: object, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(fields).slice(0, MAX_ENTRIES)) {
    if (isSecretField(name)) continue;
    const value = redacted(readField(fields, name), depth);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** A getter may throw; logging must not. */
function readField(fields: object, name: string): unknown {
  try {
    return (fields as Record<string, unknown>)[name];
  } catch {
    return 'unreadable';
  }
}

/** Only common fields of errors: others (a statement, a body, an input) may hold secrets. */
function redactedError(error: Error, depth: number): Record<string, unknown> {
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  return {
    type: error.name,
    message: redactCredentials(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof reason === 'string' ? { reason: redactCredentials(reason) } : {}),
    ...(error.stack === undefined ? {} : { stack: redactCredentials(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redacted(error.cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: redacted(error.errors, depth + 1) } : {}),
  };
}

const lastWord = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .at(-1)!
    .toLowerCase();

/**
 * Fields that are never written anywhere: what a player may not know, what was said and thought, and what opens doors. The last word
 * of a field's name decides, so that `roleCard` and `db_password` are hidden and `inputTokens` and `routingKey` are not.
 */
const HIDDEN = new Set(
  'role roles card cards prompt prompts message messages text texts token authorization password passwords secret secrets cookie key keys'.split(
    ' ',
  ),
);
/** Keys that open nothing. */
const HARMLESS = new Set(['routingkey', 'routing_key']);
const LONGEST = 4_000;
const DEEPEST = 6;
const WIDEST = 100;

/** Whether a field of this name is left out of log lines. */
export const isSecretField = (name: string): boolean => HIDDEN.has(lastWord(name)) && !HARMLESS.has(name.toLowerCase());

/** The text without user names, passwords and tokens in the addresses it holds, and not longer than a line of a log may be. */
export function redactCredentials(text: string): string {
  const clean = text.replace(/:\/\/[^\s/?#]*@/g, '://').replace(/([?&][\w-]*(?:token|password|secret|key)=)[^&\s"']*/gi, '$1***');
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
}

/** The same fields without the hidden ones, at any depth; errors become `{ type, message, code, stack, cause }`. Never throws. */
export function redactSecrets(fields: object): Record<string, unknown> {
  if (fields instanceof Error) return { err: shown(fields, 0) };
  return fieldsOf(fields, 0);
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactCredentials(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString();
  if (value instanceof URL) return redactCredentials(value.href);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (depth >= DEEPEST) return '…';
  if (value instanceof Error) return shownError(value, depth);
  if (value instanceof Map) return fieldsOf(Object.fromEntries(value), depth + 1);
  if (value instanceof Set || Array.isArray(value)) return [...value].slice(0, WIDEST).map((one) => shown(one, depth + 1) ?? null);
  return fieldsOf(value, depth + 1);
}

function fieldsOf(fields: object, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(fields).slice(0, WIDEST)) {
    if (isSecretField(name)) continue;
    const value = shown(readField(fields, name), depth);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** A getter may throw, and a line of a log is no reason to stop. */
function readField(fields: object, name: string): unknown {
  try {
    return (fields as Record<string, unknown>)[name];
  } catch {
    return 'unreadable';
  }
}

/** Only what errors of every library share: other fields (a statement, a body, an input) may hold anything. */
function shownError(error: Error, depth: number): Record<string, unknown> {
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  return {
    type: error.name,
    message: redactCredentials(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof reason === 'string' ? { reason: redactCredentials(reason) } : {}),
    ...(error.stack === undefined ? {} : { stack: redactCredentials(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: shown(error.cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: shown(error.errors, depth + 1) } : {}),
  };
}

const lastWord = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .at(-1)!
    .toLowerCase();

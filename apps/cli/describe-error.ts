import { ApiProblem } from '@maw/api-client/problem.ts';
import { refusalWords } from '@maw/contracts/refusal-words.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';

/** What is known of any error: of ours, of the system, of a database, of a library. */
interface Known {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly code?: string;
  readonly errno?: number;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly severity?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** Errors of ours that say what is wrong and what to do. */
const OURS: ReadonlySet<string> = new Set([
  'ConfigError',
  'ContestError',
  'DatabaseUnavailable',
  'FolderInUse',
  'RecipeError',
  'RecordError',
  'TermsError',
  'TextFileError',
  'TimeoutError',
]);

/** Errors of the system that need more than what it says. */
const OF_SYSTEM: { readonly [code: string]: (error: Known) => string } = {
  EADDRINUSE: ({ address, port }) => `port ${port} of ${address} is in use by another program; choose another`,
  ENOTFOUND: ({ hostname }) => `there is no host ${hostname}; check the address`,
  ECONNREFUSED: ({ address, port }) => `nothing answers at ${address}:${port}; is it running, and is the address right?`,
  ENOENT: ({ path }) => `${path}: there is no such file`,
  EISDIR: ({ path }) => `${path ?? 'what was named'}: is a folder; name a file`,
};

/** What to do about an error of the database, by the beginning of its SQLSTATE. */
const OF_DATABASE: readonly (readonly [state: string, todo: string])[] = [
  ['28', 'check the user and the password in DATABASE_URL'],
  ['3D000', 'check the name of the database in DATABASE_URL'],
  ['42501', 'connect as a role that may, in DATABASE_URL'],
  ['42P01', 'run "maw migrate" as the owner of the tables first'],
];

/** No line of an error is longer, and none has more lines: who quotes a file quotes little of it. */
const MAX_LINE = 500;
const MAX_LINES = 30;

/**
 * An error for people: a line, or one for each mistake; with a stack only when it is a bug. Nothing in it moves the cursor of a terminal, whatever
 * it quotes.
 */
export function describeError(error: unknown): string {
  const lines = wordsOf(error).split('\n');
  const more = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more lines`] : [];
  return [...lines.slice(0, MAX_LINES).map(shortLine), ...more].join('\n');
}

const shortLine = (line: string): string => {
  const safe = sanitizeText(line.slice(0, 4 * MAX_LINE));
  return safe.length > MAX_LINE ? `${safe.slice(0, MAX_LINE).toWellFormed()}…` : safe;
};

function wordsOf(error: unknown): string {
  const known = (error ?? {}) as Known;
  const { name = '', message = '', code = '', cause, errors } = known;
  if (error instanceof ApiProblem || name === 'Refusal') {
    const { reason, detail } = error as ApiProblem;
    return (reason !== 'late' && detail) || refusalWords({ reason }); // its detail tells programs how to ask again
  }
  if (known.severity !== undefined && /^[0-9A-Z]{5}$/.test(code)) return ofDatabase(known);
  if (known.path !== undefined && ['EEXIST', 'ENOTDIR', 'EACCES', 'EROFS'].includes(code))
    return `${message}; --data must be a folder that exists and is writable, or can be created`;
  if (code === 'ENOSPC' || name === 'ErrnoError')
    return `writing the database failed (${code || (known.errno ?? message)}): is the disk of --data full?${known.path ? ` (${known.path})` : ''}`;
  if (known.syscall !== undefined && code) return OF_SYSTEM[code]?.(known) ?? message;
  if (OURS.has(name) || (error instanceof Error && error.constructor === Error)) return message;
  const inner = (errors?.[0] ?? cause) as Known | undefined;
  return inner?.syscall === undefined ? (known.stack ?? (message || JSON.stringify(error))) : wordsOf(inner);
}

function ofDatabase({ code = '', message = '' }: Known): string {
  const todo = OF_DATABASE.find(([state]) => code.startsWith(state))?.[1];
  return `the database refuses (${code}): ${message}${todo === undefined ? '' : `; ${todo}`}`;
}

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { HttpProblem } from './http-problem.ts';

/** Who asks at the HTTP door. */
export interface Caller {
  /** Whose limits it goes on: `tenant/agent`. */
  readonly agent: string;
  /** Whose budget of the day it goes on. */
  readonly tenant: string;
  /** May see and change servers and limits, and speak for any agent of any game. */
  readonly isAdmin: boolean;
}

const word = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w.:@-]+$/, 'must be letters, digits or . _ : @ -');
const entry = z.strictObject({
  key: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]{16,}$/, 'must be at least 16 visible characters without spaces'),
  agent: word(50),
  tenant: word(40).default('default'),
  admin: z.boolean().default(false),
});

/** A key and what it opens. */
export type Key = z.output<typeof entry>;

/** The keys are not what they have to be; every mistake with its place, and no key. */
export class BadKeys extends Error {
  override readonly name = 'BadKeys';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

/**
 * Reads `[{"key": "...", "agent": "bot-1", "tenant": "lab", "admin": false}]`.
 * @throws BadKeys that names the file, the places and what is wanted
 */
export function readKeys(file: string): readonly Key[] {
  let said: unknown;
  try {
    said = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'it is not JSON' : `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`;
    throw new BadKeys([`${file}: ${why}; a list like [{"key": "...", "agent": "bot-1"}] is wanted`]);
  }
  const read = z.array(entry).min(1, 'names no key').safeParse(said);
  if (!read.success) throw new BadKeys(read.error.issues.map((issue) => `${file}: ${placeOf(issue.path)}: ${wantedBy(issue)}`));
  const seen = new Set<string>();
  const twice = read.data.flatMap(({ key }, n) => (seen.size === seen.add(key).size ? [`${file}: [${n}].key: it is there twice`] : []));
  if (twice.length > 0) throw new BadKeys(twice);
  return read.data;
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('') || 'the whole';

/** Zod quotes what it was given for some mistakes, and that may be a key. */
function wantedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `means nothing here: ${Object.keys(entry.shape).join(', ')} do`;
  if (issue.code === 'invalid_type') return `must be ${issue.expected === 'array' ? 'a list' : `a ${issue.expected}`}`;
  if (issue.code === 'too_big') return `has at most ${String(issue.maximum)} characters`;
  return issue.message;
}

/** Finds out who asks by the key of the request. */
export interface Keys {
  /** @throws HttpProblem no-key, bad-key */
  callerOf(given: { readonly authorization: string | undefined; readonly host: string | undefined }): Caller;
}

const LOCAL: Caller = { agent: 'local/local', tenant: 'local', isAdmin: true };
const ASK = { headers: { 'www-authenticate': 'Bearer' } };

/**
 * Keys are kept as digests: a digest is looked up, so that the time it takes says nothing of a key.
 * @param isOpen whether whoever reaches this machine's own address needs no key, and may do everything
 */
export function keysOf(all: readonly Key[], isOpen: boolean): Keys {
  const callers = new Map(
    all.map(({ key, agent, tenant, admin }): [string, Caller] => [digest(key), { agent: `${tenant}/${agent}`, tenant, isAdmin: admin }]),
  );
  return {
    callerOf({ authorization, host }) {
      const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      const caller = key === undefined ? undefined : callers.get(digest(key));
      if (caller) return caller;
      // Clients of the OpenAI protocol cannot be without a key: where none is needed, any is taken.
      if (isOpen && isLoopbackName(host)) return LOCAL;
      if (authorization === undefined) throw new HttpProblem('no-key', 'send `Authorization: Bearer KEY` with a key of this gateway', ASK);
      throw new HttpProblem('bad-key', 'this gateway knows no such key', ASK);
    },
  };
}

const digest = (key: string): string => hash('sha256', key, 'base64');

/** Whether an address to listen on can be reached from this machine alone. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** A page from elsewhere whose name was pointed at this machine (DNS rebinding) sends its own name as the host. */
const isLoopbackName = (host: string | undefined): boolean =>
  host !== undefined &&
  isLoopback(
    host
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase(),
  );

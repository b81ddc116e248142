import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isLoopbackName } from '@maw/service/loopback.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { z } from 'zod';
import { type FileWatch, watchFile } from '../server-config/file-watch.ts';
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
export class InvalidKeyFile extends Error {
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
export function readKeyFile(file: string): readonly Key[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw notKeys(file, `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
  return keysIn(text, file);
}

const notKeys = (file: string, why: string): InvalidKeyFile =>
  new InvalidKeyFile([`${file}: ${why}; a list like [{"key": "...", "agent": "bot-1"}] is wanted`]);

/** The same of what the file holds. @throws BadKeys */
export function keysIn(text: string, file: string): readonly Key[] {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw notKeys(file, 'it is not JSON');
  }
  const read = z.array(entry).min(1, 'names no key').safeParse(said);
  if (!read.success) throw new InvalidKeyFile(read.error.issues.map((issue) => `${file}: ${placeOf(issue.path)}: ${wantedBy(issue)}`));
  const seen = new Set<string>();
  const twice = read.data.flatMap(({ key }, n) => (seen.size === seen.add(key).size ? [`${file}: [${n}].key: it is there twice`] : []));
  if (twice.length > 0) throw new InvalidKeyFile(twice);
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
  /** From now on these keys and no others are known. Returns whether that is a change. */
  set(all: readonly Key[]): boolean;
}

const LOCAL: Caller = { agent: 'local/local', tenant: 'local', isAdmin: true };
const ASK = { headers: { 'www-authenticate': 'Bearer' } };

/**
 * Keys are kept as digests: a digest is looked up, so that the time it takes says nothing of a key.
 * @param isOpen whether whoever reaches this machine's own address needs no key, and may do everything
 */
export function keysOf(all: readonly Key[], isOpen: boolean): Keys {
  const callersOf = (keys: readonly Key[]): ReadonlyMap<string, Caller> =>
    new Map(
      keys.map(({ key, agent, tenant, admin }): [string, Caller] => [digest(key), { agent: `${tenant}/${agent}`, tenant, isAdmin: admin }]),
    );
  let callers = callersOf(all);
  return {
    set(keys) {
      const next = callersOf(keys);
      const isSame = JSON.stringify([...next]) === JSON.stringify([...callers]);
      callers = next;
      return !isSame;
    },
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

/**
 * Follows the file of keys while it changes: a new key opens, one that is gone from it does not, within a second. A file that is broken, or
 * gone, is named in the log once and changes nothing.
 */
export function followKeys(keys: Keys, file: string, log: Log): FileWatch {
  return watchFile(file, '', (seen) => {
    if ('error' in seen) return log.warn({ file, why: seen.error }, 'the file of keys cannot be read; the keys it named before hold');
    try {
      const all = keysIn(seen.text, file);
      if (keys.set(all)) log.info({ file, agents: all.map(({ tenant, agent }) => `${tenant}/${agent}`) }, 'the file of keys has changed');
    } catch (error) {
      if (!(error instanceof InvalidKeyFile)) throw error;
      log.warn({ mistakes: error.mistakes }, 'the file of keys is not right; the keys it named before hold');
    }
  });
}

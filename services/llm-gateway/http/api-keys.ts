import { hash } from 'node:crypto';
import { bearerToken } from '@maw/http/bearer.ts';
import { ConfigError } from '@maw/service/config.ts';
import { isLoopbackName } from '@maw/service/loopback.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { z } from 'zod';
import type { FileWatch } from '../server-config/file-watch.ts';
import { parseJsonText, placeOf, readText, watchConfig } from '../server-config/json-file.ts';
import { HttpProblem } from './http-problem.ts';

/** Who sends an HTTP request. */
export interface Caller {
  /** `tenant/agent`: whose rate limits apply. */
  readonly agent: string;
  /** Whose daily budget applies. */
  readonly tenant: string;
  /** May change servers and limits, and ask on behalf of any agent of any game. */
  readonly isAdmin: boolean;
}

const word = (max: number) =>
  z
    .string()
    .max(max)
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

export type ApiKey = z.output<typeof entry>;

/** Reads `[{"key": "...", "agent": "bot-1", "tenant": "lab", "admin": false}]`. @throws ConfigError, without keys */
export const readKeyFile = (file: string): readonly ApiKey[] => parseKeys(readText(file), file);

/** @throws ConfigError */
function parseKeys(text: string, file: string): readonly ApiKey[] {
  const parsed = z.array(entry).min(1, 'has no keys').safeParse(parseJsonText(text, file));
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${file}: ${placeOf(issue.path) || 'the file'}: ${describeIssue(issue)}`));
  const seen = new Set<string>();
  const duplicates = parsed.data.flatMap(({ key }, n) => (seen.size === seen.add(key).size ? [`${file}: [${n}].key: duplicate key`] : []));
  if (duplicates.length > 0) throw new ConfigError(duplicates);
  return parsed.data;
}

/** Zod quotes the value for some mistakes, and that may be a key. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `unknown field; known are ${Object.keys(entry.shape).join(', ')}`;
  if (issue.code === 'invalid_type')
    return issue.expected === 'array' ? 'must be a list like [{"key": "...", "agent": "bot-1"}]' : `must be a ${issue.expected}`;
  if (issue.code === 'too_big') return `has more than ${String(issue.maximum)} characters`;
  return issue.message;
}

export type ApiKeys = ReturnType<typeof apiKeys>;

const LOCAL: Caller = { agent: 'local/local', tenant: 'local', isAdmin: true };
const CHALLENGE = { headers: { 'www-authenticate': 'Bearer' } };

/**
 * Authenticates requests. Keys are looked up by their digests, so that timing says nothing of a key.
 * @param isOpen whether requests to a loopback name need no key and may do everything
 */
export function apiKeys(keys: readonly ApiKey[], isOpen: boolean) {
  let callers = callersByDigest(keys);
  return {
    /** Replaces all keys. Returns whether that is a change. */
    replace(next: readonly ApiKey[]): boolean {
      const before = callers;
      callers = callersByDigest(next);
      return JSON.stringify([...callers]) !== JSON.stringify([...before]);
    },
    /** @throws HttpProblem no-key, bad-key */
    callerOf({ authorization, host }: { readonly authorization: string | undefined; readonly host: string | undefined }): Caller {
      const key = bearerToken(authorization);
      const caller = key === undefined ? undefined : callers.get(digest(key));
      if (caller) return caller;
      // Clients of the OpenAI protocol always send a key: where none is needed, any is accepted.
      if (isOpen && isLoopbackName(host)) return LOCAL;
      if (authorization === undefined)
        throw new HttpProblem('no-key', 'send `Authorization: Bearer KEY` with a key of this gateway', CHALLENGE);
      throw new HttpProblem('bad-key', 'this gateway knows no such key', CHALLENGE);
    },
  };
}

const callersByDigest = (keys: readonly ApiKey[]): ReadonlyMap<string, Caller> =>
  new Map(keys.map(({ key, agent, tenant, admin }) => [digest(key), { agent: `${tenant}/${agent}`, tenant, isAdmin: admin }]));

const digest = (key: string): string => hash('sha256', key, 'base64');

/** Applies changes of the key file within a second. */
export function watchKeyFile(keys: ApiKeys, file: string, log: Log): FileWatch {
  return watchConfig(file, '', log, (text) => {
    const next = parseKeys(text, file);
    if (keys.replace(next)) log.info({ file, agents: next.map(({ tenant, agent }) => `${tenant}/${agent}`) }, 'key file reloaded');
  });
}

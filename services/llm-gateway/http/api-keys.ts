import { hash } from 'node:crypto';
import { bearerToken } from '@maw/http/bearer.ts';
import { ConfigError } from '@maw/service/config.ts';
import { isModelName, keyOf } from '@maw/contracts/model-name.ts';
import { isLoopbackName } from '@maw/service/loopback.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { z } from 'zod';
import type { FileWatch } from '../server-config/file-watch.ts';
import { type RequestKey, type Urgency, URGENCIES } from '../request.ts';
import { limitFields } from '../server-config/config-file.ts';
import { parseJsonText, placeOf, readText, watchConfig } from '../server-config/json-file.ts';
import { HttpProblem } from './http-problem.ts';

/** Who sends an HTTP request: the holder of a key. */
export interface Caller extends Partial<RequestKey> {
  /** `tenant/agent`: whose rate limits apply. */
  readonly agent: string;
  /** Whose daily budget applies. */
  readonly tenant: string;
  /** May change servers and limits, and ask on behalf of any agent of any game. */
  readonly isAdmin: boolean;
  /** The most urgent that its requests may be; undefined: as they ask. */
  readonly urgency?: Urgency | undefined;
  /** When the key expires, in milliseconds since the epoch; undefined: never. */
  readonly expires?: number | undefined;
}

const word = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w.:@-]+$/, 'must be letters, digits or . _ : @ -');
const { agentRpm, agentBurst, agentTpm, agentConcurrency, tenantTokensPerDay: tokensPerDay } = limitFields.shape;
const ownLimits = { agentRpm, agentBurst, agentTpm, agentConcurrency, tokensPerDay };
const LIMITS_OF_KEYS = Object.keys(ownLimits).join(', ');
const keyLimits = z.strictObject(ownLimits, {
  error: ({ code }) => (code === 'unrecognized_keys' ? `unknown limit; a key may have ${LIMITS_OF_KEYS}` : undefined),
});

/** Whose a key is, what it may do and how much: in the key file, and of created keys. */
export const keyFields = z.strictObject({
  agent: word(50),
  tenant: word(40).default('default'),
  admin: z.boolean().default(false),
  models: z.array(z.string().refine(isModelName, 'must be the name of a model')).min(1, 'must name a model').optional(),
  expires: z.iso.datetime({ offset: true, error: 'must be a time such as 2027-01-31T00:00:00Z' }).optional(),
  urgency: z.enum(['talk', 'background'], 'must be talk or background').optional(),
  limits: keyLimits.optional(),
});
const entry = z.strictObject({
  key: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]{16,}$/, 'must be at least 16 visible characters without spaces, or sha256: and 64 hexadecimal digits'),
  ...keyFields.shape,
});

export type ApiKey = z.input<typeof entry>;

/** Reads `[{"key": "...", "agent": "bot-1", "tenant": "lab", "admin": false}]`; a key may be its digest, `sha256:` and hexadecimal digits. @throws ConfigError, without keys */
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
  const isLimit = issue.path.includes('limits');
  if (issue.code === 'unrecognized_keys')
    return `unknown field; known are ${isLimit ? LIMITS_OF_KEYS : Object.keys(entry.shape).join(', ')}`;
  if (issue.code === 'invalid_type' && !isLimit)
    return issue.expected === 'array' ? 'must be a list like [{"key": "...", "agent": "bot-1"}]' : `must be a ${issue.expected}`;
  if (issue.code === 'too_big' && !isLimit) return `has more than ${String(issue.maximum)} characters`;
  return isLimit ? 'must be a whole number within the range of the limit' : issue.message;
}

export type ApiKeys = ReturnType<typeof apiKeys>;

const LOCAL: Caller = { agent: 'local/local', tenant: 'local', isAdmin: true };
export const KEYS_UNREACHABLE = 'the database of created keys cannot be reached at the moment; ask again';
const CHALLENGE = { headers: { 'www-authenticate': 'Bearer' } };

/**
 * Authenticates requests. Keys are looked up by their digests, so that timing says nothing of a key.
 * @param isOpen whether requests to a loopback name need no key and may do everything
 * @param awaitsCreated whether there are created keys, too, which are not known yet
 */
export function apiKeys(keys: readonly ApiKey[], isOpen: boolean, now: () => number, awaitsCreated = false) {
  let inFile = callersByDigest(keys);
  let created = awaitsCreated ? undefined : callersByDigest([]);
  return {
    /** Replaces the keys of the file. Returns whether that is a change. */
    replace(next: readonly ApiKey[]): boolean {
      const before = inFile;
      inFile = callersByDigest(next);
      return JSON.stringify([...inFile]) !== JSON.stringify([...before]);
    },
    setCreated: (next: readonly ApiKey[]): void => void (created = callersByDigest(next)),
    /** The callers of all keys, those in the file first. */
    all: (): readonly Holder[] => [...inFile.values(), ...(created?.values() ?? [])],
    /** @throws HttpProblem no-key, bad-key */
    callerOf({ authorization, host }: { readonly authorization: string | undefined; readonly host: string | undefined }): Caller {
      const key = bearerToken(authorization);
      const caller = key === undefined ? undefined : (inFile.get(digest(key)) ?? created?.get(digest(key)));
      if (caller?.expires !== undefined && caller.expires <= now()) throw new HttpProblem('bad-key', 'this key has expired', CHALLENGE);
      if (caller) return caller;
      // Clients of the OpenAI protocol always send a key: where none is needed, any is accepted.
      if (isOpen && isLoopbackName(host)) return LOCAL;
      if (authorization === undefined)
        throw new HttpProblem('no-key', 'send `Authorization: Bearer KEY` with a key of this gateway', CHALLENGE);
      if (!created) throw new HttpProblem('failed', KEYS_UNREACHABLE, { status: 503, retryAfterMs: 1_000 });
      throw new HttpProblem('bad-key', 'this gateway knows no such key', CHALLENGE);
    },
  };
}

/** The holder of a key. */
export type Holder = Caller & RequestKey;

const callersByDigest = (keys: readonly ApiKey[]): ReadonlyMap<string, Holder> =>
  new Map(
    keys.map(({ key, agent, tenant = 'default', admin: isAdmin = false, models, expires, urgency, limits = {} }) => {
      const own = DIGEST.exec(key)?.[1]?.toLowerCase() ?? digest(key);
      const until = expires ? Date.parse(expires) : undefined;
      const caller = {
        id: idOf(own),
        agent: `${tenant}/${agent}`,
        tenant,
        isAdmin,
        models: models?.map(keyOf),
        expires: until,
        urgency,
        limits,
      };
      return [own, caller];
    }),
  );

/** What a key is called where it must not be told. */
export const idOf = (keyDigest: string): string => keyDigest.slice(0, 12);
const DIGEST = /^sha256:([0-9a-f]{64})$/i;
export const digest = (key: string): string => hash('sha256', key, 'hex');

/**
 * The model that a caller asks: of a key with a list of models the first where it names none; undefined: the gateway's default.
 * @throws HttpProblem forbidden
 */
export function modelFor({ models }: Caller, named: string | undefined): string | undefined {
  if (!models || (named !== undefined && models.includes(keyOf(named)))) return named;
  if (named === undefined) return models[0];
  throw new HttpProblem('forbidden', `this key may ask ${models.join(', ')} only`);
}

/** The urgency of a caller's request: as it asks, and no higher than its key may. */
export const urgencyFor = ({ urgency = 'critical' }: Caller, asked: Urgency): Urgency =>
  URGENCIES.indexOf(asked) < URGENCIES.indexOf(urgency) ? urgency : asked;

/** Applies changes of the key file within a second. */
export function watchKeyFile(keys: ApiKeys, file: string, log: Log): FileWatch {
  return watchConfig(file, '', log, (text) => {
    const next = parseKeys(text, file);
    if (keys.replace(next)) log.info({ file, agents: next.map(({ tenant, agent }) => `${tenant}/${agent}`) }, 'key file reloaded');
  });
}

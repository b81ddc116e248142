import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '@maw/async/timeout.ts';
import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import type { Recordings } from '@maw/store/ports/recordings.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { ModelAnswer, Outcome, RequestMessage } from '../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';

/** Records the outcome of a request before its caller gets it. Never rejects: a failure is logged, and the recording is incomplete. */
export type Recorder = (message: RequestMessage, at: number, outcome: Outcome) => Promise<void>;

/** Returns the recorded outcome of a request, or a refusal when there is none. Never rejects. */
export type Replay = (message: RequestMessage) => Promise<Outcome>;

interface Parts {
  readonly recordings: Recordings;
  /** Its name. */
  readonly recording: string;
  readonly log: Log;
}

const SAVE_TIMEOUT_MS = 5_000;
/** Pairs of request and table whose repetitions are counted. */
const MAX_COUNTED = 100_000;

/** An outcome as it is stored. */
type StoredOutcome = { readonly answer: ModelAnswer } | { readonly refusal: { readonly reason: Reason; readonly detail: string } };

/** The recorder or the replay that the options ask for, or neither. @throws Error when there is no database for it */
export function openRecording(
  { record, recording }: Pick<GatewayOptions, 'record' | 'recording'>,
  recordings: Recordings | undefined,
  log: Log,
): { readonly recorder?: Recorder; readonly replay?: Replay } {
  if (record === 'off') return {};
  if (!recordings) throw new Error(`to ${record} completions a database is needed: give the gateway its recordings`);
  const parts = { recordings, recording, log };
  return record === 'record' ? { recorder: recorder(parts) } : { replay: replay(parts) };
}

/** @throws Error when nothing was recorded under the name: a replay would refuse every request */
export async function requireRecording({ recording }: Pick<GatewayOptions, 'recording'>, recordings: Recordings): Promise<void> {
  if ((await recordings.list(recording, { limit: 1 })).length > 0) return;
  const name = logText(recording, 60);
  throw new Error(`there is no recording ${name} here. Record first: RECORD=record RECORDING=${name}, or maw play --record ${name}`);
}

const recorder =
  ({ recordings, recording, log }: Parts): Recorder =>
  async (message, at, outcome) => {
    if ('lost' in outcome) return;
    const request = canonicalRequest(message);
    const stored: StoredOutcome =
      'answer' in outcome ? outcome : { refusal: { reason: outcome.refusal.reason, detail: outcome.refusal.detail } };
    const about = { recording, hash: requestHash(request), ...callerOf(message) };
    try {
      const exchange = { ...about, id: message.id, at, request, outcome: stored };
      await withTimeout(SAVE_TIMEOUT_MS, recordings.save(exchange), { what: 'saving it' });
    } catch (error) {
      log.error({ err: error, ...about }, 'failed to record an outcome; the recording is incomplete');
    }
  };

function replay(parts: Parts): Replay {
  const { recordings, recording, log } = parts;
  const repetitions = new LRUCache<string, number>({ max: MAX_COUNTED });
  return async (message) => {
    const hash = requestHash(canonicalRequest(message));
    const caller = callerOf(message);
    // Counted before anything is awaited: the order of the requests matters.
    const key = `${hash} ${caller.table}`;
    const nth = (repetitions.get(key) ?? 0) + 1;
    repetitions.set(key, nth);
    try {
      const exchange = await recordings.find(recording, hash, nth, caller.table);
      if (exchange) return outcomeOf(exchange.outcome as StoredOutcome);
      log.error({ recording, ...caller, hash, nth }, 'the recording has no answer to a request');
      return { refusal: new Refusal('failed', await describeMissing(parts, hash, nth, caller)) };
    } catch (error) {
      log.error({ err: error, recording, ...caller, hash }, 'the recording could not be read');
      const why = logText((error as Error).message, 200);
      return {
        refusal: new Refusal('failed', `the recording ${logText(recording, 60)} could not be read for request ${hash}: ${why}`),
      };
    }
  };
}

/** Says that a request was not recorded, or not so often. */
async function describeMissing({ recordings, recording }: Parts, hash: string, nth: number, { table, asker }: Caller): Promise<string> {
  const name = logText(recording, 60);
  const missing = `the recording ${name} has no answer to request ${hash} of ${seatName(asker)} of table ${logText(table, 60)}`;
  const before = nth > 1 ? await recordings.find(recording, hash, nth - 1, table) : undefined;
  if (!before) return missing;
  return `${missing} for the ${nth}th time: it was recorded ${nth - 1} times, by ${seatName(before.asker)} of table ${before.table}`;
}

interface Caller {
  readonly table: string;
  readonly asker: string;
}

/** The same seat of another table is the same asker. */
const callerOf = ({ subject: table, data: { agent } }: RequestMessage): Caller => ({
  table,
  asker: agent.startsWith(`${table}:`) ? agent.slice(table.length + 1) : agent,
});

const seatName = (asker: string): string => (/^\d+$/.test(asker) ? `seat ${asker}` : logText(asker, 60));

const outcomeOf = (stored: StoredOutcome): Outcome =>
  'answer' in stored ? { answer: stored.answer } : { refusal: new Refusal(stored.refusal.reason, stored.refusal.detail) };

/** What a request asks of a model, without who asks it, when, for what or how urgently. JSON with sorted keys. */
interface CanonicalRequest {
  readonly asks: 'complete' | 'embed';
  /** Absent: the gateway's default model. */
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly [option: string]: unknown;
}

/** Fields that do not change the answer. */
const IGNORED: ReadonlySet<string> = new Set(['agent', 'tenant', 'urgency', 'kind', 'calls']);

/** Equal for two requests that any model would have to answer alike. */
export function canonicalRequest({ type, data }: Pick<RequestMessage, 'type' | 'data'>): CanonicalRequest {
  const { model, ...options } = Object.fromEntries(Object.entries(data).filter(([name]) => !IGNORED.has(name)));
  return sortKeys({
    ...options,
    asks: type === 'llm.embed' ? 'embed' : 'complete',
    ...(typeof model === 'string' ? { model: keyOf(model) } : {}),
  }) as CanonicalRequest;
}

/** The SHA-256 of its JSON in hexadecimal. */
export const requestHash = (request: CanonicalRequest): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}

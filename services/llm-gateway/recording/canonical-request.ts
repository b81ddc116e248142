import { createHash } from 'node:crypto';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { RequestMessage } from '../request.ts';

/** What a request asks of a model, without who asks it, when, for what or how urgently. JSON with sorted keys. */
export interface CanonicalRequest {
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
    ...('messages' in data ? { messages: data.messages.map(({ role, content }) => ({ role, content })) } : {}),
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

import { createHash } from 'node:crypto';
import type { RequestMessage } from '../request.ts';
import { keyOf } from '../model-name.ts';

/** What a request asks of a model, and nothing of who asks it, when, for what, or how urgently. JSON; its keys are in order. */
export interface Canonical {
  readonly asks: 'complete' | 'embed';
  /** Absent: the gateway’s default. */
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly [option: string]: unknown;
}

/** What does not change the answer. */
const APART: ReadonlySet<string> = new Set(['agent', 'tenant', 'urgency', 'kind']);

/** The same for two requests that any model would have to answer the same. */
export function canonicalOf({ type, data }: Pick<RequestMessage, 'type' | 'data'>): Canonical {
  const { model, ...options } = Object.fromEntries(Object.entries(data).filter(([name]) => !APART.has(name)));
  return sorted({
    ...options,
    asks: type === 'llm.embed' ? 'embed' : 'complete',
    ...(typeof model === 'string' ? { model: keyOf(model) } : {}),
    ...('messages' in data ? { messages: data.messages.map(({ role, content }) => ({ role, content })) } : {}),
  }) as Canonical;
}

/** SHA-256 of its JSON, in hexadecimal digits. */
export const hashOf = (request: Canonical): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/** The same JSON whatever the order in which keys were written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

import { createHash } from 'node:crypto';
import { header } from './headers.ts';
import type { RawMessage } from './transport.ts';

/** Why the bus dead-letters a message. The broker itself does so after too many deliveries: `delivery-limit`. */
export const DEAD_REASONS = ['unreadable', 'gave-up', 'failed'] as const;
export type DeadReason = (typeof DEAD_REASONS)[number];

/** A message that could not be handled. It stays in the dead-letter queue until an operator looks at it. */
export interface DeadLetter {
  /** The message's id; derived from its bytes when it has none. */
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly reason: string;
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** 0 when it could not be read. */
  readonly attempts: number;
  /** As it was sent, byte for byte. */
  readonly body: Buffer;
}

const MAX_ERROR_CHARS = 500;
/** Written by the bus, and removed when the message is sent again. The sender is noted at each delivery, never copied. */
const OUR_HEADERS: readonly string[] = [header.reason, header.error, header.queue, header.at, header.attempts];
/** Written by the broker: in a copy they would describe another message, or send it to more queues. */
const BROKER_HEADERS = /^(x-(death|(first|last)-death-.*|delivery-count|acquired-count|opt-.*)|b?cc)$/i;

/** The headers of a copy, with the original sender as far as it was authenticated. */
const copiedHeaders = (headers: RawMessage['headers'], sender: string | undefined, removed: readonly string[], added: object) => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(([name]) => !BROKER_HEADERS.test(name) && name !== header.sender && !removed.includes(name)),
  ),
  ...added,
  ...(sender === undefined ? {} : { [header.sender]: sender }),
});

/** Why a message is dead-lettered. `sender`: the original one, as far as it was authenticated. */
interface DeadLetterNote {
  readonly reason: string;
  readonly error: string;
  readonly queue: string;
  readonly at: number;
  readonly attempts: number;
  readonly sender?: string | undefined;
}

/** A copy for the dead-letter queue: the same body, with the reason in its headers. */
export function asDeadLetter(raw: RawMessage, { reason, error, queue, at, attempts, sender }: DeadLetterNote): RawMessage {
  const note = {
    [header.reason]: reason,
    [header.error]: error.slice(0, MAX_ERROR_CHARS),
    [header.queue]: queue,
    [header.at]: new Date(at).toISOString(),
    [header.attempts]: attempts,
  };
  return { ...raw, headers: copiedHeaders(raw.headers, sender, OUR_HEADERS, note) };
}

/** A copy for a further attempt. */
export const asNextAttempt = (raw: RawMessage, attempt: number, sender: string | undefined): RawMessage => ({
  ...raw,
  headers: copiedHeaders(raw.headers, sender, [], { [header.attempt]: attempt }),
});

/** A copy of a dead letter as it was before its first attempt. */
export const asFirstAttempt = (raw: RawMessage, sender: string | undefined): RawMessage => ({
  ...raw,
  headers: copiedHeaders(raw.headers, sender, [...OUR_HEADERS, header.attempt], {}),
});

/** Reads a dead letter, whether the bus or the broker made it one. */
export function deadLetterOf(raw: RawMessage, queue: string): DeadLetter {
  const { headers, body } = raw;
  const death = brokerNoteIn(headers);
  const text = (name: string) => (typeof headers[name] === 'string' ? (headers[name] as string) : undefined);
  const at = Date.parse(text(header.at) ?? '');
  return {
    id: raw.id ?? `sha256:${createHash('sha256').update(body).digest('hex').slice(0, 16)}`,
    type: raw.type ?? 'unknown',
    queue: text(header.queue) ?? death?.queue ?? queue,
    reason: text(header.reason) ?? death?.reason.replaceAll('_', '-') ?? 'unknown',
    error: text(header.error) ?? (death ? 'dead-lettered by the broker after too many deliveries' : ''),
    at: Number.isNaN(at) ? (death?.at ?? 0) : at,
    attempts: Number(headers[header.attempts] ?? headers[header.attempt] ?? 0) || 0,
    body,
  };
}

/** The broker's note of the last time it dead-lettered the message. */
function brokerNoteIn(headers: RawMessage['headers']): { reason: string; queue: string; at: number | undefined } | undefined {
  const [last] = Array.isArray(headers['x-death']) ? (headers['x-death'] as Record<string, unknown>[]) : [];
  if (!last) return undefined;
  const seconds = (last['time'] as { value?: unknown } | undefined)?.value;
  return {
    reason: String(last['reason']),
    queue: String(last['queue']),
    // Strangers can write this header too, with an impossible date.
    at: typeof seconds === 'number' && !Number.isNaN(new Date(seconds * 1000).getTime()) ? seconds * 1000 : undefined,
  };
}

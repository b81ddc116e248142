import { createHash } from 'node:crypto';
import { header } from './topology.ts';
import type { RawMessage } from './transport.ts';

/** Why the bus buries; the broker itself buries what was given back too often: `delivery-limit`. */
export type DeadReason = 'unreadable' | 'gave-up' | 'failed';

/** A message that could not be handled, resting beside its queue until a person looks at it. */
export interface DeadLetter {
  /** The message's id; made from its bytes when it has none. */
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly reason: string;
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How often it was tried; 0 when it could not be read. */
  readonly attempts: number;
  /** What was sent, byte for byte. */
  readonly body: Buffer;
}

const LONGEST_ERROR = 500;
/** The note of the first sender is made anew each time: one that somebody else has written is worth nothing. */
const OURS: readonly string[] = [header.reason, header.error, header.queue, header.at, header.attempts];
/** The broker writes these itself; carried over into a copy they would tell of the journeys of another message, or send it to more queues. */
const BROKERS = /^(x-(death|(first|last)-death-.*|delivery-count|acquired-count|opt-.*)|b?cc)$/i;

const withoutTraces = (headers: RawMessage['headers'], besides: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !BROKERS.test(name) && name !== header.sender && !besides.includes(name)));

const from = (sender: string | undefined) => (sender === undefined ? {} : { [header.sender]: sender });

/** What is said of a dead letter; `sender`: who sent it first, as far as that was checked. */
export interface Burial {
  readonly reason: string;
  readonly error: string;
  readonly queue: string;
  readonly at: number;
  readonly attempts: number;
  readonly sender?: string | undefined;
}

/** A copy for the dead letters: the body as it came, and on the outside why it is there. */
export function deadParcel(parcel: RawMessage, why: Burial): RawMessage {
  const { reason, error, queue, at, attempts, sender } = why;
  const said = {
    [header.reason]: reason,
    [header.error]: error.slice(0, LONGEST_ERROR),
    [header.queue]: queue,
    [header.at]: new Date(at).toISOString(),
    [header.attempts]: attempts,
  };
  return { ...parcel, headers: { ...withoutTraces(parcel.headers, OURS), ...said, ...from(sender) } };
}

/** A copy for a further attempt, of what `sender` sent first. */
export const laterParcel = (parcel: RawMessage, attempt: number, sender: string | undefined): RawMessage => ({
  ...parcel,
  headers: { ...withoutTraces(parcel.headers, []), [header.attempt]: attempt, ...from(sender) },
});

/** A dead letter as it was before it was first tried, of what `sender` sent first. */
export const raised = (parcel: RawMessage, sender: string | undefined): RawMessage => ({
  ...parcel,
  headers: { ...withoutTraces(parcel.headers, [...OURS, header.attempt]), ...from(sender) },
});

/** Reads what is written on the outside of a dead letter, by us or by the broker. */
export function deadLetterOf(parcel: RawMessage, queue: string): DeadLetter {
  const { headers, body } = parcel;
  const death = deathOf(headers);
  const text = (name: string) => (typeof headers[name] === 'string' ? (headers[name] as string) : undefined);
  const at = Date.parse(text(header.at) ?? '');
  return {
    id: parcel.id ?? `sha256:${createHash('sha256').update(body).digest('hex').slice(0, 16)}`,
    type: parcel.type ?? 'unknown',
    queue: text(header.queue) ?? death?.queue ?? queue,
    reason: text(header.reason) ?? death?.reason.replaceAll('_', '-') ?? 'unknown',
    error: text(header.error) ?? (death ? `buried by the broker after ${death.count}` : ''),
    at: Number.isNaN(at) ? (death?.at ?? 0) : at,
    attempts: Number(headers[header.attempts] ?? headers[header.attempt] ?? 0) || 0,
    body,
  };
}

/** The broker's own note of the last time it buried the message. */
function deathOf(headers: RawMessage['headers']): { reason: string; queue: string; at: number | undefined; count: string } | undefined {
  const [last] = Array.isArray(headers['x-death']) ? (headers['x-death'] as Record<string, unknown>[]) : [];
  if (!last) return undefined;
  const seconds = (last['time'] as { value?: unknown } | undefined)?.value;
  return {
    reason: String(last['reason']),
    queue: String(last['queue']),
    // A stranger can write such a note too: a time that no calendar knows is none.
    at: typeof seconds === 'number' && !Number.isNaN(new Date(seconds * 1000).getTime()) ? seconds * 1000 : undefined,
    count: `it was given back too often`,
  };
}

import amqp, { type ConfirmChannel, type Options } from 'amqplib';
import { withTimeout } from '@maw/async/timeout.ts';
import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import { MAX_UNCONFIRMED, MAX_WAITING } from '../core/message-limits.ts';

/** A message for an exchange. */
export interface Publication {
  readonly exchange: string;
  readonly key: string;
  readonly body: Buffer;
  readonly properties: Options.Publish;
  /** Must reach a queue. */
  readonly mandatory: boolean;
  /** The reply comes to the connection that it is sent on. */
  readonly expectsReply: boolean;
}

export type ConfirmQueue = ReturnType<typeof confirmQueue>;

interface Entry extends PromiseWithResolvers<void> {
  readonly publication: Publication;
  readonly signal: AbortSignal | undefined;
  /** The broker has returned it: it reached no queue. */
  isReturned: boolean;
  returns: number;
  /** When it was sent last, by the monotonic clock. */
  sentAt: number;
  /** Since when the broker has rejected it on this connection, by the same clock; undefined when it has not. */
  rejectedSince: number | undefined;
}

interface Sending {
  readonly channel: ConfirmChannel;
  readonly replyTo: string;
}

interface State {
  readonly service: string;
  readonly onUnroutable: (key: string) => void;
  readonly looking: NodeJS.Timeout;
  /** Shows the size no longer. */
  readonly hideSize: () => void;
  waiting: Set<Entry>;
  /** Sent, and not confirmed. */
  readonly sent: Set<Entry>;
  /** Rejected by the broker, with the timers that offer them again. */
  readonly rejected: Map<Entry, NodeJS.Timeout>;
  /**
   * One of these is forbidden to this user. The broker closes the channel without saying which one, so they are sent one at a time until it
   * is found.
   */
  suspects: Set<Entry>;
  sending: Sending | undefined;
  isClosed: boolean;
  onEmpty: (() => void) | undefined;
}

/** How long a publication that the broker rejected waits before it is sent again, in milliseconds. */
const REJECTED_MS = 200;
/** How often an unroutable publication is sent, each time after the topology was declared again, before it is given up. */
const MAX_RETURNS = 3;

/**
 * How long a confirm may take, in milliseconds, and how long a publication may be rejected. A cluster that loses a node sometimes forgets to send a
 * confirm, or rejects everything for a queue on one channel though its new leader works: RabbitMQ 3.10 was seen to do both.
 */
const CONFIRM_TIMEOUT_MS = 30_000;
const LOOK_MS = 5_000;

export interface ConfirmQueueEvents {
  /** A mandatory publication reached no queue: the topology has to be declared again. */
  onUnroutable(key: string): void;
  /** The broker has not confirmed a publication in time, or rejects it all the time: it has to be sent again, on another connection. */
  onUnconfirmed(key: string): void;
}

/** Keeps publications until the broker has confirmed them, over lost connections. */
export function confirmQueue(service: string, { onUnroutable, onUnconfirmed }: ConfirmQueueEvents) {
  const look = (): void => {
    const tooOld = performance.now() - CONFIRM_TIMEOUT_MS;
    const [oldest] = state.sent;
    const rejected = [...state.sent, ...state.rejected.keys()].find(({ rejectedSince = Infinity }) => rejectedSince < tooOld);
    const late = oldest && oldest.sentAt < tooOld ? oldest : rejected;
    if (late) onUnconfirmed(late.publication.key);
  };
  const state: State = {
    service,
    onUnroutable,
    looking: setInterval(look, LOOK_MS).unref(),
    hideSize: onCollect(metrics.unconfirmed, () => metrics.unconfirmed.set({ service }, sizeOf(state))),
    waiting: new Set(),
    sent: new Set(),
    rejected: new Map(),
    suspects: new Set(),
    sending: undefined,
    isClosed: false,
    onEmpty: undefined,
  };
  return {
    /** @throws Error when too many wait, or it is closed; the reason of the abort of `signal`, unless it has been sent already */
    send: (publication: Publication, signal?: AbortSignal): Promise<void> => send(state, publication, signal),
    /** Sends everything unconfirmed, oldest first, with replies to `replyTo`. */
    resume: (channel: ConfirmChannel, replyTo: string): void => resume(state, { channel, replyTo }),
    /** The connection is lost. */
    suspend: (): void => suspend(state),
    /** How many publications are unconfirmed. */
    size: (): number => sizeOf(state),
    /** Waits at most `ms` for outstanding confirms; rejects the rest. */
    close: (ms: number): Promise<void> => close(state, ms),
  };
}

const sizeOf = ({ waiting, sent, rejected }: State): number => waiting.size + sent.size + rejected.size;

function sizeChanged(state: State): void {
  if (state.onEmpty && sizeOf(state) === 0) state.onEmpty();
}

async function send(state: State, publication: Publication, signal: AbortSignal | undefined): Promise<void> {
  if (state.isClosed) throw new Error(`the bus of ${state.service} is closed`);
  signal?.throwIfAborted();
  if (state.waiting.size >= MAX_WAITING) throw new Error(`${MAX_WAITING} messages already wait for the broker; no more are accepted`);
  const entry: Entry = {
    ...Promise.withResolvers<void>(),
    publication,
    signal,
    isReturned: false,
    returns: 0,
    sentAt: 0,
    rejectedSince: undefined,
  };
  state.waiting.add(entry);
  const withdraw = (): void => {
    if (!state.waiting.delete(entry)) return;
    state.suspects.delete(entry);
    sizeChanged(state);
    entry.reject(signal!.reason);
  };
  signal?.addEventListener('abort', withdraw, { once: true });
  pump(state);
  await entry.promise.finally(() => signal?.removeEventListener('abort', withdraw));
}

function pump(state: State): void {
  for (const entry of state.waiting) {
    if (!state.sending || state.sent.size >= (state.suspects.size > 0 ? 1 : MAX_UNCONFIRMED)) break;
    state.waiting.delete(entry);
    state.sent.add(entry);
    publish(state, entry, state.sending);
  }
  sizeChanged(state);
}

function publish(state: State, entry: Entry, { channel, replyTo }: Sending): void {
  const { exchange, key, body, properties, mandatory, expectsReply } = entry.publication;
  entry.isReturned = false;
  entry.sentAt = performance.now();
  const options = { ...properties, headers: { ...properties.headers }, mandatory, ...(expectsReply ? { replyTo } : {}) };
  try {
    channel.publish(exchange, key, body, options, (error) => channel === state.sending?.channel && confirmed(state, entry, error));
  } catch (error) {
    // A closing channel takes nothing and is replaced soon; any other error is about the publication.
    if (error instanceof amqp.IllegalOperationError) return;
    state.sent.delete(entry);
    entry.reject(error);
  }
}

function confirmed(state: State, entry: Entry, error: unknown): void {
  // The channel is closed: the entry stays in `sent` until the connection resumes.
  if (error && (error as Error).message !== 'message nacked') return;
  if (entry.isReturned && ++entry.returns < MAX_RETURNS) return state.onUnroutable(entry.publication.key);
  state.sent.delete(entry);
  state.suspects.delete(entry);
  if (entry.isReturned) entry.reject(new Error(`unroutable: no queue is bound to ${entry.publication.key}`));
  else if (error) {
    entry.rejectedSince ??= performance.now();
    state.rejected.set(entry, setTimeout(() => offerAgain(state, entry), REJECTED_MS).unref());
  } else entry.resolve();
  pump(state);
}

function offerAgain(state: State, entry: Entry): void {
  state.rejected.delete(entry);
  state.waiting.add(entry);
  pump(state);
}

function resume(state: State, sending: Sending): void {
  const { channel } = sending;
  state.sending = sending;
  channel.on('error', (error: Error & { code?: number }) => {
    if (error.code === 403 && channel === state.sending?.channel) forbidden(state, error);
  });
  // The broker returns a publication before it confirms it.
  channel.on('return', ({ fields, properties }) => {
    const { exchange, routingKey } = fields as unknown as { exchange: string; routingKey: string };
    for (const entry of state.sent) {
      const { publication } = entry;
      const isSame = publication.exchange === exchange && publication.key === routingKey;
      if (isSame && publication.properties.messageId === properties.messageId) entry.isReturned = true;
    }
  });
  pump(state);
}

/** The broker has closed the channel, because something in `sent` is forbidden to this user. */
function forbidden(state: State, error: Error): void {
  state.suspects = new Set([...state.sent, ...state.suspects]);
  const [culprit, ...others] = state.sent;
  if (!culprit || others.length > 0) return;
  state.sent.delete(culprit);
  state.suspects.delete(culprit);
  const { exchange, key } = culprit.publication;
  culprit.reject(new Error(`the broker does not allow ${state.service} to send ${key} to ${exchange}: ${error.message}`, { cause: error }));
}

function suspend(state: State): void {
  state.sending = undefined;
  const all = [...state.sent, ...state.waiting];
  for (const entry of [...all, ...state.rejected.keys()]) entry.rejectedSince = undefined;
  state.sent.clear();
  state.waiting = new Set(all.filter(({ signal }) => !signal?.aborted));
  for (const { signal, reject } of all) if (signal?.aborted) reject(signal.reason);
  state.suspects = new Set([...state.suspects].filter((entry) => state.waiting.has(entry)));
  sizeChanged(state);
}

async function close(state: State, ms: number): Promise<void> {
  state.isClosed = true;
  const { promise: empty, resolve } = Promise.withResolvers<void>();
  state.onEmpty = resolve;
  if (sizeOf(state) > 0) await withTimeout(ms, empty, { onTimeout: () => undefined });
  for (const { reject } of [...state.sent, ...state.waiting, ...state.rejected.keys()])
    reject(new Error(`the bus of ${state.service} was closed before the broker confirmed the message`));
  for (const timer of state.rejected.values()) clearTimeout(timer);
  clearInterval(state.looking);
  state.sending = undefined;
  for (const entries of [state.waiting, state.sent, state.rejected, state.suspects]) entries.clear();
  state.hideSize();
  metrics.unconfirmed.set({ service: state.service }, 0);
}

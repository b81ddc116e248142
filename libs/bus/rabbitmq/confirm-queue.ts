import amqp, { type ConfirmChannel, type Options } from 'amqplib';
import { metrics } from '@maw/telemetry/metrics.ts';
import { MAX_UNCONFIRMED, MAX_WAITING } from '../core/topology.ts';

export interface Letter {
  readonly exchange: string;
  readonly key: string;
  readonly body: Buffer;
  readonly properties: Options.Publish;
  /** Must reach a queue. */
  readonly isDue: boolean;
  /** The answer comes back to the connection that it is sent on. */
  readonly asks: boolean;
}

/** Keeps what is to be sent until the broker has confirmed it, whatever happens to the connection meanwhile. */
export interface ConfirmQueue {
  /** @throws Error when too many wait, or it is closed; whatever `signal` was aborted with, if it was not yet on its way */
  send(letter: Letter, signal?: AbortSignal): Promise<void>;
  /** Sends everything that is not confirmed, the oldest first, with answers to `replyTo`. */
  resume(channel: ConfirmChannel, replyTo: string): void;
  suspend(): void;
  /** How many are not confirmed. */
  size(): number;
  /** Waits at most `ms` for what is not confirmed. */
  close(ms: number): Promise<void>;
}

interface Entry {
  readonly letter: Letter;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | undefined;
  isReturned: boolean;
  /** How often it has reached no queue. */
  returns: number;
}

/** How long a message that the broker would not take waits before it is offered again, in milliseconds. */
const REFUSED_MS = 200;
/** How often everything is declared anew for a message that reaches no queue, before it is given up. */
const MOST_RETURNS = 3;

/** @param onReturned a message reached no queue: the topology is not what it should be */
export function confirmQueue(service: string, onReturned: (key: string) => void): ConfirmQueue {
  let waiting = new Set<Entry>();
  const underWay = new Set<Entry>();
  const refused = new Map<Entry, NodeJS.Timeout>();
  /** One of these may not be sent by this user. The broker closes the channel over it and does not say which, so they go one at a time. */
  let suspects = new Set<Entry>();
  let open: { channel: ConfirmChannel; replyTo: string } | undefined;
  let isClosed = false;
  let idle: (() => void) | undefined;

  const count = () => waiting.size + underWay.size + refused.size;
  const changed = (): void => {
    metrics.unconfirmed.set({ service }, count());
    if (count() === 0) idle?.();
  };

  function pump(): void {
    for (const entry of waiting) {
      if (!open || underWay.size >= (suspects.size > 0 ? 1 : MAX_UNCONFIRMED)) break;
      waiting.delete(entry);
      underWay.add(entry);
      put(entry, open);
    }
    changed();
  }

  function put(entry: Entry, { channel, replyTo }: { channel: ConfirmChannel; replyTo: string }): void {
    const { exchange, key, body, properties, isDue, asks } = entry.letter;
    entry.isReturned = false;
    const said = { ...properties, headers: { ...properties.headers }, mandatory: isDue, ...(asks ? { replyTo } : {}) };
    try {
      channel.publish(exchange, key, body, said, (error) => channel === open?.channel && confirmed(entry, error));
    } catch (error) {
      // A channel that is closing takes nothing, and will soon be replaced; anything else is wrong with the letter.
      if (error instanceof amqp.IllegalOperationError) return;
      underWay.delete(entry);
      entry.reject(error);
    }
  }

  function confirmed(entry: Entry, error: unknown): void {
    if (error && (error as Error).message !== 'message nacked') return; // The channel is closed: it stays under way until we resume.
    if (entry.isReturned && ++entry.returns < MOST_RETURNS) return onReturned(entry.letter.key);
    underWay.delete(entry);
    suspects.delete(entry);
    if (entry.isReturned) entry.reject(new Error(`there is no queue for ${entry.letter.key}, and nobody here declares it`));
    else if (error) refused.set(entry, setTimeout(() => offerAgain(entry), REFUSED_MS).unref());
    else entry.resolve();
    pump();
  }

  function offerAgain(entry: Entry): void {
    refused.delete(entry);
    waiting.add(entry);
    pump();
  }

  /** The broker has closed the channel, because this user may not send something that was on its way. */
  function forbidden(error: Error): void {
    suspects = new Set([...underWay, ...suspects]);
    const [culprit, ...others] = underWay;
    if (!culprit || others.length > 0) return;
    underWay.delete(culprit);
    suspects.delete(culprit);
    const { exchange, key } = culprit.letter;
    culprit.reject(new Error(`the broker does not let ${service} send ${key} to ${exchange}: ${error.message}`, { cause: error }));
  }

  /** The broker gives back what reached no queue, and says so before it confirms it. */
  function returned({ exchange, routingKey }: { exchange: string; routingKey: string }, id: unknown): void {
    for (const entry of underWay) {
      const { letter } = entry;
      if (letter.exchange === exchange && letter.key === routingKey && letter.properties.messageId === id) entry.isReturned = true;
    }
  }

  return {
    async send(letter, signal) {
      if (isClosed) throw new Error(`the bus of ${service} is closed`);
      signal?.throwIfAborted();
      if (waiting.size >= MAX_WAITING)
        throw new Error(`${MAX_WAITING} messages wait for the broker already: nothing more is kept until it takes some`);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry: Entry = { letter, resolve, reject, signal, isReturned: false, returns: 0 };
      waiting.add(entry);
      const forget = (): void => {
        if (!waiting.delete(entry)) return;
        suspects.delete(entry);
        changed();
        reject(signal!.reason);
      };
      signal?.addEventListener('abort', forget, { once: true });
      pump();
      await promise.finally(() => signal?.removeEventListener('abort', forget));
    },
    resume(channel, replyTo) {
      open = { channel, replyTo };
      channel.on('error', (error: Error & { code?: number }) => error.code === 403 && channel === open?.channel && forbidden(error));
      channel.on('return', ({ fields, properties }) => {
        returned(fields as unknown as { exchange: string; routingKey: string }, properties.messageId);
      });
      pump();
    },
    suspend() {
      open = undefined;
      const all = [...underWay, ...waiting];
      underWay.clear();
      waiting = new Set(all.filter(({ signal }) => !signal?.aborted));
      for (const { signal, reject } of all) if (signal?.aborted) reject(signal.reason);
      suspects = new Set([...suspects].filter((entry) => waiting.has(entry)));
      changed();
    },
    size: count,
    async close(ms) {
      isClosed = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      idle = resolve;
      const timer = setTimeout(resolve, ms);
      if (count() > 0) await promise;
      clearTimeout(timer);
      for (const entry of [...underWay, ...waiting, ...refused.keys()]) {
        entry.reject(new Error(`the bus of ${service} was closed before the broker confirmed the message`));
      }
      for (const timerOfEntry of refused.values()) clearTimeout(timerOfEntry);
      open = undefined;
      waiting.clear();
      underWay.clear();
      refused.clear();
      suspects.clear();
      changed();
    },
  };
}

import type { PartQueue } from './topology.ts';

/** A message as the transport carries it: bytes and properties. */
export interface RawMessage {
  readonly body: Buffer;
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  /** The queue that the reply goes to. */
  readonly replyTo?: string | undefined;
  /** The id of the request that this replies to. */
  readonly correlationId?: string | undefined;
  /** The authenticated user who sent it; undefined when the sender gave none. */
  readonly user?: string | undefined;
  /** The broker drops it after this time in its queue, in milliseconds. A bus in memory leaves that to the consumer. */
  readonly expiresInMs?: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Everybody who listens to a routing key, a delay or dead-letter queue of the queue `parent`, or the reply queue of a requester. */
export type Destination =
  | { readonly kind: 'command' | 'event'; readonly key: string }
  | { readonly queue: string; readonly parent: string }
  | { readonly replyQueue: string };

/** A message that was delivered and is not settled yet. */
export interface RawDelivery {
  readonly raw: RawMessage;
  /** The part that it was taken from; undefined: the queue itself. */
  readonly part?: PartQueue | undefined;
  /** Acknowledges it. Never throws; without effect when the connection is lost, in which case the message is redelivered. */
  ack(): void;
  /** Returns it to its queue at once. Never throws; without effect when the connection is lost. */
  requeue(): void;
}

export interface TransportConsumer {
  /** Stops further deliveries. */
  cancel(): Promise<void>;
  /** Returns all unacknowledged deliveries to their queue. */
  release(): Promise<void>;
  /** Asks the broker to serve it by its present priorities. Never throws. */
  reprioritize(): Promise<void>;
}

export interface QueueOptions {
  readonly queue: string;
  readonly types: readonly string[];
  /** Only one consumer at a time is served. */
  readonly isSingle: boolean;
  /** How many deliveries may be unacknowledged. */
  readonly prefetch: number;
  /** The delays, in milliseconds, for which delay queues are needed. */
  readonly delaysMs: readonly number[];
  /** Consumed along with the queue. */
  readonly parts: readonly PartQueue[];
  /** Of the consumers of a queue, those with the highest priority are served while they take more. */
  priorityOf(part: PartQueue): number;
}

interface SendOptions {
  /** The reply is passed to `onReply`. */
  readonly expectsReply?: boolean;
  /** Aborted when sending is no longer worthwhile. */
  readonly signal?: AbortSignal | undefined;
}

/** The port below the bus: RabbitMQ, or a hub in memory. */
export interface Transport {
  /** Its name in telemetry. */
  readonly system: 'rabbitmq' | 'memory';
  /** The broker that was asked for; undefined in memory. */
  readonly server?: { readonly address: string; readonly port: number };
  /** The user that we are authenticated as; in memory the service. */
  readonly user: string;
  /** Resolves once the message is stored safely. */
  send(to: Destination, message: RawMessage, options?: SendOptions): Promise<void>;
  /** Consumes from a queue; declares it first, with its delay and dead-letter queues. */
  consume(queue: QueueOptions, deliver: (delivery: RawDelivery) => void): Promise<TransportConsumer>;
  /** Receives every message with these routing keys from now on. */
  subscribe(keys: readonly string[], deliver: (delivery: RawDelivery) => void): Promise<TransportConsumer>;
  /** Sets the listener for replies. */
  onReply(listener: (reply: RawMessage) => void): void;
  /** Sets the listener for a new connection. Replies may have been lost with the old one. */
  onReconnected(listener: () => void): void;
  isUp(): boolean;
  /** How many consumers a queue has; undefined where that is unknown. */
  consumerCount(queue: string): Promise<number | undefined>;
  /** How many messages have been passed to `send` and are not stored safely yet. */
  unconfirmedCount(): number;
  /** Waits for outstanding confirms, then disconnects. */
  close(): Promise<void>;
}

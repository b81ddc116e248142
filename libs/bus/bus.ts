import type { ContractName, Message, ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';

/** One delivery of a message to a handler. */
export interface Delivery {
  /** 1 for the first attempt. */
  readonly attempt: number;
  /**
   * The service that sent the message: the user whom the broker authenticated. Where services share a user and senders are not checked, the
   * source that the message claims.
   */
  readonly sender: string | undefined;
  /** Aborted when the bus closes and the grace time has passed. Stop then: the message will be redelivered. */
  readonly signal: AbortSignal;
  /**
   * Forwards the request: the receiver of `message` replies to the original sender. Resolves once the broker has confirmed it.
   * A handler that forwards must not reply as well.
   */
  forward(message: Message): Promise<void>;
}

/**
 * Handles one message. The reply it returns is sent to the requester, if there is one; it returns nothing for an event, or after forwarding.
 * A handler must be idempotent: messages are delivered at least once. `core/settlement.ts` has the table of what follows from each outcome.
 * @throws PermanentError, or any error that is permanent, when retrying is pointless: the message is dead-lettered at once
 * @throws Refusal when the request is refused: the reply is a `refuse` with its reason
 */
export type Handler<N extends ContractName = ContractName> = (message: Message<N>, delivery: Delivery) => Promise<Reply | void>;

/** Retrying is pointless. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly isPermanent = true;
}

/** Whether an error of any package says, by a property `isPermanent`, that retrying is pointless. */
export const isPermanent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'isPermanent' in error && error.isPermanent === true;

/** No reply arrived before the deadline. */
export class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout';
}

/** A consumer, or a subscriber to events. */
export interface Subscription {
  /** Takes no more messages and waits for those in flight. */
  stop(): Promise<void>;
}

export interface ConsumeOptions {
  /** How many messages are handled at a time. */
  readonly concurrency: number;
  /** Handles messages of one subject one after another within this process. A retry within a second blocks its subject. */
  readonly inOrder?: boolean;
  /**
   * Delivers requests whose deadline has passed too; otherwise they are dropped. For handlers that must finish what they began before a crash.
   */
  readonly takesLate?: boolean;
  /** Of the parts of a divided queue. Default: all replicas are served alike. */
  readonly preference?: Preference;
  /** Only one consumer of all replicas is served at a time; the others stand by. */
  readonly isSingle?: boolean;
}

/** How a message is sent. */
export interface PublishHow {
  /** It was sent before, and nothing came of it: every replica of the receiver may take it. */
  readonly isRepeat?: boolean;
}

/** Which parts of a divided queue a replica wants to be served first. */
export interface Preference {
  /** Higher is served first, while it takes more. @param part from 0 to `PARTS` - 1 */
  priorityOf(part: number): number;
  /** @param listener is called after each change; returns a function that ends it */
  onChange(listener: () => void): () => void;
}

/** By queue: how many consumers it has. */
export type ConsumerCounts = Readonly<Record<string, number | undefined>>;

/**
 * How services communicate. Delivery is at least once, in no particular order.
 * Every message is validated against its contract when it is sent and when it arrives.
 */
export interface Bus {
  /** Resolves once the broker has confirmed the message. It is kept and sent again over lost connections, as long as the process lives. */
  publish(message: Message, how?: PublishHow): Promise<void>;
  /**
   * Sends a command and waits for the reply until the message's `replyby`. Without a reply it is sent again with the same id; handlers are
   * idempotent.
   * @throws RequestTimeout when the deadline has passed
   * @throws TypeError for a message without `replyby`, or whose contract has no reply
   * @throws the reason of the abort of `signal`
   */
  request<N extends ContractName>(message: Message<N>, options?: { readonly signal?: AbortSignal }): Promise<Reply<ReplyData<N>>>;
  /** Handles messages from a queue; competing consumers share it. A failed message is retried, then dead-lettered. */
  consume<const N extends ContractName>(
    queue: string,
    types: readonly N[],
    options: ConsumeOptions,
    handle: Handler<N>,
  ): Promise<Subscription>;
  /** Handles every message of these types from now on, without a queue and without retries: for broadcast events. */
  subscribe<const N extends ContractName>(types: readonly N[], handle: (message: Message<N>) => Promise<void>): Promise<Subscription>;
  /** Cancels all consumers, also those that are opened later; work in flight goes on. Subscriptions and replies are not affected. Idempotent. */
  pause(): Promise<void>;
  /** Undoes `pause`. @throws Error when the broker rejects a consumer */
  resume(): Promise<void>;
  isPaused(): boolean;
  /** Whether messages can be sent and received now. */
  isUp(): boolean;
  /**
   * Resolves once the broker has confirmed a message that nobody receives, with the number of consumers of each queue; undefined where that
   * is unknown. While the broker takes no messages (a disk or memory alarm) it waits, until `signal` is aborted.
   */
  probe(queues: readonly string[], signal?: AbortSignal): Promise<ConsumerCounts>;
  /** How many messages wait for the broker's confirm. */
  unconfirmedCount(): number;
  /** Stops all consumers, waits for work in flight up to the grace time and for confirms, then disconnects. Idempotent. */
  close(): Promise<void>;
}

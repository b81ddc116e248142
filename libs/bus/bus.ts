import type { ReplyData, ContractName, Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';

/** What a listener may do with one delivery besides answering it. */
export interface Delivery {
  /** 1 for the first try. */
  readonly attempt: number;
  /** Aborted when the bus closes and the grace time has passed: stop, the message will be given to somebody else. */
  readonly signal: AbortSignal;
  /**
   * Passes the request on: whoever gets `message` answers the original asker directly. Resolves on the broker's confirm.
   * Whoever forwards must not answer itself.
   */
  forward(message: Message): Promise<void>;
}

/**
 * Takes one message. What it returns is sent to the asker, if there is one; nothing when it has forwarded, or for an event.
 * It must be safe to run twice with the same message. A message is acknowledged after this has resolved and the answer is confirmed.
 * @throws PermanentError, or anything else that `isPermanent`, when trying again is pointless: the message goes to the dead letters at once
 * @throws Refusal (of the games) is no error: the bus answers `refuse` with its reason
 */
export type Handler<N extends ContractName = ContractName> = (message: Message<N>, delivery: Delivery) => Promise<Reply | void>;

/** Trying again is pointless. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly isPermanent = true;
}

/** Whether an error says of itself that trying again is pointless, wherever it comes from: by `isPermanent`. */
export const isPermanent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'isPermanent' in error && error.isPermanent === true;

/** Nobody answered before the deadline. */
export class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout';
}

export interface Subscription {
  /** Takes no more messages and waits for those in hand. */
  stop(): Promise<void>;
}

export interface ConsumeOptions {
  /** How many messages are in hand at once. */
  readonly concurrency: number;
  /** Messages of one subject one after another within this process; retries within a second hold the subject. */
  readonly inOrder?: boolean;
  /**
   * Late requests are heard as well, and the listener drops them itself. For whoever has to finish what it began before it died: without it a
   * request that is delivered again after its deadline is dropped.
   */
  readonly takesLate?: boolean;
  /** One consumer of all replicas at a time; the others stand by. */
  readonly isSingle?: boolean;
}

/**
 * How services talk. Delivery is at least once; nothing depends on its order.
 * Every message that is sent goes through the contracts, and so does every one that arrives.
 */
export interface Bus {
  /** Resolves once the broker has taken responsibility for the message. Survives a lost connection as long as the process lives. */
  publish(message: Message): Promise<void>;
  /**
   * Sends a command and waits for its answer. The deadline is the message's `replyby`; until then it is sent again with the same id
   * when nothing comes back, because doing a thing twice does no harm.
   * @throws RequestTimeout when the deadline has passed
   * @throws TypeError for a message without `replyby`, or whose contract has no answer
   * @throws whatever `signal` was aborted with
   */
  request<N extends ContractName>(message: Message<N>, options?: { readonly signal?: AbortSignal }): Promise<Reply<ReplyData<N>>>;
  /** Competing consumers of a queue: each message goes to one of them. Patient retries, then the dead letters. */
  consume<const N extends ContractName>(
    queue: string,
    types: readonly N[],
    options: ConsumeOptions,
    hear: Handler<N>,
  ): Promise<Subscription>;
  /** Sees every message of these types from now on, keeps nothing, retries nothing: for doorbells. */
  subscribe<const N extends ContractName>(types: readonly N[], hear: (message: Message<N>) => Promise<void>): Promise<Subscription>;
  /** Whether messages can be sent and received right now. */
  isUp(): boolean;
  /** How many messages it keeps because the broker has not confirmed them yet. */
  unconfirmedCount(): number;
  /** Takes no more, finishes what is in hand within the grace time, gives back the rest, waits for confirms, disconnects. Twice does no harm. */
  close(): Promise<void>;
}

import type { Contract } from '@maw/contracts/contract.ts';
import { contracts } from '@maw/contracts/contracts.ts';

/** Events that are heard by taps only: whoever missed one looks for itself. */
export const BROADCAST_EVENTS: readonly string[] = ['table.moved', 'room.line', 'llm.capacity', 'llm.pool'];

/** Services of which one replica at a time takes messages; the others stand by. */
export const SINGLE_CONSUMER: readonly string[] = ['llm-gateway'];

/** How often a message may come back from consumers that died with it in their hands before the broker buries it. */
export const MAX_DELIVERIES = 20;

/** The largest body of a message, in bytes. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** How many messages may wait for a broker that is not there, and in memory for a pool that is not there. */
export const MAX_WAITING = 10_000;

/** How many messages nobody has confirmed yet may be under way. */
export const MAX_UNCONFIRMED = 256;

/** How many messages a tap that cannot keep up, and the queue of the unrouted, keep: the newest. */
export const MAX_RETAINED = 10_000;

/** Before each further attempt, in milliseconds: long enough in all to outlive the restart of a database. */
export const RETRY_MS: readonly number[] = [250, 1_000, 5_000, 30_000, 60_000];
export const RESEND_MS = 5_000;
export const GRACE_MS = 10_000;

/** What is written on the outside of a message, beside the trace context. */
export const header = {
  attempt: 'x-attempt',
  /** The type of the request that is answered, when it was passed on as another one. */
  answers: 'x-answers',
  reason: 'x-reason',
  error: 'x-error',
  queue: 'x-queue',
  at: 'x-at',
  attempts: 'x-attempts',
  /** Who sent it first, as the broker said, on a copy that somebody else has put aside or sent again. */
  sender: 'x-sender',
} as const;

/** The exchange that answers travel by. */
export const ANSWERS = 'answers';

/** The user of the broker who looks after dead letters: what it says about the first sender of a letter is believed. */
export const OPERATOR = 'operator';

export const deadLetterQueueOf = (queue: string): string => `${queue}.dead`;
export const delayQueueOf = (queue: string, ms: number): string => `${queue}.after-${ms}`;

/** The exchange by which the service of a queue reaches its delays and its dead letters, and who sends dead letters again the queue itself. */
export const asideExchangeOf = (queue: string): string => `${queue}.aside`;

/** Queues of one connection begin with the name of the service, so that a user of the broker can be held to its own. */
export const replyQueueOf = (service: string, id: string): string => `reply.${service}.${id}`;
export const subscriptionQueueOf = (service: string, id: string): string => `tap.${service}.${id}`;

/** The service that an answer to this address goes to; undefined when it is no address that a bus writes. */
export const requesterOf = (replyTo: string): string | undefined => /(?:^|\.)reply\.([\w-]+)\.[\da-f-]{36}$/.exec(replyTo)?.[1];

/** The queue of a service: it has the service's name, and exists before the service first starts. */
export interface ServiceQueue {
  readonly queue: string;
  /** Every command the service listens to, and every event that is no doorbell. */
  readonly types: readonly string[];
  readonly isSingle: boolean;
}

/** The queues that contracts ask for. A service that hears doorbells only has none. */
export function queuesFor(all: readonly Contract[]): readonly ServiceQueue[] {
  const forPools = all.filter(({ name }) => !BROADCAST_EVENTS.includes(name));
  const services = [...new Set(forPools.flatMap(({ to }) => to))].toSorted();
  return services.map((queue) => ({
    queue,
    types: forPools.filter(({ to }) => to.includes(queue)).map(({ name }) => name),
    isSingle: SINGLE_CONSUMER.includes(queue),
  }));
}

/** The queues of the platform: the whole of its topology, whoever has started. */
export const serviceQueues = queuesFor(contracts.all);

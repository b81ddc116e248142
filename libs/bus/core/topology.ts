import type { Contract } from '@maw/contracts/contract.ts';
import { contracts } from '@maw/contracts/contracts.ts';

/** Events that go to subscribers only and to no service queue. A receiver that misses one finds out by polling. */
export const BROADCAST_EVENTS: readonly string[] = [
  'table.moved',
  'room.line',
  'llm.capacity',
  'llm.pool',
  'service.alive',
  'tape.failed',
  'contest.moved',
];

/** Services of which only one replica at a time consumes; the others stand by. */
export const SINGLE_CONSUMER: readonly string[] = ['llm-gateway'];

/** The exchange for replies. */
export const ANSWERS = 'answers';

/** The broker user who manages dead letters. Its note of the original sender is trusted. */
export const OPERATOR = 'operator';

export const deadLetterQueueOf = (queue: string): string => `${queue}.dead`;
export const delayQueueOf = (queue: string, ms: number): string => `${queue}.after-${ms}`;

/** The exchange to the delay and dead-letter queues of a queue, and for resending dead letters to the queue itself. */
export const asideExchangeOf = (queue: string): string => `${queue}.aside`;

/** Queues of one connection. They contain the service's name, so that a broker user can be limited to its own. */
export const replyQueueOf = (service: string, id: string): string => `reply.${service}.${id}`;
export const subscriptionQueueOf = (service: string, id: string): string => `tap.${service}.${id}`;

/** A reply queue that never exists, of a service that this one may reply to: a message to it is confirmed and dropped. */
export const unusedReplyQueueOf = (service: string): string => {
  const asker = contracts.all.find(({ to, reply }) => reply !== undefined && (to as readonly string[]).includes(service))?.from[0];
  return replyQueueOf(asker ?? service, '00000000-0000-0000-0000-000000000000');
};

/** The service that owns a reply queue; undefined for a name that no bus writes. */
export const requesterOf = (replyTo: string): string | undefined => /(?:^|\.)reply\.([\w-]+)\.[\da-f-]{36}$/.exec(replyTo)?.[1];

/** The queue of a service. It has the service's name, and exists before the service first starts. */
export interface ServiceQueue {
  readonly queue: string;
  /** Every command and every event for the service, except broadcast events. */
  readonly types: readonly string[];
  readonly isSingle: boolean;
}

/** The queues that the contracts need. A service that receives broadcast events only has none. */
export function queuesFor(all: readonly Contract[]): readonly ServiceQueue[] {
  const queued = all.filter(({ name }) => !BROADCAST_EVENTS.includes(name));
  const services = [...new Set(queued.flatMap(({ to }) => to))].toSorted();
  return services.map((queue) => ({
    queue,
    types: queued.filter(({ to }) => to.includes(queue)).map(({ name }) => name),
    isSingle: SINGLE_CONSUMER.includes(queue),
  }));
}

/** The queues of all services, whether they run or not. */
export const serviceQueues = queuesFor(contracts.all);

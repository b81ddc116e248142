import { contracts } from '@maw/contracts/contracts.ts';
import { REASONS } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics, startAtZero } from '@maw/telemetry/metrics.ts';
import type { Bus, ConsumerCounts, Subscription } from '../bus.ts';
import { openConsumer } from './consumer.ts';
import { consumerGroup } from './consumer-group.ts';
import { createPublisher } from './publisher.ts';
import { createRequester } from './requester.ts';
import { createSenderCheck } from './sender-check.ts';
import type { Endpoint } from './settlement.ts';
import { openSubscription } from './subscription.ts';
import { GRACE_MS } from './message-limits.ts';
import { RESEND_MS, RETRY_MS } from '../retries.ts';
import { serviceQueues, unusedReplyQueueOf } from './topology.ts';
import type { Transport } from './transport.ts';

export interface BusOptions {
  readonly service: string;
  /** The time by which deadlines are judged, in milliseconds since the epoch. All services must agree on it. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
  /** The delay before each further attempt, in milliseconds; after the last attempt the message is dead-lettered. */
  readonly retryMs?: readonly number[] | undefined;
  /** How long a request waits for its reply before it is sent again, in milliseconds; doubles each time. */
  readonly resendMs?: number | undefined;
  /** How long `stop` and `close` wait for work in flight, in milliseconds. */
  readonly graceMs?: number | undefined;
  /**
   * Whether messages with a forged sender are dropped. The broker must authenticate each service as a user of its own. Default: no.
   */
  readonly checkSender?: boolean | undefined;
}

/** The bus on any transport. */
export function createBus(transport: Transport, options: BusOptions & { readonly log: Log }): Bus {
  const { service, now = Date.now, retryMs = RETRY_MS, resendMs = RESEND_MS, graceMs = GRACE_MS, log } = options;
  const publisher = createPublisher({ transport, service, now });
  const senderCheck = createSenderCheck({ service, user: transport.user, isChecking: options.checkSender ?? false });
  const endpoint: Endpoint = { service, transport, publisher, senderCheck, log, now, retryMs, graceMs };
  startCounters(service);
  const requester = createRequester({ publisher, senderCheck, service, transport, now, resendMs });
  const subscriptions = new Set<Subscription>();
  const consumers = consumerGroup();
  let closing: Promise<void> | undefined;

  async function opened(open: () => Promise<Subscription>): Promise<Subscription> {
    if (closing) throw new Error(`the bus of ${service} is closed`);
    const { stop } = await open();
    const subscription: Subscription = {
      stop: async () => {
        await stop();
        subscriptions.delete(subscription);
      },
    };
    subscriptions.add(subscription);
    return subscription;
  }

  async function close(): Promise<void> {
    await Promise.all([...subscriptions].map((one) => one.stop()));
    requester.close();
    await transport.close();
  }

  transport.onReply(requester.onReply);
  transport.onReconnected(requester.resendAll);

  return {
    publish: (message, how) => publisher.publish(message, how),
    // Allowed while closing: work in flight may need the reply.
    request: async (message, { signal } = {}) => (await requester.request(message, signal)) as never,
    consume: async (queue, types, given, handle) => {
      const request = { queue, types, options: checked(queue, types, given), handle };
      return opened(() => consumers.add(() => openConsumer(endpoint, request)));
    },
    subscribe: (types, handle) => opened(() => openSubscription(endpoint, types, handle)),
    pause: consumers.pause,
    resume: consumers.resume,
    isPaused: consumers.isPaused,
    isUp: () => !closing && transport.isUp(),
    probe: (queues, signal) => probe(transport, service, queues, signal),
    unconfirmedCount: () => transport.unconfirmedCount(),
    close: () => (closing ??= close()),
  };
}

function startCounters(service: string): void {
  const requests = contracts.all.filter(({ reply, from }) => reply && (from as readonly string[]).includes(service));
  const labels = { service: [service], type: requests.map(({ name }) => name) };
  for (const counter of [metrics.unanswered, metrics.resent]) startAtZero(counter, labels);
  startAtZero(metrics.reconnects, { service: [service] });
  startAtZero(metrics.refusals, { service: [service], reason: REASONS });
}

async function probe(transport: Transport, service: string, queues: readonly string[], signal?: AbortSignal): Promise<ConsumerCounts> {
  const message = { body: Buffer.alloc(0), headers: {} };
  await transport.send({ replyQueue: unusedReplyQueueOf(service) }, message, { signal });
  return Object.fromEntries(await Promise.all(queues.map(async (queue) => [queue, await transport.consumerCount(queue)] as const)));
}

/** @throws TypeError when nothing could be consumed; Error when the queue is declared differently by the topology */
function checked<O extends { concurrency: number; isSingle?: boolean }>(queue: string, types: readonly string[], options: O): O {
  const { concurrency, isSingle = false } = options;
  if (!types.length) throw new TypeError(`consume ${queue}: no message types given`);
  if (!Number.isSafeInteger(concurrency) || concurrency < 1 || concurrency > 65_535)
    throw new TypeError(`consume ${queue}: concurrency ${concurrency} is not 1 to 65535`);
  const known = serviceQueues.find((one) => one.queue === queue);
  if (known && known.isSingle !== isSingle)
    throw new Error(`consume ${queue}: isSingle must be ${known.isSingle} (SINGLE_CONSUMER in topology.ts)`);
  return options;
}

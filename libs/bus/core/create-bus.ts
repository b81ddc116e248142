import type { Log } from '@maw/telemetry/log.ts';
import type { Bus, Subscription } from '../bus.ts';
import { createSettlement } from './settlement.ts';
import { openConsumer } from './consumer.ts';
import { createPublisher } from './publisher.ts';
import { requestsOver } from './requests.ts';
import { createSenderCheck } from './sender-check.ts';
import { openSubscription } from './subscription.ts';
import { GRACE_MS, RESEND_MS, RETRY_MS, serviceQueues } from './topology.ts';
import type { Transport } from './transport.ts';

export interface BusOptions {
  readonly service: string;
  readonly now?: (() => number) | undefined;
  /** Before each further attempt, in milliseconds; after the last attempt come the dead letters. */
  readonly retryMs?: readonly number[] | undefined;
  /** How long an answer is waited for before the request is sent again, in milliseconds; twice as long each time. */
  readonly resendMs?: number | undefined;
  /** How long `stop` and `close` wait for what is in hand, in milliseconds. */
  readonly graceMs?: number | undefined;
  /**
   * Whether messages are dropped and counted whose sender is not who they say, as whoever carries them has checked. For brokers on which each
   * service is a user of its own. Default: no.
   */
  readonly checkSender?: boolean | undefined;
}

/** The bus over a wire: all that is the same whether messages travel through a broker or through memory. */
export function createBus(wire: Transport, options: BusOptions & { readonly log: Log }): Bus {
  const { service, now = Date.now, retryMs = RETRY_MS, resendMs = RESEND_MS, graceMs = GRACE_MS, log } = options;
  const post = createPublisher({ wire, service, now });
  const senders = createSenderCheck({ service, user: wire.user, isChecking: options.checkSender ?? false });
  const desk = createSettlement({ wire, post, senders, service, now, log });
  const requests = requestsOver({ post, senders, service, system: wire.system, now, resendMs });
  const pooling = { wire, desk, senders, service, log, graceMs, retryMs };
  const listening = new Set<Subscription>();
  let closing: Promise<void> | undefined;

  const mustBeOpen = (): void => {
    if (closing) throw new Error(`the bus of ${service} is closed`);
  };

  function listed({ stop }: Subscription): Subscription {
    const listener: Subscription = {
      stop: async () => {
        await stop();
        listening.delete(listener);
      },
    };
    listening.add(listener);
    return listener;
  }

  async function close(): Promise<void> {
    await Promise.all([...listening].map((one) => one.stop()));
    requests.close();
    await wire.close();
  }

  wire.onAnswer(requests.take);
  wire.onRenewed(requests.again);

  return {
    publish: (message) => post.message(message),
    // Also while it closes: what is in hand may need an answer to be done.
    request: async (message, { signal } = {}) => (await requests.ask(message, signal)) as never,
    consume: async (queue, types, given, hear) => {
      mustBeOpen();
      return listed(await openConsumer(pooling, { queue, types, options: checked(queue, types, given), hear }));
    },
    subscribe: async (types, hear) => {
      mustBeOpen();
      return listed(await openSubscription({ wire, senders, service, log, graceMs }, types, hear));
    },
    isUp: () => !closing && wire.isUp(),
    unconfirmedCount: () => wire.unsent(),
    close: () => (closing ??= close()),
  };
}

/** @throws TypeError when nothing could be taken; Error when the queue of a service is not as all its replicas declare it */
function checked<P extends { concurrency: number; isSingle?: boolean }>(queue: string, types: readonly string[], given: P): P {
  if (!types.length) throw new TypeError(`pool ${queue}: no types, so nothing would be taken`);
  if (!Number.isSafeInteger(given.concurrency) || given.concurrency < 1 || given.concurrency > 65_535)
    throw new TypeError(`pool ${queue}: concurrency ${given.concurrency} is not 1 to 65535`);
  const known = serviceQueues.find((one) => one.queue === queue);
  if (known && known.isSingle !== (given.isSingle ?? false))
    throw new Error(`pool ${queue}: isSingle must be ${known.isSingle}, as the topology says (SINGLE in topology.ts)`);
  return given;
}

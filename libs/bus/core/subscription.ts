import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Subscription } from '../bus.ts';
import { trackInFlight } from './in-flight.ts';
import { messageOf, senderLabelOf } from './parse.ts';
import { type Endpoint, inProcessSpan, type Received, SUBSCRIPTION_QUEUE, UNREADABLE } from './settlement.ts';
import { keysOf } from './topology.ts';
import type { RawDelivery } from './transport.ts';

type EventHandler<N extends ContractName> = (message: Message<N>) => Promise<void>;

/** Handles every message of these types until it is stopped. A message whose handling fails is dropped. */
export async function openSubscription<N extends ContractName>(
  endpoint: Endpoint,
  types: readonly N[],
  handle: EventHandler<N>,
): Promise<Subscription> {
  const inFlight = trackInFlight(endpoint.graceMs);
  const opened = await endpoint.transport.subscribe(
    types.flatMap((type) => keysOf(contracts.get(type))),
    (delivery) => {
      if (!inFlight.stopping.aborted) inFlight.track(receive(endpoint, types, handle, delivery));
    },
  );
  return { stop: () => inFlight.stop(opened) };
}

async function receive<N extends ContractName>(
  endpoint: Endpoint,
  types: readonly N[],
  handle: EventHandler<N>,
  { raw, ack }: RawDelivery,
): Promise<void> {
  const { service, senderCheck, log } = endpoint;
  let type: string = UNREADABLE;
  let sender = senderLabelOf(undefined);
  try {
    const message = messageOf(raw, types);
    type = message.type;
    sender = senderLabelOf(message);
    const forgery = senderCheck.forgery(raw, message);
    if (forgery) {
      senderCheck.count(type, forgery);
      throw new Error(`forged (${forgery}): its source is ${message.source}, but ${senderCheck.of(raw) ?? 'an unknown user'} sent it`);
    }
    const received: Received = { raw, queue: SUBSCRIPTION_QUEUE, subject: message.subject, type, isForwarded: false };
    await inProcessSpan(endpoint, received, () => handle(message));
    metrics.messagesTaken.inc({ service, sender, type, outcome: 'done' });
  } catch (err) {
    metrics.messagesTaken.inc({ service, sender, type, outcome: 'dropped' });
    log.warn({ err, type, id: raw.id }, 'event subscriber failed; events are not retried');
  } finally {
    ack();
  }
}

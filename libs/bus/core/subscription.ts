import type { ContractName, Message } from '@maw/contracts/contracts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { span } from '@maw/telemetry/names.ts';
import { inTrace, UNREADABLE } from './settlement.ts';
import { trackInFlight } from './in-flight.ts';
import { messageOf, senderLabelOf } from './parse.ts';
import type { SenderCheck } from './sender-check.ts';
import type { RawDelivery, Transport } from './transport.ts';

export interface Tapping {
  readonly wire: Transport;
  readonly senders: SenderCheck;
  readonly service: string;
  readonly log: Log;
  readonly graceMs: number;
}

/** Hears every message of these types until it is stopped. What it fails at is gone. */
export async function openSubscription<N extends ContractName>(
  { wire, senders, service, log, graceMs }: Tapping,
  types: readonly N[],
  hear: (message: Message<N>) => Promise<void>,
): Promise<{ stop(): Promise<void> }> {
  const hands = trackInFlight(graceMs);

  async function ring({ parcel, ack }: RawDelivery): Promise<void> {
    let type: string = UNREADABLE;
    let sender = senderLabelOf(undefined);
    try {
      const message = messageOf(parcel, types);
      type = message.type;
      sender = senderLabelOf(message);
      const forgery = senders.forgery(parcel, message);
      if (forgery) {
        senders.count(type, forgery);
        throw new Error(`forged (${forgery}): it says that it is from ${message.source}, and ${senders.of(parcel) ?? 'nobody'} sent it`);
      }
      const about = { parcel, queue: 'tap', subject: message.subject, type };
      await inTrace(service, wire.system, span.process(type), about, () => hear(message));
      metrics.messagesTaken.inc({ service, sender, type, outcome: 'done' });
    } catch (err) {
      metrics.messagesTaken.inc({ service, sender, type, outcome: 'dropped' });
      log.warn({ err, type, id: parcel.id }, 'a tap failed at a message; nothing is tried again');
    } finally {
      ack();
    }
  }

  const consuming = await wire.tap(types, (taken) => {
    if (!hands.isStopping()) hands.hold(ring(taken));
  });
  return { stop: () => hands.stop(consuming) };
}

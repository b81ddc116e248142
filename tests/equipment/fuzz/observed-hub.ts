import { memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import type { RawDelivery, RawMessage } from '@maw/bus/core/transport.ts';

/** An in-memory hub that records what is published, delivered and acknowledged. */
export interface ObservedHub extends MemoryHub {
  /** What was published since the last call. */
  takePut(): { readonly to: Parameters<MemoryHub['send']>[0]; readonly parcel: RawMessage }[];
  /** Publishes a message of the fuzzer; `delivered` and `inFlight` count only these. */
  post(to: Parameters<MemoryHub['send']>[0], parcel: RawMessage): void;
  /** Deliveries to consumers. */
  readonly delivered: number;
  /** Delivered but not yet acknowledged. */
  inFlight(): readonly RawMessage[];
}

export function observedHub(): ObservedHub {
  const hub = memoryHub();
  const ours = new WeakSet<RawMessage>();
  /** By delivery: an event is delivered to several consumers. */
  const held = new Set<{ readonly parcel: RawMessage }>();
  let put: { to: Parameters<MemoryHub['send']>[0]; parcel: RawMessage }[] = [];
  let delivered = 0;
  const record =
    (take: (delivery: RawDelivery) => void) =>
    (delivery: RawDelivery): void => {
      if (!ours.has(delivery.raw)) return take(delivery);
      delivered++;
      const entry = { parcel: delivery.raw };
      held.add(entry);
      take({
        raw: delivery.raw,
        ack() {
          held.delete(entry);
          delivery.ack();
        },
        requeue() {
          held.delete(entry);
          delivery.requeue();
        },
      });
    };
  const observed: ObservedHub = {
    dead: hub.dead,
    send(to, parcel) {
      hub.send(to, parcel);
      put.push({ to, parcel });
    },
    post(to, parcel) {
      ours.add(parcel);
      observed.send(to, parcel);
    },
    consume: (asked, take) => hub.consume(asked, record(take)),
    subscribe: (types, take) => hub.subscribe(types, record(take)),
    consumerCount: hub.consumerCount,
    onReply: hub.onReply,
    takePut() {
      const all = put;
      put = [];
      return all;
    },
    get delivered() {
      return delivered;
    },
    inFlight: () => [...held].map(({ parcel }) => parcel),
  };
  return observed;
}

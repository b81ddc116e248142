import { memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import type { RawMessage, RawDelivery } from '@maw/bus/core/transport.ts';

/** A hub of which everything can be seen: what is put on the way, what is delivered, and what is done with. */
export interface ObservedHub extends MemoryHub {
  /** What was put since it was last asked. */
  takePut(): { readonly to: Parameters<MemoryHub['put']>[0]; readonly parcel: RawMessage }[];
  /** Puts a letter of ours on its way; `delivered` and `inHand` speak of these alone. */
  post(to: Parameters<MemoryHub['put']>[0], letter: RawMessage): void;
  /** How often letters were handed to a listener. */
  readonly delivered: number;
  /** Letters that a listener has and is not done with. */
  inHand(): readonly RawMessage[];
}

export function observedHub(): ObservedHub {
  const hub = memoryHub();
  const letters = new WeakSet<RawMessage>();
  /** Each delivery is one of its own: an event goes to many. */
  const held = new Set<{ readonly parcel: RawMessage }>();
  let put: { to: Parameters<MemoryHub['put']>[0]; parcel: RawMessage }[] = [];
  let delivered = 0;
  const seen =
    (take: (taken: RawDelivery) => void) =>
    (taken: RawDelivery): void => {
      if (!letters.has(taken.parcel)) return take(taken);
      delivered++;
      const delivery = { parcel: taken.parcel };
      held.add(delivery);
      take({
        parcel: taken.parcel,
        ack() {
          held.delete(delivery);
          taken.ack();
        },
      });
    };
  const office: ObservedHub = {
    dead: hub.dead,
    put(to, parcel) {
      hub.put(to, parcel);
      put.push({ to, parcel });
    },
    post(to, letter) {
      letters.add(letter);
      office.put(to, letter);
    },
    consume: (asked, take) => hub.consume(asked, seen(take)),
    tap: (types, take) => hub.tap(types, seen(take)),
    answers: hub.answers,
    takePut() {
      const all = put;
      put = [];
      return all;
    },
    get delivered() {
      return delivered;
    },
    inHand: () => [...held].map(({ parcel }) => parcel),
  };
  return office;
}

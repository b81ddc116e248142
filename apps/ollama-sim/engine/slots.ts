import { newWaitList } from '../wait-list.ts';

/** One slot, held for a request. Only the first `release` or `wedge` counts. */
export interface SlotLease {
  release(): void;
  /** Leaks the slot: it stays busy for ever. */
  wedge(): void;
}

/** The parallel slots of a loaded model: a semaphore with an unbounded FIFO queue. */
export interface Slots {
  /** @throws the reason of the abort */
  take(signal: AbortSignal): Promise<SlotLease>;
  readonly total: number;
  busy(): number;
  wedged(): number;
  waiting(): number;
}

export const newSlots = (total: number): Slots => {
  const waiters = newWaitList();
  let [busy, wedged] = [0, 0];
  const lease = (): SlotLease => {
    let isOpen = true;
    const once = (end: () => void) => (): void => {
      if (isOpen) end();
      isOpen = false;
    };
    const passOn = (): void => (waiters.size() > 0 ? waiters.next() : void busy--);
    return { release: once(passOn), wedge: once(() => void wedged++) };
  };
  const take = async (signal: AbortSignal): Promise<SlotLease> => {
    signal.throwIfAborted();
    if (busy < total) busy++;
    else await waiters.wait(signal);
    return lease();
  };
  return { take, total, busy: () => busy, wedged: () => wedged, waiting: waiters.size };
};

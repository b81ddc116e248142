import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Client } from '../../api/client.ts';
import type { Link } from '../../api/follow.ts';
import { type Acts, createActs } from './acts.ts';
import { type SeatStorage, seatStorage } from './storage.ts';

/** The longest wait before an act without an answer is sent again, in milliseconds. */
const RETRY_MS = 2_000;

export interface OwnSeat {
  readonly acts: Acts;
  readonly storage: SeatStorage;
}

/** What the person at a seat types and does, for as long as the page shows it. */
export function useActs(client: Client, table: string, seat: number, link: Link): OwnSeat {
  const own = useMemo(() => openSeat(client, table, seat), [client, table, seat]);
  useSyncExternalStore(own.subscribe, () => own.acts.state);
  useEffect(() => own.open(), [own]);
  useEffect(() => {
    if (link === 'live') own.retryNow();
  }, [own, link]);
  return own;
}

function openSeat(client: Client, table: string, seat: number) {
  const listeners = new Set<() => void>();
  const storage = seatStorage(localStorage, table, seat, Date.now);
  let isClosed = false;
  let wake = (): void => undefined;
  const acts = createActs({
    table,
    storage,
    post: (path, body, key) => client.post(path, body, key),
    wait: () =>
      new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, RETRY_MS);
      }),
    onChange: () => listeners.forEach((listener) => listener()),
    isClosed: () => isClosed,
  });
  return {
    acts,
    storage,
    retryNow: () => wake(),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open() {
      isClosed = false;
      acts.resume();
      return () => void (isClosed = true);
    },
  };
}

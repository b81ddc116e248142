import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Link } from '@maw/api-client/stream.ts';
import type { BodyOf } from '@maw/contracts/http/routes.ts';
import { pause as wait } from '@maw/api-client/retry.ts';
import { type Acts, createActs } from './acts.ts';
import { type SeatStorage, seatStorage } from './storage.ts';

export interface OwnSeat {
  readonly acts: Acts;
  readonly storage: SeatStorage;
}

/** What the person at a seat types and does, for as long as the page shows it. */
export function useActs(client: ApiClient, table: string, seat: number, link: Link): OwnSeat {
  const own = useMemo(() => openSeat(client, table, seat), [client, table, seat]);
  useSyncExternalStore(own.subscribe, () => own.acts.state);
  useEffect(() => own.open(), [own]);
  useEffect(() => {
    if (link === 'live') own.retryNow();
  }, [own, link]);
  return own;
}

function openSeat(client: ApiClient, table: string, seat: number) {
  const listeners = new Set<() => void>();
  const storage = seatStorage(localStorage, table, seat, Date.now);
  let closing = new AbortController();
  let link = new AbortController();
  const pause: typeof wait = (ms, signal) => wait(ms, signal && AbortSignal.any([signal, link.signal]));
  const acts = createActs({
    storage,
    post: (path, body, key) =>
      client.post(path, { table }, body as BodyOf<`POST ${typeof path}`>, { key, signal: closing.signal, forMs: Infinity, pause }),
    onChange: () => listeners.forEach((listener) => listener()),
  });
  return {
    acts,
    storage,
    /** Sends at once what waits for the server to come back. */
    retryNow() {
      link.abort();
      link = new AbortController();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open() {
      closing = new AbortController();
      acts.resume();
      return () => closing.abort();
    },
  };
}

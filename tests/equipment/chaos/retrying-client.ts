import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '@maw/games/kernel/dice.ts';
import { eventDecoder } from '@maw/http/event-decoder.ts';

/** What the doors answered in the end; status 0 when none did before we gave up. */
export interface ClientResponse {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON as it came
  readonly body: any;
}

/** Somebody who goes to whichever door answers, and who tries again with the same key as docs/http.md says. */
export interface RetryingClient {
  post(where: string, body: unknown, token: string, withinMs: number): Promise<ClientResponse>;
  get(where: string, token: string): Promise<ClientResponse>;
  /** The events of a table as server-sent events, over however many connections and doors, until it is over. */
  follow(table: string, token: string): AsyncGenerator<Event>;
}

export type Event =
  | { readonly event: 'seen'; readonly n: number }
  | { readonly event: 'asked'; readonly asked: readonly Question[] }
  | { readonly event: 'over' };

export interface Question {
  readonly id: string;
  readonly verb: 'say' | 'tell' | 'choose';
  readonly options: readonly { readonly is: string }[];
  readonly pick: number;
  readonly until: number;
  readonly final: boolean;
  readonly room?: string;
}

/** How long one try may take; a door that stands still does not answer. */
const TRY_MS = 8_000;
const PAUSE_MS = 250;

export function retryingClient(doors: readonly [string, ...string[]], dice: Dice, signal: AbortSignal): RetryingClient {
  async function once(method: string, where: string, token: string, body?: unknown, key?: string): Promise<ClientResponse> {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (method === 'POST') headers['content-type'] = 'application/json';
    if (key !== undefined) headers['idempotency-key'] = key;
    try {
      const response = await fetch(dice.pick(doors) + where, {
        method,
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)]),
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return { status: 0, body: undefined };
    }
  }
  /** Whether another try may fare better: nobody answered, or nobody answered the door. */
  const isOpenYet = ({ status }: ClientResponse): boolean => status === 0 || status >= 500;

  return {
    async post(where, body, token, withinMs) {
      const key = randomUUID();
      const until = Date.now() + withinMs;
      for (;;) {
        const got = await once('POST', where, token, body, key);
        if (!isOpenYet(got) || Date.now() >= until || signal.aborted) return isOpenYet(got) ? { ...got, status: 0 } : got;
        await sleep(PAUSE_MS);
      }
    },
    get: (where, token) => once('GET', where, token),
    async *follow(table, token) {
      let last = 0;
      while (!signal.aborted) {
        try {
          const headers = { 'authorization': `Bearer ${token}`, 'last-event-id': `${last}` };
          const response = await fetch(`${dice.pick(doors)}/tables/${table}/events`, { headers, signal });
          if (!response.ok) throw new Error(`${response.status}`);
          const decode = eventDecoder();
          for await (const chunk of response.body!)
            for (const { event, data } of decode(chunk)) {
              if (event === 'seen') {
                last = (JSON.parse(data) as { n: number }).n;
                yield { event, n: last };
              } else if (event === 'asked') yield { event, asked: (JSON.parse(data) as { asked: Question[] }).asked };
              else if (event === 'over') {
                yield { event };
                return;
              }
            }
        } catch {
          // A door that is gone: there is another.
        }
        await sleep(PAUSE_MS);
      }
    },
  };
}

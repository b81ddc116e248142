import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Bearer } from './auth/authenticate.ts';
import { requestId } from './bus-client.ts';
import { Problem } from './problem.ts';

/** One address and what it does: a function from what was asked to what is answered. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As Express reads it: `/tables/:table/acts`. */
  readonly path: string;
  handle(call: Call): Promise<Answer>;
}

/** A request, as far as routes may look at it. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** What the body says; undefined without one. */
  readonly body: unknown;
  readonly bearer: Bearer;
  readonly lastEventId: string | undefined;
  /** Names the command this request leads to: the same for every try of a request that carries a key. */
  readonly id: string;
  /** Adds what may be known of the request to the audit log, if it is an administrator's: never a token, a secret or a seed. */
  note(facts: { readonly [fact: string]: unknown }): void;
  /** Aborted when the asker has gone. */
  readonly signal: AbortSignal;
}

export type Answer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Written bit by bit; `pours` resolves when all is written and must end the response. */
  | { readonly type: string; pours(res: ServerResponse): Promise<void>; /** Nobody wants it after all. */ drop?(): void };

/** @throws Problem unreadable when the key is too easily guessed: who knows it is given the same answer */
export function callId(req: IncomingMessage & { readonly path: string }, bearer: Bearer, body: unknown): string {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return randomUUID();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{16,200}$/.test(key))
    throw new Problem('unreadable', 'Idempotency-Key: 16 to 200 visible characters, best a new UUID for every new request');
  return requestId(bearer.subject, key, req.method ?? '', req.path, JSON.stringify(body ?? null));
}

/** An answer with a body. */
export const answer = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer => ({ status, body, headers });

/** The table in the address. @throws Problem unknown-game */
export function tableIn({ params }: Call): string {
  const { table = '' } = params;
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(table)) throw new Problem('unknown-game', 'a table’s id is 1 to 60 letters, digits, _ and -');
  return table;
}

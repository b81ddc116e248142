import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Bearer } from './auth/authenticate.ts';
import { requestId } from './bus-client.ts';
import { Problem } from './problem.ts';

/** One address: a function from a call to its answer. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** In the syntax of Express: `/tables/:table/acts`. */
  readonly path: string;
  /** For acts of seats: that a person acts by night, and when, would reveal a role. */
  readonly isUntraced?: boolean;
  /** The largest body, in bytes. Absent: as everywhere. */
  readonly maxBodyBytes?: number;
  handle(call: Call): Promise<Answer>;
}

/** What routes see of a request. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body; undefined without one. */
  readonly body: unknown;
  readonly bearer: Bearer;
  readonly lastEventId: string | undefined;
  /** Id of the command that the request leads to; equal for every try of a request with an `Idempotency-Key`. */
  readonly id: string;
  /** Adds facts to the audit log when the request is an administrator's: never a token, a secret or a seed. */
  note(facts: { readonly [fact: string]: unknown }): void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export type Answer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly type: string;
      /** Writes the body and ends the response. */
      stream(res: ServerResponse): Promise<void>;
      /** Called instead of `stream` when there is no body to send. */
      discard(): void;
    };

/** @throws Problem unreadable for an `Idempotency-Key` that is easy to guess: whoever knows it gets the same answer */
export function callId(req: IncomingMessage & { readonly path: string }, bearer: Bearer, body: unknown): string {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return randomUUID();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{16,200}$/.test(key))
    throw new Problem('unreadable', 'Idempotency-Key: 16 to 200 visible characters, best a new UUID for every new request');
  return requestId(bearer.subject, key, req.method ?? '', req.path, JSON.stringify(body ?? null));
}

export const answer = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer => ({ status, body, headers });

/** The table in the path. @throws Problem unknown-game */
export function tableIn({ params }: Call): string {
  const { table = '' } = params;
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(table)) throw new Problem('unknown-game', 'the id of a table is 1 to 60 letters, digits, _ and -');
  return table;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientDisconnected } from '../client-disconnected.ts';
import { HttpProblem } from './http-problem.ts';
import type { Caller } from './api-keys.ts';

/** A request at the door that was let in. */
export interface Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly caller: Caller;
  /** As it came; undefined for methods that have none. */
  readonly body: Buffer | undefined;
  /** Aborted when the asker goes away before the answer is complete. */
  readonly gone: AbortSignal;
  /** Until when the answer is of use, milliseconds since the epoch. */
  readonly deadline: number;
}

/** One address and what it does. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** A `*` at its end stands for anything. */
  readonly path: string;
  /** For those who run the gateway. */
  readonly isAdmin?: boolean;
  /** Whether it waits for a model, and so for as long as its asker does. */
  readonly isAsking?: boolean;
  does(call: Call): Promise<void> | void;
}

/** What a path on the wire means: doubled slashes come of addresses that end in one. */
export const pathOf = ({ url = '/' }: IncomingMessage): string =>
  url
    .split('?')[0]!
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');

/** Answers with JSON, whole. */
export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  sendText(res, status, JSON.stringify(body), 'application/json; charset=utf-8', headers);
}

export function sendText(
  res: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

export function goneOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort(new ClientDisconnected());
  });
  return gone.signal;
}

const DEADLINE = 'x-maw-deadline-ms';

/**
 * Until when a request may take: `X-Maw-Deadline-Ms` says how many milliseconds from now on, which needs no clocks that agree.
 * @throws HttpProblem unreadable
 */
export function deadlineOf(req: IncomingMessage, at: number, maxRequestMs: number): number {
  const given = req.headers[DEADLINE];
  if (given === undefined) return at + maxRequestMs;
  if (typeof given !== 'string' || !/^\d{1,12}$/.test(given) || Number(given) < 1)
    throw new HttpProblem(
      'unreadable',
      'X-Maw-Deadline-Ms: in how many milliseconds from now the answer is of no use any more, a whole number from 1',
    );
  return at + Math.min(Number(given), maxRequestMs);
}

/** The same for the next gateway. */
export const deadlineHeader = (deadline: number, at: number): Record<string, string> => ({
  [DEADLINE]: String(Math.max(1, Math.ceil(deadline - at))),
});

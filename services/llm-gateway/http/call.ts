import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from './api-keys.ts';
import { HttpProblem } from './http-problem.ts';

/** An authenticated HTTP request. */
export interface HttpCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly caller: Caller;
  /** Undefined for methods without one. */
  readonly body: Buffer | undefined;
  /** Aborted when the client disconnects before the response is complete. */
  readonly disconnected: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A trailing `*` matches anything. */
  readonly path: string;
  readonly isAdmin?: boolean;
  /** Whether it needs no key, and is answered by a standby gateway too. */
  readonly isPublic?: boolean;
  /** Whether it waits for a model, so that it may look for a leader as long as a request may wait for a server. */
  readonly waitsForModel?: boolean;
  handle(call: HttpCall): Promise<void> | void;
}

/** The path without query, doubled slashes and a trailing slash: base URLs often end in one. */
export const pathOf = ({ url = '/' }: IncomingMessage): string =>
  url
    .split('?')[0]!
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');

const DEADLINE = 'x-maw-deadline-ms';

/** Reads `X-Maw-Deadline-Ms`, milliseconds from now, which needs no synchronised clocks. @throws HttpProblem unreadable */
export function deadlineOf(req: IncomingMessage, at: number, maxMs: number): number {
  const given = req.headers[DEADLINE];
  if (given === undefined) return at + maxMs;
  if (typeof given !== 'string' || !/^\d{1,12}$/.test(given) || Number(given) < 1)
    throw new HttpProblem('unreadable', 'X-Maw-Deadline-Ms: milliseconds from now until the answer is useless, a whole number from 1');
  return at + Math.min(Number(given), maxMs);
}

/** The same for the next gateway. */
export const deadlineHeader = (deadline: number, at: number): Record<string, string> => ({
  [DEADLINE]: String(Math.max(1, Math.ceil(deadline - at))),
});

import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { compressed, type Coding } from '@maw/http/compression.ts';
import { HttpProblem, PROBLEM_TYPE, problemDocument } from '@maw/http/problem.ts';
import { sendJson, sendText } from '@maw/http/response.ts';
import { SlowReader } from '@maw/http/sse.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { Problem, problemOf } from './problem.ts';
import type { RouteResponse } from './route.ts';

/** On every response: none may be cached, framed or sniffed. Pages replace the content policy, files of the console both. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Sends an answer, unless the client has it already. Returns the status; a stream goes on after that. */
export function sendAnswer(req: Request, res: Response, answer: RouteResponse, log: Log): number {
  if (!('stream' in answer)) {
    sendJson(res, answer.status, answer.body, answer.headers);
    return answer.status;
  }
  res.status(200).set(answer.headers ?? {});
  if (hasAlready(req, answer.headers?.['ETag'])) {
    answer.discard();
    res.status(304).end();
    return 304;
  }
  res.set({ 'Content-Type': answer.type, 'X-Accel-Buffering': 'no' });
  const coding = answer.isCompressible ? codingFor(req) : undefined;
  if (answer.isCompressible) res.set('Vary', 'Accept-Encoding');
  if (coding) res.set('Content-Encoding', coding);
  if (req.method === 'HEAD' || res.destroyed) {
    answer.discard();
    res.end();
    return 200;
  }
  res.flushHeaders();
  answer.stream(coding ? compressed(coding, res) : res).catch((error: unknown) => {
    if (!(res.destroyed || error instanceof SlowReader || error instanceof HttpProblem)) log.error({ err: error }, 'stream failed');
    res.destroy(); // the client sees that it is incomplete
  });
  return 200;
}

/**
 * Whether the client has named this ETag (RFC 9110, 13.1.2; the comparison is weak). `req.fresh` of Express is no help: `fetch` sends
 * `Cache-Control: no-cache` with an `If-None-Match` of its caller, and then nothing is fresh.
 */
function hasAlready({ headers }: Request, etag: string | undefined): boolean {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  const known = headers['if-none-match']?.split(',').map(opaque);
  return etag !== undefined && (known?.some((tag) => tag === '*' || tag === opaque(etag)) ?? false);
}

/** The coding that a client takes; undefined: none. */
const codingFor = (req: Request): Coding | undefined => (['br', 'gzip'] as const).find((coding) => req.acceptsEncodings(coding));

/** Sends the problem that an error stands for; an internal error is logged under the `instance` that the client is told. Returns the status. */
export function sendProblem(res: Response, error: unknown, log: Log): number {
  const known = problemOf(error);
  const instance = known ? undefined : `urn:uuid:${randomUUID()}`;
  if (!known) log.error({ err: error, instance }, 'request failed');
  const problem = known ?? new Problem('failed', 'internal error, logged under this instance; try again');
  metrics.refusals.inc({ service: 'web', reason: problem.reason });
  if (res.headersSent) res.destroy();
  else sendText(res, problem.status, JSON.stringify(problemDocument(problem, instance)), PROBLEM_TYPE, problem.headers);
  return problem.status;
}

import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { HttpProblem, PROBLEM_TYPE, problemDocument } from '@maw/http/problem.ts';
import { sendJson, sendText } from '@maw/http/response.ts';
import { SlowReader } from '@maw/http/sse.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { Problem, problemOf } from './problem.ts';
import type { Answer } from './route.ts';

/** On every response: none may be cached, framed or sniffed. Pages replace the content policy, files of the console both. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Sends an answer. Returns the status; a stream goes on after that. */
export function sendAnswer(req: Request, res: Response, answer: Answer, log: Log): number {
  if (!('stream' in answer)) {
    sendJson(res, answer.status, answer.body, answer.headers);
    return answer.status;
  }
  res.status(200).set({ 'Content-Type': answer.type, 'X-Accel-Buffering': 'no' });
  if (req.method === 'HEAD' || res.destroyed) {
    answer.discard();
    res.end();
    return 200;
  }
  res.flushHeaders();
  answer.stream(res).catch((error: unknown) => {
    if (!(res.destroyed || error instanceof SlowReader || error instanceof HttpProblem)) log.error({ err: error }, 'stream failed');
    res.destroy(); // the client sees that it is incomplete
  });
  return 200;
}

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

import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import { HttpProblem as BodyProblem } from '@maw/http/problem.ts';
import { UnfitAnswer } from '../scheduler/classify-failure.ts';

/** Codes that only the HTTP API has; all others are reasons of refusals. */
const HTTP_CODES = {
  'no-key': 401,
  'bad-key': 401,
  'unknown-route': 404,
  'unknown-model': 404,
  'wrong-method': 405,
  'too-large': 413,
  'not-json': 415,
  /** This gateway is not the leader, or is about to stop being it. */
  'standby': 503,
} as const;

/** The status of every reason that can reach the HTTP API. */
const REASON_STATUS: { readonly [reason in Reason]?: number } = {
  'unreadable': 400,
  'too-long': 400,
  'forbidden': 403,
  'limited': 429,
  'failed': 502,
  'invalid-answer': 502,
  'no-server': 503,
  'late': 504,
};

type HttpCode = keyof typeof HTTP_CODES | Reason;

interface ProblemExtras {
  /** When a retry may succeed. */
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the status of the code. */
  readonly status?: number;
  /** What a model answered instead. */
  readonly content?: string | undefined;
}

/** Characters of a model's answer in a problem. */
const MAX_CONTENT = 8_000;

/** An HTTP request that is refused. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  /** For programs. */
  readonly code: HttpCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | undefined;
  constructor(code: HttpCode, message: string, { retryAfterMs, headers = {}, status, content }: ProblemExtras = {}) {
    super(message);
    this.content = content?.slice(0, MAX_CONTENT);
    this.code = code;
    this.status = status ?? (HTTP_CODES as { readonly [code: string]: number })[code] ?? REASON_STATUS[code as Reason] ?? 500;
    this.headers = { ...headers, ...(retryAfterMs === undefined ? noRetry(code) : retryAfter(retryAfterMs)) };
  }
}

/** Whole seconds, as HTTP has them, never too early; and milliseconds, which clients of the OpenAI protocol read first. */
const retryAfter = (ms: number): Record<string, string> => ({
  'retry-after': String(Math.max(1, Math.ceil(ms / 1000))),
  'retry-after-ms': String(Math.ceil(ms)),
});

/** Tells clients that retry by themselves not to: the gateway has retried already, for as long as there was time. */
const noRetry = (code: HttpCode): Record<string, string> =>
  code === 'late' || code === 'limited' || code === 'invalid-answer' ? { 'x-should-retry': 'false' } : {};

/** What went wrong, as the caller may know it; undefined for a fault of ours. */
export function problemOf(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (error instanceof BodyProblem) return new HttpProblem(error.reason as HttpCode, error.detail);
  if (error instanceof UnfitAnswer) return new HttpProblem(error.reason, error.detail, { content: error.content });
  if (error instanceof Refusal) {
    const { reason, detail, waitMs } = error;
    // A server that asks to come again has not failed: it is busy.
    const busy = reason === 'failed' && waitMs !== undefined ? { status: 503 } : {};
    return new HttpProblem(reason, detail || reason, { retryAfterMs: waitMs, ...busy });
  }
  return undefined;
}

/** What callers are told in place of the name of a model server; only administrators of the gateway see which there are. */
export const A_SERVER = 'a model server';

/** A text without names and addresses of servers. */
export function withoutServers(text: string, servers: readonly string[]): string {
  const alternatives = servers.toSorted((a, b) => b.length - a.length).map((name) => name.replaceAll(/[^\w ]/g, '\\$&'));
  return alternatives.length ? text.replaceAll(new RegExp(`(?<![\\w.-])(?:${alternatives.join('|')})(?![\\w-])`, 'g'), A_SERVER) : text;
}

/** The error classes of the OpenAI protocol. */
const TYPES: { readonly [status: number]: string } = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** An error body of the OpenAI protocol, used at every path. */
export const errorBody = ({ message, code, status, content }: Pick<HttpProblem, 'message' | 'code' | 'status' | 'content'>) => ({
  error: {
    message,
    type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
    param: null,
    code,
    ...(content === undefined ? {} : { content }),
  },
});

import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import { RateLimitedError } from '../admission/rate-limited-error.ts';

/** What only the door itself refuses; everything else is a reason of the games. */
const DOOR_CODES = {
  'no-key': 401,
  'bad-key': 401,
  'unknown-route': 404,
  'unknown-model': 404,
  'wrong-method': 405,
  'too-large': 413,
  'not-json': 415,
  /** This gateway stands by, or is about to: another one schedules. */
  'standby': 503,
} as const;

/** The status of every reason that can come to the door. */
const REASONS: { readonly [reason in Reason]?: number } = {
  'unreadable': 400,
  'too-long': 400,
  'forbidden': 403,
  'limited': 429,
  'failed': 502,
  'invalid-answer': 502,
  'no-server': 503,
  'late': 504,
};

type DoorCode = keyof typeof DOOR_CODES | Reason;

interface More {
  /** When it may be asked again, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it is not the usual one of the code. */
  readonly status?: number;
}

/** A request at the HTTP door that is not answered with what it asked for. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  /** A word for programs. */
  readonly code: DoorCode;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: DoorCode, message: string, { retryAfterMs, headers = {}, status }: More = {}) {
    super(message);
    this.code = code;
    this.status = status ?? (DOOR_CODES as { readonly [code: string]: number })[code] ?? REASONS[code as Reason] ?? 500;
    this.headers = { ...headers, ...(retryAfterMs === undefined ? hopeless(code) : retryAfter(retryAfterMs)) };
  }
}

/** Whole seconds, as HTTP has them, never too early; and the milliseconds, which clients of the OpenAI protocol look at first. */
const retryAfter = (ms: number): Record<string, string> => ({
  'retry-after': String(Math.max(1, Math.ceil(ms / 1000))),
  'retry-after-ms': String(Math.ceil(ms)),
});

/** Clients that try again by themselves are told where that would only add to the load: it was tried for as long as there was time, or twice. */
const hopeless = (code: DoorCode): Record<string, string> =>
  code === 'late' || code === 'limited' || code === 'invalid-answer' ? { 'x-should-retry': 'false' } : {};

/** What went wrong, as the asker may know it; undefined when it is a fault of ours. */
export function problemOf(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (error instanceof RateLimitedError) return new HttpProblem('limited', error.detail, { retryAfterMs: error.waitMs });
  if (error instanceof Refusal) return new HttpProblem(error.reason, error.detail || error.reason);
  return undefined;
}

/** The class of error that clients of the OpenAI protocol look for. */
const TYPES: { readonly [status: number]: string } = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** An error as clients of the OpenAI protocol read it; the same at every address. */
export const errorBody = ({ message, code, status }: HttpProblem) => ({
  error: { message, type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'), param: null, code },
});

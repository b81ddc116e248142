import { RequestTimeout } from '@maw/bus/bus.ts';
import { type Reason, Refusal } from '@maw/contracts/refusal.ts';

/** What only the door itself refuses; everything else is a reason of the games. */
export const WEB_REASONS = [
  'no-token',
  'bad-token',
  'unknown-route',
  'wrong-method',
  'too-large',
  'not-json',
  'unknown-token',
  'unavailable',
] as const;
export type WebReason = (typeof WEB_REASONS)[number];
export type Code = Reason | WebReason;

interface Kind {
  readonly status: number;
  readonly title: string;
}

/** Every reason, with the status it is answered with and what it means, the same in every answer. */
export const kinds = {
  'no-token': { status: 401, title: 'A token is needed' },
  'bad-token': { status: 401, title: 'The token is not accepted' },
  'unknown-route': { status: 404, title: 'There is nothing at this address' },
  'wrong-method': { status: 405, title: 'The address does not take this method' },
  'too-large': { status: 413, title: 'The body is too large' },
  'not-json': { status: 415, title: 'The body is not JSON' },
  'unknown-token': { status: 404, title: 'There is no such token' },
  'unavailable': { status: 503, title: 'That cannot be done just now' },
  'unreadable': { status: 400, title: 'The request cannot be understood' },
  'forbidden': { status: 403, title: 'That is not yours to do' },
  'not-asked': { status: 403, title: 'The question does not ask this seat' },
  'not-a-member': { status: 403, title: 'The seat is not in the room' },
  'unknown-game': { status: 404, title: 'There is no such table' },
  'unknown-rules': { status: 404, title: 'There are no such rules' },
  'not-your-turn': { status: 409, title: 'It is another seat’s turn' },
  'already-answered': { status: 409, title: 'The seat has answered already' },
  'phase-over': { status: 409, title: 'The question is not open' },
  'dead': { status: 409, title: 'The dead may watch, not act' },
  'room-closed': { status: 409, title: 'The room is closed' },
  'name-taken': { status: 409, title: 'The name is taken' },
  'table-full': { status: 409, title: 'No seat is free' },
  'already-begun': { status: 409, title: 'The game has begun' },
  'already-seated': { status: 409, title: 'The seat is taken already' },
  'not-joined': { status: 409, title: 'Nobody has joined at the seat' },
  'not-an-option': { status: 422, title: 'That is not one of the options' },
  'wrong-number-of-choices': { status: 422, title: 'The number of choices is wrong' },
  'nothing-said': { status: 422, title: 'The text is empty' },
  'too-long': { status: 422, title: 'The text is too long' },
  'unprintable': { status: 422, title: 'The text holds what cannot be shown' },
  'bad-option': { status: 422, title: 'An option of the rules is wrong' },
  'bad-name': { status: 422, title: 'The name cannot be used' },
  'too-fast': { status: 429, title: 'Too fast' },
  'limited': { status: 429, title: 'Too much at once' },
  'failed': { status: 500, title: 'Something went wrong here' },
  'no-server': { status: 503, title: 'No model server can be used' },
  'invalid-answer': { status: 502, title: 'The model answered with nonsense' },
  'late': { status: 504, title: 'No answer came in time' },
} as const satisfies { readonly [C in Code]: Kind };

/** One thing that is wrong with a body or a query. */
export interface Mistake {
  /** Where: `seats.2.kind`. */
  readonly field: string;
  readonly says: string;
}

interface More {
  readonly errors?: readonly Mistake[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is not answered with what it asked for. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly reason: Code;
  /** What, where, and what to do instead; for people. */
  readonly detail: string;
  readonly errors: readonly Mistake[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(reason: Code, detail: string, more: More = {}) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
    this.detail = detail;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

/** A problem document (RFC 9457). */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly reason: Code;
  readonly errors?: readonly Mistake[];
  readonly instance?: string;
}

/** @param instance what this one occurrence is called in the log, a URI */
export function documentOf({ reason, detail, errors }: Problem, instance?: string): ProblemDocument {
  const { status, title } = kinds[reason];
  return {
    type: `urn:maw:reason:${reason}`,
    title,
    status,
    detail: detail || `${title}.`,
    reason,
    ...(errors ? { errors } : {}),
    ...(instance === undefined ? {} : { instance }),
  };
}

/** What went wrong, as the asker may know it; undefined when that is nothing to be told: a fault of ours. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof Refusal) return new Problem(error.reason, error.detail, againIn(error.waitMs));
  if (error instanceof RequestTimeout)
    return new Problem('late', 'try again with the same Idempotency-Key', { headers: { 'Retry-After': '1' } });
  if (error instanceof URIError) return new Problem('unreadable', 'the address is not well percent-encoded');
  return error instanceof Error ? fromParser(error) : undefined;
}

/** When it may be tried again with a prospect, for `Retry-After` (RFC 9110, 10.2.3): whole seconds, not too early. */
export const againIn = (waitMs: number | undefined): Pick<More, 'headers'> =>
  waitMs === undefined ? {} : { headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) } };

/** What Express and its parser of bodies throw: made by http-errors, told apart by `type` and `status`. */
function fromParser(error: Error & { readonly type?: unknown; readonly status?: unknown }): Problem | undefined {
  switch (error.type) {
    case 'entity.too.large':
      return new Problem('too-large', 'a body has at most 64 KiB', { headers: { Connection: 'close' } });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Problem('not-json', 'send JSON in UTF-8, not compressed');
    case 'entity.parse.failed':
    case 'request.aborted':
    case 'request.size.invalid':
      return new Problem('unreadable', 'the body is not JSON that can be read');
    default:
      return error.status === 400 ? new Problem('unreadable', 'the request cannot be read') : undefined;
  }
}

/** Whether a code that came from another service is one of ours. */
export const isCode = (code: string): code is Code => Object.hasOwn(kinds, code);

import { RequestTimeout } from '@maw/bus/bus.ts';
import type { Code } from '@maw/contracts/http/reasons.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { Refusal as RuleRefusal } from '@maw/games/kernel/refusal.ts';
import { BODY_PROBLEMS } from '@maw/http/json-body.ts';
import { HttpProblem, type ProblemExtras, retryAfter } from '@maw/http/problem.ts';

/** Status and title of every reason. */
export const kinds = {
  ...BODY_PROBLEMS,
  'no-token': { status: 401, title: 'A token is needed' },
  'bad-token': { status: 401, title: 'The token is not accepted' },
  'unknown-route': { status: 404, title: 'There is nothing at this address' },
  'wrong-method': { status: 405, title: 'The address does not take this method' },
  'unknown-token': { status: 404, title: 'There is no such token' },
  'report-too-large': { status: 422, title: 'The report is too large to be made here' },
  'unavailable': { status: 503, title: 'That cannot be done just now' },
  'forbidden': { status: 403, title: 'That is not yours to do' },
  'not-asked': { status: 403, title: 'The question does not ask this seat' },
  'not-a-member': { status: 403, title: 'The seat is not in the room' },
  'unknown-game': { status: 404, title: 'There is no such table' },
  'unknown-contest': { status: 404, title: 'There is no such contest' },
  'unknown-rules': { status: 404, title: 'There are no such rules' },
  'not-your-turn': { status: 409, title: 'It is another seat’s turn' },
  'already-answered': { status: 409, title: 'The seat has answered already' },
  'phase-over': { status: 409, title: 'The question is not open' },
  'paused': { status: 409, title: 'The table is paused' },
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
  'bad-contest': { status: 422, title: 'The contest is wrong' },
  'bad-option': { status: 422, title: 'An option of the rules is wrong' },
  'bad-name': { status: 422, title: 'The name cannot be used' },
  'too-fast': { status: 429, title: 'Too fast' },
  'limited': { status: 429, title: 'Too much at once' },
  'failed': { status: 500, title: 'Something went wrong here' },
  'no-server': { status: 503, title: 'No model server can be used' },
  'invalid-answer': { status: 502, title: 'The model answered with nonsense' },
  'late': { status: 504, title: 'No answer came in time' },
} as const satisfies { readonly [C in Code]: { readonly status: number; readonly title: string } };

/** A request that is refused, with one of the reasons above. */
export class Problem extends HttpProblem<Code> {
  override readonly name = 'Problem';
  constructor(reason: Code, detail: string, extras?: ProblemExtras) {
    super({ reason, ...kinds[reason] }, detail, extras);
  }
}

/** What the client may know of an error; undefined for an internal error. */
export function problemOf(error: unknown): HttpProblem<Code> | undefined {
  if (error instanceof HttpProblem) return error as HttpProblem<Code>;
  if (error instanceof RuleRefusal) return new Problem(error.reason, error.detail);
  if (error instanceof Refusal) return refusedByService(error.reason, error.detail, error.waitMs);
  if (error instanceof RequestTimeout) return new Problem('late', 'retry with the same Idempotency-Key', { headers: retryAfter(1_000) });
  if (error instanceof URIError) return new Problem('unreadable', 'the path is not valid percent-encoding');
  const isOfExpress = error instanceof Error && 'status' in error && error.status === 400;
  return isOfExpress ? new Problem('unreadable', 'the request cannot be parsed') : undefined;
}

/** The refusal of another service. @param waitMs when a retry may succeed; undefined: unknown */
export const refusedByService = (reason: Code, detail: string, waitMs: number | undefined): Problem =>
  new Problem(reason, detail, waitMs === undefined ? {} : { headers: retryAfter(waitMs) });

/** Whether a code of another service is one of the reasons above. */
export const isCode = (code: string): code is Code => Object.hasOwn(kinds, code);

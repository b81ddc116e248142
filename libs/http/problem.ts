import type { z } from 'zod';

/** A class of problems: the code for programs, and what every problem with it has in common. */
export interface ProblemKind<R extends string = string> {
  readonly reason: R;
  readonly status: number;
  readonly title: string;
}

/** One mistake in a body or a query. */
interface FieldError {
  /** Path of the field: `seats.2.kind`. */
  readonly field: string;
  readonly says: string;
}

export interface ProblemExtras {
  readonly errors?: readonly FieldError[] | undefined;
  /** What would be legal instead: a member of the document. */
  readonly legal?: object | undefined;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request that is refused. Services derive a class of their own with their own reasons. */
export class HttpProblem<R extends string = string> extends Error {
  override readonly name: string = 'HttpProblem';
  readonly reason: R;
  readonly status: number;
  readonly title: string;
  /** For people: what is wrong, and what to do instead. */
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly legal: object | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor({ reason, status, title }: ProblemKind<R>, detail: string, { errors, legal, headers = {} }: ProblemExtras = {}) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.legal = legal;
    this.headers = headers;
  }
}

/** A problem document (RFC 9457). */
interface ProblemDocument<R extends string = string> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly reason: R;
  readonly errors?: readonly FieldError[];
  readonly legal?: object;
  readonly instance?: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** @param instance a URI that finds this one occurrence in the log */
export function problemDocument<R extends string>(problem: HttpProblem<R>, instance?: string): ProblemDocument<R> {
  const { reason, status, title, detail, errors, legal } = problem;
  return {
    type: `urn:maw:reason:${reason}`,
    title,
    status,
    detail: detail || `${title}.`,
    reason,
    ...(errors ? { errors } : {}),
    ...(legal ? { legal } : {}),
    ...(instance === undefined ? {} : { instance }),
  };
}

/** `Retry-After` in whole seconds (RFC 9110, 10.2.3), at least 1, never too early. */
export const retryAfter = (waitMs: number): { readonly 'Retry-After': string } => ({
  'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))),
});

/** The mistakes that a zod schema found; unknown fields are named one by one. */
export const fieldErrors = ({ issues }: z.ZodError): readonly FieldError[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ field: [...issue.path, key].join('.').slice(0, 100), says: 'unknown field' }))
      : [{ field: issue.path.join('.') || 'body', says: issue.message }],
  );

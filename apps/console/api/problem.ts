/** A refusal or failure of the HTTP API. Status 0: no answer came. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly reason: string;
  /** What, where, and what to do instead, for people. */
  readonly detail: string;
  readonly retryAfterMs: number | undefined;
  constructor(status: number, reason: string, detail = '', retryAfterMs?: number) {
    super(detail ? `${reason}: ${detail}` : reason);
    this.status = status;
    this.reason = reason;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

interface ProblemDocument {
  readonly reason?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly says: string }[];
}

/** Reads the problem document (RFC 9457) of a response that is no success. */
export async function problemFrom(response: Response): Promise<ApiProblem> {
  const { reason, detail, errors } = (await response.json().catch(() => ({}))) as ProblemDocument;
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return new ApiProblem(
    response.status,
    reason ?? `http-${response.status}`,
    errors?.map(({ field, says }) => `${field}: ${says}`).join('; ') ?? detail ?? '',
    Number.isFinite(seconds) ? seconds * 1000 : undefined,
  );
}

/** No answer came, or not the whole of it. */
export const unanswered = (error: unknown): ApiProblem => new ApiProblem(0, 'no-door', String(error));

/** Anything that was thrown, as a problem: a refusal of the rules keeps its reason, and anything else is a mistake of the page, which stays one. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof Error && 'reason' in error) return new ApiProblem(400, String(error.reason), error.message);
  return new ApiProblem(400, 'page-failed', String(error));
}

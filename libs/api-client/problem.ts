/** What a refusal says. */
export type ProblemFields = Pick<ApiProblem, 'status' | 'reason' | 'detail'>;

/** A request that was refused, has failed, or reached nobody (status 0). `reason` is a code of the HTTP API. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly reason: string;
  /** What happened, where, and what to do; for people. */
  readonly detail: string;
  /** How long the server asks to wait before the next attempt, in milliseconds. */
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

/** A request as problems name it. */
export interface RequestName {
  /** The address of the server. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** What a person can do about a problem, by its reason; `http`: about an answer that is not one of ours. */
  readonly hints?: { readonly [reason: string]: string } | undefined;
}

/** A problem document (RFC 9457) of ours, or a refusal as the admin API of a gateway writes it. */
interface Refusal {
  readonly reason?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly says: string }[];
  readonly error?: { readonly code?: string; readonly message?: string };
}

/** Reads the refusal in a response that is no success. */
export async function problemFrom(response: Response, name: RequestName): Promise<ApiProblem> {
  const refusal = ((await response.json().catch(() => undefined)) ?? {}) as Refusal;
  const { status } = response;
  const reason = refusal.reason ?? refusal.error?.code;
  if (typeof reason !== 'string') return strangeAnswer(status, name);
  const fields = refusal.errors?.map(({ field, says }) => `${field}: ${says}`).join('; ');
  const says = fields ?? refusal.detail ?? refusal.error?.message ?? refusal.title ?? '';
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return new ApiProblem(status, reason, withHint(says, name, reason), Number.isFinite(seconds) ? seconds * 1000 : undefined);
}

/** No answer came, or not the whole of it. */
export function unanswered(error: unknown, name: Pick<RequestName, 'at' | 'hints'>): ApiProblem {
  const { cause, message } = error as Error & { readonly cause?: { readonly code?: string; readonly message?: string } };
  const why = cause?.code ?? cause?.message ?? message;
  return new ApiProblem(0, 'no-door', withHint(`nothing answers at ${name.at} (${why})`, name, 'no-door'));
}

/** The answer of something else: a proxy, or another program at the address. */
export function strangeAnswer(status: number, name: RequestName): ApiProblem {
  const says = `${name.at} answers ${name.method} ${name.path} with ${status}, and not as a service of MAW does`;
  return new ApiProblem(status, `http-${status}`, withHint(says, name, 'http'));
}

function withHint(says: string, { hints = {} }: Pick<RequestName, 'hints'>, reason: string): string {
  const hint = hints[reason];
  return hint === undefined ? says : `${says}; ${hint}`;
}

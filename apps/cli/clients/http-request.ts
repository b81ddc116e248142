/** A request that was refused, or reached nobody (status 0). `reason` is a code of the HTTP API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
  constructor(status: number, reason: string, detail: string) {
    super(detail ? `${reason}: ${detail}` : reason);
    this.status = status;
    this.reason = reason;
    this.detail = detail;
  }
}

/** A server to send requests to. */
export interface Endpoint {
  /** Its address, without a slash at the end. */
  readonly base: string;
  /** The bearer token; none when undefined. */
  readonly token: string | undefined;
  /** The reason code of the error when nothing answers. */
  readonly unreachable: string;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A server may close an idle connection just when the next request is sent on it. */
const CLOSED_CONNECTION = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);

/**
 * Sends a request and returns the response, whatever its status. A GET whose connection was closed is sent once more.
 * @throws ApiError when nothing answers; the reason of the abort
 */
export async function sendRequest(endpoint: Endpoint, method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  if (!/^https?:\/\/[^/]/.test(endpoint.base) || !URL.canParse(endpoint.base))
    throw new ApiError(0, endpoint.unreachable, `${endpoint.base} is no address: write http://host:port`);
  try {
    try {
      return await sendOnce(endpoint, method, path, options);
    } catch (error) {
      if (method !== 'GET' || options.signal?.aborted || !CLOSED_CONNECTION.has(codeOf(error))) throw error;
      return await sendOnce(endpoint, method, path, options);
    }
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const hint = 'start one with ./maw up, or name another with --at URL';
    throw new ApiError(0, endpoint.unreachable, `nothing answers at ${endpoint.base} (${codeOf(error)}); ${hint}`);
  }
}

const sendOnce = (endpoint: Endpoint, method: string, path: string, { headers, body, signal }: RequestOptions): Promise<Response> =>
  fetch(endpoint.base + path, {
    method,
    headers: {
      ...headers,
      ...(endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });

function codeOf(error: unknown): string {
  const { cause, message } = error as Error & { readonly cause?: { readonly code?: string; readonly message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

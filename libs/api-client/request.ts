import { ApiProblem, problemFrom, strangeAnswer, unanswered } from './problem.ts';
import { type Patience, withRetries } from './retry.ts';

/** A server to send requests to. */
export interface Endpoint {
  /** Its address, without a slash at the end. */
  readonly at: string;
  /** The bearer token; none when undefined. */
  readonly token: string | undefined;
  /** What a person can do about a problem, by its reason; `http`: about an answer that is not one of ours. */
  readonly hints?: { readonly [reason: string]: string };
  /** A JSON or text answer that takes so long is given up: the connection may be dead. In milliseconds; Infinity: none is. Default: 30 s. */
  readonly answerMs?: number;
}

export interface RequestOptions extends Patience {
  /** The media type of the answer. */
  readonly accept?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The `Idempotency-Key`: what is sent twice with the same key is carried out once. */
  readonly key?: string | undefined;
}

type Read<T> = (response: Response) => Promise<T>;

/**
 * Sends a request and reads its answer. Only what is safe to repeat is: a GET, and what carries a key.
 * @param read reads the body
 * @throws ApiProblem; the reason of the signal once that is aborted
 */
export function request<T>(endpoint: Endpoint, method: string, path: string, read: Read<T>, options: RequestOptions): Promise<T> {
  const isRepeatable = method === 'GET' || options.key !== undefined;
  return withRetries(() => sendOnce(endpoint, method, path, read, options), isRepeatable ? options : { signal: options.signal });
}

async function sendOnce<T>(endpoint: Endpoint, method: string, path: string, read: Read<T>, options: RequestOptions): Promise<T> {
  const { token, at } = endpoint;
  const name = { ...endpoint, method, path };
  const { accept = 'application/json', body, key } = options;
  if (at && !(/^https?:\/\/[^/]/.test(at) && URL.canParse(at)))
    throw new ApiProblem(400, 'no-door', `${at} is no address: write http://host:port`);
  const headers = {
    Accept: accept,
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
  };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const signal = limitOf(endpoint, method, read, options);
  const response = await fetch(at + path, { ...init, ...(signal && { signal }), cache: 'no-store', credentials: 'omit' }).catch(
    (error: unknown) => {
      throw unanswered(error, name);
    },
  );
  if (!response.ok) throw await problemFrom(response, name);
  return read(response).catch((error: unknown) => {
    throw error instanceof SyntaxError ? strangeAnswer(response.status, name) : unanswered(error, name);
  });
}

/** A stream lasts as long as its reader wants; an act that is on its way is not broken off: it counts although nobody waits. */
function limitOf({ answerMs = 30_000 }: Endpoint, method: string, read: unknown, { signal }: RequestOptions): AbortSignal | undefined {
  if (read === asItComes || answerMs === Infinity) return read === asItComes || method === 'GET' ? signal : undefined;
  const limit = AbortSignal.timeout(answerMs);
  return signal && method === 'GET' ? AbortSignal.any([signal, limit]) : limit;
}

/** Leaves the body to the caller. */
export const asItComes = async (response: Response): Promise<Response> => response;
export const asText = (response: Response): Promise<string> => response.text();
/** @throws SyntaxError for a body that is no JSON */
export const asJson = async <T>(response: Response): Promise<T> => JSON.parse(await response.text()) as T;

import { problemFrom, problemOf, unanswered } from './problem.ts';
import { retryPause } from './retry.ts';

type Query = { readonly [name: string]: string | number | boolean | undefined };

export interface Client {
  readonly token: string | undefined;
  /** @throws ApiProblem */
  get<T>(path: string, query?: Query): Promise<T>;
  /**
   * Carried out once, however often it is sent: a request without an answer is sent again with the same key.
   * @param key a new one, unless the caller sends an earlier request again
   * @throws ApiProblem
   */
  post<T>(path: string, body?: object, key?: string): Promise<T>;
  /** @throws ApiProblem */
  delete<T>(path: string): Promise<T>;
  /** Opens a stream. @throws ApiProblem */
  stream(path: string, query: Query, signal: AbortSignal): Promise<Response>;
}

/** A request without an answer for so long is given up: its connection may be dead. */
const ANSWER_MS = 30_000;
/** How long the pauses between the attempts of one POST are at most, together: then whoever has clicked learns that it failed. */
const LONGEST_WAIT_MS = 10_000;

interface Wire {
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
}

/** A client of the HTTP API that served the page. */
export function createClient(token: string | undefined, send: typeof fetch = (...given) => fetch(...given)): Client {
  const wire: Wire = { token, fetch: send };
  return {
    token,
    get: async (path, query) => readJson(await request(wire, 'GET', withQuery(path, query))),
    post: (path, body = {}, key = randomKey()) => postOnce(wire, path, body, key),
    delete: async (path) => readJson(await request(wire, 'DELETE', path)),
    stream: (path, query, signal) => request(wire, 'GET', withQuery(path, query), { signal }),
  };
}

/** @throws ApiProblem when the connection breaks within the answer */
const readJson = async <T>(response: Response): Promise<T> =>
  (await response.json().catch((error: unknown) => {
    throw unanswered(error);
  })) as T;

/** Repeats a POST without an answer, not sooner than the server asks for; its key makes sure that it is carried out once. */
async function postOnce<T>(wire: Wire, path: string, body: object, key: string): Promise<T> {
  const init = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key } };
  let waitMs = 0;
  for (let failures = 1; ; failures++) {
    try {
      return await readJson<T>(await request(wire, 'POST', path, init));
    } catch (error) {
      const problem = problemOf(error);
      const pauseMs = retryPause(failures, problem);
      waitMs += pauseMs;
      if (waitMs > LONGEST_WAIT_MS || (problem.status !== 0 && problem.status < 502)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function request({ token, fetch: send }: Wire, method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Accept: 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...init.headers };
  let response: Response;
  try {
    const signal = init.signal ?? AbortSignal.timeout(ANSWER_MS);
    response = await send(path, { ...init, signal, method, headers, cache: 'no-store', credentials: 'omit' });
  } catch (error) {
    throw unanswered(error);
  }
  if (!response.ok) throw await problemFrom(response);
  return response;
}

/** 128 random bits. `crypto.randomUUID` needs HTTPS, which a table in the local network has not. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export function withQuery(path: string, query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') given.set(name, String(value));
  return given.size ? `${path}?${given.toString()}` : path;
}

export const tablePath = (table: string, rest = ''): string => `/tables/${encodeURIComponent(table)}${rest}`;

import type { AnswerOf, BodyOf, GivenTo, RouteName } from '@maw/contracts/http/routes.ts';
import { asItComes, asJson, type Endpoint, request } from './request.ts';
import type { Patience } from './retry.ts';

/** The paths of a method, as the routes declare them: `/tables/:table`. */
export type PathOf<M extends string> = { [N in RouteName]: N extends `${M} ${infer P}` ? P : never }[RouteName];

type Route<M extends string, P extends string> = Extract<`${M} ${P}`, RouteName>;
export type ResponseBody<M extends string, P extends string> = AnswerOf<Route<M, P>>;

export interface PostOptions extends Patience {
  /** A new one, unless the caller sends an earlier request again. */
  readonly key?: string | undefined;
}

/** A client of the HTTP API. Every method throws ApiProblem, and the reason of the signal once that is aborted. */
export interface ApiClient {
  /** The address of the server; empty in a page, which asks where it came from. */
  readonly at: string;
  readonly token: string | undefined;
  /** @param given the parts of the path and the query; what is undefined or empty is left out */
  get<P extends PathOf<'GET'>>(path: P, given: GivenTo<Route<'GET', P>>, patience?: Patience): Promise<ResponseBody<'GET', P>>;
  /** Carried out once, however often it is sent. */
  post<P extends PathOf<'POST'>>(
    path: P,
    given: GivenTo<Route<'POST', P>>,
    body: BodyOf<Route<'POST', P>>,
    options?: PostOptions,
  ): Promise<ResponseBody<'POST', P>>;
  delete<P extends PathOf<'DELETE'>>(path: P, given: GivenTo<Route<'DELETE', P>>): Promise<ResponseBody<'DELETE', P>>;
  /** Opens a stream, or an answer that is not JSON. The caller reads the body. */
  open<P extends PathOf<'GET'>>(path: P, given: GivenTo<Route<'GET', P>>, patience: Patience): Promise<Response>;
}

export interface ClientOptions extends Endpoint {
  /** How long the pauses between the attempts of a request may be together, unless a call says otherwise. In milliseconds. */
  readonly retryMs: number;
}

/** The answer is as its route declares it: that is all that is known of its type here. */
const declared = asJson<never>;

/** Creates a client. Requests whose failure may pass are sent again, and nothing else sends them again. */
export function createClient({ retryMs, ...endpoint }: ClientOptions): ApiClient {
  const patient = (patience?: Patience) => ({ forMs: retryMs, ...patience });
  return {
    at: endpoint.at,
    token: endpoint.token,
    get: (path, given, patience) => request(endpoint, 'GET', addressOf(path, given), declared, patient(patience)),
    post: (path, given, body, options) =>
      request(endpoint, 'POST', addressOf(path, given, false), declared, { ...patient(options), body, key: options?.key ?? randomKey() }),
    delete: (path, given) => request(endpoint, 'DELETE', addressOf(path, given), declared, { ...patient(), key: randomKey() }),
    open: (path, given, patience) => request(endpoint, 'GET', addressOf(path, given), asItComes, { accept: '*/*', ...patient(patience) }),
  };
}

/** 128 random bits. `crypto.randomUUID` needs HTTPS, which a table in the local network has not. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

type Given = { readonly [name: string]: string | number | boolean | undefined };

/** Fills the parts of a path; the rest becomes the query. */
function addressOf(path: string, given: object, hasQuery = true): string {
  const left = new Map(Object.entries(given as Given));
  const filled = path.replaceAll(/[:*](\w+)/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  if (hasQuery) for (const [name, value] of left) if (value !== undefined && value !== '') query.set(name, String(value));
  return query.size ? `${filled}?${query.toString()}` : filled;
}

import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { z } from 'zod';
import { requestId } from '@maw/bus/request-id.ts';
import type { Parsed, PathParameters, RouteDeclaration } from '@maw/contracts/http/route.ts';
import type { RouteName, Routes } from '@maw/contracts/http/routes.ts';
import type { Bearer } from './auth/roles.ts';
import { type Permission, permissions } from './auth/permissions.ts';
import { parseInput } from './parse-input.ts';
import { Problem } from './problem.ts';

/** One address as it is served and documented. `route` makes one of a declaration. */
export interface Route extends Omit<RouteDeclaration, 'permits' | 'body'> {
  readonly method: string;
  /** In the syntax of Express: `/tables/:table/acts`. */
  readonly path: string;
  readonly permits: Permission;
  /** undefined: the method has no body. */
  readonly body: z.ZodType | undefined;
  /** @throws Problem when the request does not fit the schemas, and what the handler throws */
  handle(request: RawCall): Promise<RouteResponse>;
}

interface CallFacts {
  readonly bearer: Bearer;
  /** The network that the request comes from. */
  readonly client: string;
  readonly lastEventId: string | undefined;
  /** Id of the command that the request leads to; equal for every try of a request with an `Idempotency-Key`. */
  readonly id: string;
  /** Adds facts to the audit log when the request is an administrator's: never a token, a secret or a seed. */
  note(facts: { readonly [fact: string]: unknown }): void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A request before it is parsed. */
export interface RawCall extends CallFacts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON; undefined without a body. */
  readonly body: unknown;
}

/** What the handler of a route sees of a request: parsed by the schemas of its declaration. */
export type Call<N extends RouteName = RouteName> = CallFacts & Parsed<Routes[N]>;

/** The handlers of some routes. */
export type Handlers<N extends RouteName> = { readonly [K in N]: (call: Call<K>) => Promise<RouteResponse> };

export type RouteResponse =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly type: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Whether it is compressed for a client that takes that. */
      readonly isCompressible?: boolean;
      /** Writes the body and ends it. */
      stream(out: Writable): Promise<void>;
      /** Called instead of `stream` when there is no body to send. */
      discard(): void;
    };

/** Serves what is declared at an address, `GET /tables`. Its permission is checked before query and body are parsed. */
export function route<D extends RouteDeclaration>(
  name: string,
  { permits: permission, body: given, ...declaration }: D,
  handle: (call: CallFacts & Parsed<D>) => Promise<RouteResponse>,
): Route {
  const [method, path] = name.split(' ') as [string, string];
  const { params, query } = declaration;
  const permits = permissions[permission];
  const body = method === 'POST' ? given : undefined;
  return {
    ...declaration,
    method,
    path,
    permits,
    body,
    async handle(request) {
      const parsed = { ...request, params: parseParams(params, request.params), query: {}, body: {} };
      permits.check(request.bearer, parsed.params);
      parsed.query = parseInput(query, request.query, 'query') as object;
      if (body) parsed.body = parseInput(body, request.body, 'body') as object;
      return handle(parsed as never);
    },
  };
}

/** @throws Problem of the first part that does not fit */
function parseParams(declared: PathParameters, given: RawCall['params']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, { schema, reason, says }]) => {
      const result = schema.safeParse(given[name]);
      if (!result.success) throw new Problem(reason, says);
      return [name, result.data];
    }),
  );
}

/** @throws Problem unreadable for an `Idempotency-Key` that is easy to guess: whoever knows it gets the same answer */
export function callId(req: IncomingMessage & { readonly path: string }, bearer: Bearer, body: unknown): string {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return randomUUID();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{16,200}$/.test(key))
    throw new Problem('unreadable', 'Idempotency-Key: 16 to 200 visible characters, best a new UUID for every new request');
  return requestId(bearer.subject, key, req.method ?? '', req.path, JSON.stringify(body ?? null));
}

export const answer = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): RouteResponse => ({
  status,
  body,
  headers,
});

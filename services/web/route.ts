import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { z } from 'zod';
import { tableId } from '@maw/contracts/messages/schemas.ts';
import type { Bearer } from './auth/authenticate.ts';
import type { Permission } from './auth/permissions.ts';
import { requestId } from '@maw/bus/request-id.ts';
import { parseInput } from './parse-input.ts';
import { type Code, Problem } from './problem.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** One address as it is served and documented. `route` makes one of a declaration. */
export interface Route extends RouteFacts {
  readonly params: PathParameters;
  readonly query: z.ZodType;
  /** undefined: the method has no body. */
  readonly body: z.ZodType | undefined;
  /** @throws Problem when the request does not fit the schemas, and what the handler throws */
  handle(request: RawCall): Promise<Answer>;
}

interface RouteFacts {
  readonly method: Method;
  /** In the syntax of Express: `/tables/:table/acts`. */
  readonly path: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly permits: Permission;
  /** The answers that are no problems. */
  readonly responses: readonly ResponseDeclaration[];
  /** The reasons for which it may be refused, besides those of every request. */
  readonly refusals?: readonly Code[];
  /** For acts of seats: that a person acts by night, and when, would reveal a role. */
  readonly isUntraced?: boolean;
  /** The largest body, in bytes. Absent: as everywhere. */
  readonly maxBodyBytes?: number;
}

/** A successful response: JSON of this schema, or text of this media type. */
export type ResponseDeclaration = { readonly status: number; readonly description: string } & (
  { readonly schema: z.ZodType } | { readonly type: string }
);

/** A part of the path, and the refusal of one that does not fit its schema. */
export interface PathParameter<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly description: string;
  readonly reason: Code;
  readonly says: string;
}

export type PathParameters = Readonly<Record<string, PathParameter>>;

/** The schemas of what a request gives. */
interface InputSchemas {
  readonly params?: PathParameters;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
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

type NoInput = Readonly<Record<string, never>>;
type Parsed<S> = S extends z.ZodType ? z.output<S> : NoInput;
type ParsedParams<P> = P extends PathParameters ? { readonly [K in keyof P]: z.output<P[K]['schema']> } : NoInput;

/** What handlers see of a request: parsed by the schemas of its route. */
export interface Call<I extends InputSchemas = object> extends CallFacts {
  readonly params: ParsedParams<I['params']>;
  readonly query: Parsed<I['query']>;
  readonly body: Parsed<I['body']>;
}

export type Answer =
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

/** A route with the input schemas of its handler. */
interface Declaration<P extends PathParameters, Q extends z.ZodType, B extends z.ZodType> extends RouteFacts {
  readonly params?: P;
  /** Absent: no parameters. */
  readonly query?: Q;
  /** Absent: no body, or an empty object. */
  readonly body?: B;
  handle(call: Call<{ readonly params: P; readonly query: Q; readonly body: B }>): Promise<Answer>;
}

const nothing = z.strictObject({});
const noBody = nothing.default({});

/** Declares a route. Its permission is checked before query and body are parsed. */
export function route<P extends PathParameters = NoInput, Q extends z.ZodType = typeof nothing, B extends z.ZodType = typeof nothing>(
  declaration: Declaration<P, Q, B>,
): Route {
  const { params = {} as P, query = nothing, body: given = noBody, handle, ...facts } = declaration;
  const body = facts.method === 'POST' ? given : undefined;
  return {
    ...facts,
    params,
    query,
    body,
    async handle(request) {
      const parsed = { ...request, params: parseParams(params, request.params), query: {}, body: {} };
      facts.permits.check(request.bearer, parsed.params);
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

export const answer = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer => ({ status, body, headers });

/** The response 200 with JSON. */
export const json = (schema: z.ZodType, description: string, status = 200): ResponseDeclaration => ({ status, description, schema });

/** The table of a path `/tables/:table/…`. */
export const atTable = {
  table: {
    schema: tableId,
    description: 'The id of the table.',
    reason: 'unknown-game',
    says: 'the id of a table is 1 to 60 letters, digits, _ and -',
  },
} as const satisfies PathParameters;

/** A call about the table in its path. */
export type AtTable = { readonly params: typeof atTable };

/** The table and the seat of a path `/tables/:table/seats/:seat/…`. */
export const atSeat = {
  ...atTable,
  seat: {
    schema: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .pipe(z.int().min(0).max(99)),
    description: 'The number of the seat.',
    reason: 'not-an-option',
    says: 'a seat is a number from 0 to 99',
  },
} as const satisfies PathParameters;

/** A call about the seat in its path. */
export type AtSeat = { readonly params: typeof atSeat };

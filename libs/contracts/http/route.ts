import { z } from 'zod';
import { tableId } from '../messages/schemas.ts';
import type { Code } from './reasons.ts';

/**
 * What is declared of one address of the HTTP API. The server checks requests with it and documents it; the types of clients are inferred
 * from it.
 */
export interface RouteDeclaration<
  P extends PathParameters = PathParameters,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends readonly ResponseDeclaration[] = readonly ResponseDeclaration[],
> extends RouteFacts<R> {
  readonly params: P;
  readonly query: Q;
  /** Of a POST; other methods have none. */
  readonly body: B;
}

interface RouteFacts<R extends readonly ResponseDeclaration[]> {
  /** One sentence for people. */
  readonly summary: string;
  readonly permits: PermissionName;
  /** The answers that are no problems. */
  readonly responses: R;
  /** The reasons for which it may be refused, besides those of every request. */
  readonly refusals?: readonly Code[] | undefined;
  /** For acts of seats: that a person acts by night, and when, would reveal a role. */
  readonly isUntraced?: boolean | undefined;
  /** The largest body, in bytes. Absent: as everywhere. */
  readonly maxBodyBytes?: number | undefined;
}

/** Which tokens a route takes; the web service checks them before anything else. */
export type PermissionName =
  | 'anyone'
  | 'anyToken'
  | 'admin'
  | 'linker'
  | 'opener'
  | 'operator'
  | 'anySeat'
  | 'agent'
  | 'joiner'
  | 'ownSeat'
  | 'ownSeatOrAdmin'
  | 'watcher'
  | 'inRoom'
  | 'insight';

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

/** What the handler of a declaration gets, parsed. */
export interface Parsed<D extends RouteDeclaration> {
  readonly params: ParsedParams<D['params']>;
  readonly query: z.output<D['query']>;
  readonly body: z.output<D['body']>;
}
type ParsedParams<P extends PathParameters> = { readonly [K in keyof P]: z.output<P[K]['schema']> };

interface Given<P, Q, B, R extends readonly ResponseDeclaration[]> extends RouteFacts<R> {
  readonly params?: P;
  /** Absent: no parameters. */
  readonly query?: Q;
  /** Absent: no body, or an empty object. */
  readonly body?: B;
}

const noParameters = {} as const;
const nothing = z.strictObject({});
const noBody = nothing.default({});

/** Declares a route. */
export const declare = <
  const R extends readonly ResponseDeclaration[],
  P extends PathParameters = typeof noParameters,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof noBody,
>({
  params = noParameters as PathParameters as P,
  query = nothing as z.ZodType as Q,
  body = noBody as z.ZodType as B,
  ...facts
}: Given<P, Q, B, R>): RouteDeclaration<P, Q, B, R> => ({ ...facts, params, query, body });

/** The response 200 with JSON. */
export const json = <S extends z.ZodType>(schema: S, description: string, status = 200) => ({ status, description, schema }) as const;

/** The response 200 with text of a media type. */
export const text = (type: string, description: string, status = 200) => ({ status, description, type }) as const;

export const EVENT_STREAM = 'text/event-stream; charset=utf-8';
export const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/** The table of a path `/tables/:table/…`. */
export const atTable = {
  table: {
    schema: tableId,
    description: 'The id of the table.',
    reason: 'unknown-game',
    says: 'the id of a table is 1 to 60 letters, digits, _ and -',
  },
} as const satisfies PathParameters;

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

/** A number in a query, from `min` to `max`. */
export const wholeNumber = (min = 0, max = 999_999_999_999_999) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** A view as requests name it. */
export type ViewName = 'seat' | `seat:${number}` | 'audience' | 'narrator';

/** The view that a query asks for. */
export const viewName = z
  .string()
  .regex(/^(seat|seat:\d{1,2}|audience|narrator)$/, 'seat, seat:3, audience or narrator')
  .transform((given) => given as ViewName);

/** How many entries of a list: 1 to 1000. */
export const listLimit = wholeNumber(1, 1000);

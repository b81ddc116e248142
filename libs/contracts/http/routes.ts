import type { z } from 'zod';
import { actRoutes } from './acts.ts';
import { againRoutes } from './again.ts';
import { contestRoutes } from './contests.ts';
import { contextRoutes } from './contexts.ts';
import { leaderboardRoutes, lookupRoutes } from './lookups.ts';
import { agentRoutes, lobbyRoutes, operateRoutes, tableRoutes } from './tables.ts';
import { meRoutes, tokenRoutes } from './tokens.ts';
import { viewRoutes } from './views.ts';

/** Every address that needs a token, in the order of docs/http.md, by method and path. Paths are in the syntax of Express. */
export const routes = {
  ...tableRoutes,
  ...againRoutes,
  ...agentRoutes,
  ...lobbyRoutes,
  ...leaderboardRoutes,
  ...operateRoutes,
  ...meRoutes,
  ...tokenRoutes,
  ...viewRoutes,
  ...actRoutes,
  ...lookupRoutes,
  ...contextRoutes,
  ...contestRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** What a successful JSON answer of a route holds; never for one that answers with text. */
export type AnswerOf<N extends RouteName> =
  Extract<Routes[N]['responses'][number], { schema: unknown }> extends { schema: infer S extends z.ZodType } ? z.output<S> : never;

/** What a client sends as the body of a route. */
export type BodyOf<N extends RouteName> = DeepReadonly<z.input<Routes[N]['body']>>;

/** The parts of the path and the parameters of the query, as a client gives them. */
export type GivenTo<N extends RouteName> = {
  readonly [K in keyof Routes[N]['params']]: string | number;
} & QueryOf<z.input<Routes[N]['query']>>;

type Simple = string | number | boolean;
type QueryOf<Q> = [keyof Q] extends [never]
  ? { readonly [name: string]: Simple | undefined }
  : { readonly [K in keyof Q]: Simple | Extract<Q[K], undefined> };

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

import { z } from 'zod';
import about from './package.json' with { type: 'json' };
import type { Code } from '@maw/contracts/http/reasons.ts';
import { json, type PathParameter, type ResponseDeclaration, text } from '@maw/contracts/http/route.ts';
import { kinds } from './problem.ts';
import type { Route } from './route.ts';

export type Json = { readonly [key: string]: unknown };

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

type Content = { readonly [type: string]: { readonly schema: Json } };

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Json[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly description: string; readonly content: Content } };
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Json;
  readonly [key: string]: unknown;
}

/** For which any request may be refused. */
const COMMON_REFUSALS: readonly Code[] = [
  'unreadable',
  'no-token',
  'bad-token',
  'forbidden',
  'too-fast',
  'limited',
  'failed',
  'unavailable',
  'late',
];
const BODY_REFUSALS: readonly Code[] = ['too-large', 'not-json'];

/** Every reason for which a request to the route may be refused. */
const refusalsOf = ({ body, refusals = [] }: Route): readonly Code[] => [
  ...new Set([...COMMON_REFUSALS, ...(body ? BODY_REFUSALS : []), ...refusals]),
];

/** The path as OpenAPI writes it: `/tables/{table}`. */
const templateOf = ({ path }: Pick<Route, 'path'>): string => path.replaceAll(/[:*](\w+)/g, '{$1}');

/** The document (OpenAPI 3.1) of all addresses, those without a token included. */
export function openApiDocument(routes: readonly Route[]) {
  const paths: Record<string, Record<string, Operation>> = {
    '/': {
      get: publicOperation('get', 'What this address is: the console for browsers, if there is one, and JSON for programs.', [
        page,
        json(z.looseObject({}), 'For programs.'),
      ]),
    },
    '/openapi.json': { get: publicOperation('getOpenapi', 'All addresses, for programs.', [json(z.looseObject({}), 'OpenAPI 3.1.')]) },
  };
  for (const route of routes) (paths[templateOf(route)] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'MAW',
      version: about.version,
      summary: 'Language-model agents and people play Werewolf, Avalon and related games at the same table.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: schemaOf(problem, 'output') },
    },
  };
}

const page = text('text/html; charset=utf-8', 'A page.');

const reasons = Object.keys(kinds) as [Code, ...Code[]];
const problem = z
  .object({
    type: z.string().startsWith('urn:maw:reason:'),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong, where, and what to do instead; for people.' }),
    reason: z.enum(reasons).meta({ description: 'The code for programs.' }),
    errors: z
      .array(z.object({ field: z.string(), says: z.string() }))
      .optional()
      .meta({ description: 'Every wrong field.' }),
    instance: z.string().optional().meta({ description: 'Finds an internal error in the log.' }),
  })
  .meta({ description: 'A problem document (RFC 9457).' });

function operationOf(route: Route): Operation {
  const parameters = [...Object.entries(route.params).map(pathParameter), ...queryParameters(route.query)];
  if (route.method === 'POST') parameters.push(IDEMPOTENCY_KEY);
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: `Token: ${route.permits.words}.`,
    ...(route.permits.isPublic ? { security: [] } : {}),
    ...(parameters.length ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBody(route.body) } : {}),
    responses: { ...responsesOf(route.responses), ...problemsOf(refusalsOf(route)) },
  };
}

const publicOperation = (operationId: string, summary: string, responses: readonly ResponseDeclaration[]): Operation => ({
  operationId,
  summary,
  description: 'No token is needed.',
  security: [],
  responses: { ...responsesOf(responses), ...problemsOf(['too-fast', 'failed']) },
});

/** `POST /tables/:table/seats` is postTablesSeats. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path
    .split('/')
    .map((part) => part.replace(/^[:*]/, 'by-'))
    .join('-')
    .replaceAll(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key, bearer, path and body are one request, which is carried out once.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{16,200}$' },
};

const pathParameter = ([name, { schema, description }]: [string, PathParameter]): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: parameterSchema(schema),
});

/** Parameters of a query. An object, such as the options of rules, stands for one parameter per field. */
function queryParameters(query: z.ZodType): Parameter[] {
  const object = query instanceof z.ZodPipe ? query.out : query;
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { description, ...rest } = parameterSchema(schema) as Json & { readonly description?: string };
    return {
      name,
      in: 'query',
      required: !schema.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      ...(rest['type'] === 'object' ? { style: 'form', explode: true } : {}),
      schema: rest,
    };
  });
}

/** A parameter is text; what is read as a number is documented as one. */
function parameterSchema(schema: z.ZodType): Json {
  const read = schemaOf(schema, 'output');
  return read['type'] === 'integer' ? read : schemaOf(schema, 'input');
}

const requestBody = (body: z.ZodType): NonNullable<Operation['requestBody']> => ({
  required: !body.safeParse(undefined).success,
  content: { 'application/json': { schema: schemaOf(body, 'input') } },
});

const responsesOf = (responses: readonly ResponseDeclaration[]): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(Object.groupBy(responses, ({ status }) => status)).map(([status, of]) => [
      status,
      { description: of!.map(({ description }) => description).join(' '), content: Object.assign({}, ...of!.map(contentOf)) as Content },
    ]),
  );

const contentOf = (response: ResponseDeclaration): Content =>
  'schema' in response
    ? { 'application/json': { schema: schemaOf(response.schema, 'output') } }
    : { [response.type.split(';')[0]!]: { schema: { type: 'string' } } };

/** One response per status, with the reasons that have it. */
const problemsOf = (codes: readonly Code[]): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code) => kinds[code].status)).map(([status, of]) => [
      status,
      {
        description: of!.map((code) => `\`${code}\`: ${kinds[code].title}.`).join(' '),
        content: {
          'application/problem+json': {
            schema: { allOf: [{ $ref: '#/components/schemas/Problem' }], properties: { reason: { enum: of } } },
          },
        },
      },
    ]),
  );

/** JSON Schema (2020-12) of what is sent (`input`) or returned (`output`). */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { tokenSigner } from '@maw/web/auth/token.ts';
import type { OpenApiDocument } from '@maw/web/openapi.ts';
import { mint } from '@maw/web/web.suite.ts';
import { ADMIN, SECRET, startFuzzedSystem } from '../fuzz/fuzzed-system.ts';
import { damage, fitting } from './arbitrary-json.ts';

/** A request as it is sent. */
interface GeneratedRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** It has a field that nobody knows. */
  readonly isUnknownField: boolean;
}

export interface HttpFuzzResult {
  readonly requests: number;
  /** How many were answered with each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How many of the addresses were asked. */
  readonly operations: number;
}

const UNKNOWN = 'nobody-knows-this';
/** A busy machine is slow: no request and no reply is late. */
const PATIENT = { busRequestMs: 600_000, headersMs: 600_000, requestBodyMs: 600_000 };

/**
 * Sends requests that are generated from the OpenAPI document of a running system, most of which fit it, and holds every answer to the
 * document. @throws Error with the shortest request that was answered otherwise, or with a status of 500 or above
 */
export async function fuzzHttp(options: { readonly requests: number; readonly seed: number }): Promise<HttpFuzzResult> {
  const system = await startFuzzedSystem(PATIENT);
  try {
    const url = `http://127.0.0.1:${system.webPort}`;
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
    const statuses: Record<string, number> = {};
    const asked = new Set<string>();
    const check = answerChecker(document);
    const tables = system.names.tables;
    const words = [...tables, ...WORDS, ...system.names.rooms, ...system.names.questions];
    const tokens = await tokensOf(tables[0]!);
    await fc.assert(
      fc.asyncProperty(requests(document, words, tokens), async (request) => {
        const status = await check(request, await send(url, request));
        statuses[status] = (statuses[status] ?? 0) + 1;
        asked.add(request.name);
      }),
      { numRuns: options.requests, seed: options.seed },
    );
    return { requests: options.requests, statuses, operations: asked.size };
  } finally {
    await system.close();
  }
}

const WORDS = [
  'maw',
  'avalon',
  'random',
  'rules',
  'Ann',
  'Bo',
  'seat:1',
  '0',
  'Village',
  'Lobby',
  'seer',
  'option.seer',
  'audience',
  'narrator',
  'temperature',
];

async function tokensOf(table: string): Promise<readonly string[]> {
  const signer = tokenSigner({ secret: Buffer.from(SECRET), now: Date.now });
  const passes = [
    { role: 'seat', table, seat: 0 },
    { role: 'join', table },
    { role: 'spectator', table },
    { role: 'spectator', table, view: 'narrator' },
  ] as const;
  const minted = await Promise.all(passes.map((pass) => mint(signer, pass, Date.now(), 3_600_000)));
  return minted.map(({ token }) => `Bearer ${token}`);
}

function requests(document: OpenApiDocument, words: readonly string[], tokens: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const authorization = fc.oneof(
    { weight: 6, arbitrary: fc.constant(`Bearer ${ADMIN}`) },
    { weight: 4, arbitrary: fc.constantFrom(...tokens) },
    { weight: 1, arbitrary: fc.constantFrom('Bearer no.such.token', 'Basic x', '') },
  );
  return fc.oneof(
    ...operations.map(({ path, method, operation }) => {
      const { parameters = [], requestBody } = operation;
      const given = parameters.map(({ name, in: place, required = false, schema }) =>
        fc.record({
          name: fc.constant(name),
          in: fc.constant(place),
          value: required ? fitting(schema, words) : fc.option(fitting(schema, words), { nil: undefined }),
        }),
      );
      const schema = requestBody?.content['application/json']!.schema;
      const bodies = schema ? textsOf(fitting(schema, words)) : fc.constant(undefined);
      const extra = fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, fc.constant(true));
      const type = fc.oneof({ weight: 12, arbitrary: fc.constant('application/json') }, fc.constant('text/plain'));
      return fc
        .tuple(fc.tuple(...given), bodies, authorization, extra, type)
        .map(([values, body, token, isUnknownField, contentType]): GeneratedRequest => ({
          name: `${method} ${path}`,
          method,
          path: addressOf(path, values, isUnknownField),
          headers: {
            ...(token ? { Authorization: token } : {}),
            ...(body === undefined ? {} : { 'Content-Type': contentType }),
            ...headersOf(values),
          },
          body,
          isUnknownField,
        }));
    }),
  );
}

/** The body as text: fitting, damaged, or no JSON at all. */
const textsOf = (bodies: fc.Arbitrary<unknown>): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: bodies.map((body) => JSON.stringify(body)) },
    { weight: 3, arbitrary: bodies.chain(damage).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.oneof(fc.constant(undefined), fc.string({ maxLength: 20 }), fc.constant('x'.repeat(70_000))) },
  );

interface Value {
  readonly name: string;
  readonly in: string;
  readonly value: unknown;
}

function addressOf(template: string, values: readonly Value[], isUnknownField: boolean): string {
  const of = (name: string) => values.find((value) => value.in === 'path' && value.name === name)?.value;
  const path = template.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(String(of(name)).toWellFormed() || '-'));
  const query = new URLSearchParams(isUnknownField ? { [UNKNOWN]: '1' } : {});
  for (const { name, in: place, value } of values) {
    if (place !== 'query' || value === undefined) continue;
    const fields: readonly (readonly [string, unknown])[] =
      typeof value === 'object' && value !== null ? Object.entries(value) : [[name, value]];
    for (const [field, each] of fields) query.set(field, String(each));
  }
  return query.size ? `${path}?${query}` : path;
}

const headersOf = (values: readonly Value[]): Record<string, string> =>
  Object.fromEntries(
    values.flatMap(({ name, in: place, value }) =>
      place === 'header' && typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? [[name, value]] : [],
    ),
  );

interface ReceivedAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Sends a request; of a stream only the beginning is read. */
async function send(url: string, { method, path, headers, body }: GeneratedRequest): Promise<ReceivedAnswer> {
  const stop = new AbortController();
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }), signal: stop.signal });
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const text = type === 'text/event-stream' ? '' : await response.text();
  stop.abort();
  return { status: response.status, type, text };
}

/** Holds answers to the document. Returns the status; throws what is wrong with an answer. */
function answerChecker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', ...document });
  const pointer = (...parts: readonly string[]) =>
    parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  return async ({ name, isUnknownField, body }: GeneratedRequest, { status, type, text }: ReceivedAnswer): Promise<number> => {
    const wrong = (why: string) =>
      new Error(`${name} answered ${status} ${type}: ${why}; ${text.slice(0, 500)}; body ${body?.slice(0, 500)}`);
    const [method, path] = name.split(' ') as [string, string];
    const { [method.toLowerCase()]: operation } = document.paths[path]!;
    if (status >= 500) throw wrong('an error of the service');
    const declared = operation!.responses[status]?.content[type];
    if (!declared) throw wrong('the document does not have it');
    if (isUnknownField && status < 400 && !operation!.security) throw wrong('an unknown parameter was taken');
    if (!/^application\/(problem\+)?json$/.test(type)) return status;
    const validate = ajv.compile({
      $ref: `api#/${pointer('paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema')}`,
    });
    if (!validate(JSON.parse(text))) throw wrong(ajv.errorsText(validate.errors));
    return status;
  };
}

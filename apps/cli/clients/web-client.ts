import { readResultPages } from '@maw/lab/contests/report/result-pages.ts';
import { tableSummary } from '@maw/contracts/messages/schemas.ts';
import { z } from 'zod';
import { ApiError, type Endpoint, type RequestOptions, sendRequest } from './http-request.ts';
import { contestList, contestResults, contestView, openedContest } from './contest-shapes.ts';
import { followTable, readTape } from './table-stream.ts';
import {
  auditLog,
  joinedSeat,
  madeToken,
  modelList,
  openedTable,
  pausedTable,
  problem,
  ruleSet,
  tableList,
  tableView,
  thoughtPage,
  tokenList,
} from './web-shapes.ts';

const anyObject = z.looseObject({});

interface TableTerms {
  readonly rules: string;
  readonly players: number;
  readonly seats: readonly {
    readonly kind: 'mind' | 'person';
    readonly recipe?: string;
    readonly parameters?: object;
    readonly model?: string;
  }[];
  readonly rounds: number;
  readonly options: { readonly [name: string]: unknown };
  readonly seed?: string;
  readonly lobbyMs?: number;
  readonly pauseMs?: number;
  readonly spectators?: 'audience' | 'narrator';
}

export interface TokenRequest {
  readonly role: string;
  readonly table: string | undefined;
  readonly seat: number | undefined;
  readonly view: string | undefined;
  readonly name: string | undefined;
  readonly ttlMs: number | undefined;
}

export type WebClient = ReturnType<typeof createWebClient>;

/** A client of the HTTP API of the web service at `url`. Every method throws ApiError. */
export function createWebClient(url: string, token?: string) {
  const web: Endpoint = { base: url.replace(/\/+$/, ''), token, unreachable: 'no-door' };
  return {
    at: web.base,
    /** The same system with another token. */
    as: (other: string) => createWebClient(web.base, other),
    rules: (name: string) => getJson(web, ruleSet, `/rules/${encodeURIComponent(name)}`),
    models: () => getJson(web, modelList, '/models'),
    ...tableMethods(web),
    ...seatMethods(web),
    ...contextMethods(web),
    ...adminMethods(web),
    ...contestMethods(web),
  };
}

function tableMethods(web: Endpoint) {
  return {
    /** With a key the request can be repeated: the same key opens one table. */
    open: ({ players: _, ...terms }: TableTerms, key?: string) =>
      postJson(web, openedTable, '/tables', terms, key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    tables: async () => (await getJson(web, tableList, '/tables?limit=1000')).tables,
    table: (table: string) => getJson(web, tableSummary, pathOf(table)),
    /** The rules as this table was opened. */
    rulesOf: (table: string) => getJson(web, ruleSet, pathOf(table, '/rules')),
    view: (table: string, as?: string, after = 0) => getJson(web, tableView, withQuery(pathOf(table, '/view'), { after, as })),
    /** The tape as an eye sees it, event by event. */
    tape: async function* (table: string, as?: string) {
      yield* readTape(await request(web, 'GET', withQuery(pathOf(table, '/tape'), { as })));
    },
    /** The decisions of minds, or the steps of one of them. */
    thoughts: (table: string, wanted: { readonly seat?: number | undefined; readonly decision?: string; readonly after?: number }) =>
      getJson(web, thoughtPage, withQuery(pathOf(table, '/thoughts'), { ...wanted, limit: 1000 })),
    /** Follows a table until it is over; see `followTable`. */
    follow: (table: string, options: { readonly as?: string; readonly after?: number; readonly signal?: AbortSignal } = {}) =>
      followTable(
        (after) => request(web, 'GET', withQuery(pathOf(table, '/events'), { after, as: options.as }), { signal: options.signal }),
        options.after ?? 0,
        options.signal,
      ),
  };
}

function seatMethods(web: Endpoint) {
  const post = async (table: string, action: string, body: unknown = {}): Promise<void> =>
    void (await request(web, 'POST', pathOf(table, action), { body }));
  return {
    join: (table: string, name: string) => postJson(web, joinedSeat, pathOf(table, '/seats'), { name }),
    act: (table: string, question: string, says: readonly string[]) => post(table, '/acts', { question, says }),
    speak: (table: string, room: string, text: string) => post(table, '/speech', { room, text }),
    whisper: (table: string, to: string, text: string) => post(table, '/whispers', { to, text }),
    leave: (table: string) => post(table, '/leave'),
    comeBack: (table: string) => post(table, '/return'),
  };
}

/** What a seat has in mind. */
function contextMethods(web: Endpoint) {
  const pathTo = (table: string, seat: number, rest = ''): string => pathOf(table, `/seats/${seat}/context${rest}`);
  return {
    context: (table: string, seat: number) => getJson(web, anyObject, pathTo(table, seat)),
    loadContext: async (table: string, seat: number, context: object) =>
      void (await request(web, 'POST', pathTo(table, seat), { body: context })),
    truncateContext: async (table: string, seat: number, tokens: number) =>
      void (await request(web, 'POST', pathTo(table, seat, '/truncate'), { body: { tokens } })),
  };
}

function adminMethods(web: Endpoint) {
  return {
    pause: (table: string) => postJson(web, pausedTable, pathOf(table, '/pause'), {}),
    resume: async (table: string) => void (await request(web, 'POST', pathOf(table, '/resume'), { body: {} })),
    abort: async (table: string, why?: string) => void (await request(web, 'POST', pathOf(table, '/abort'), { body: { why } })),
    makeToken: (wanted: TokenRequest) => postJson(web, madeToken, '/tokens', wanted),
    revokeToken: async (id: string) => void (await request(web, 'DELETE', `/tokens/${encodeURIComponent(id)}`)),
    revokeTable: async (table: string, seat?: number) => void (await request(web, 'POST', pathOf(table, '/revoke'), { body: { seat } })),
    tokens: async ({ table, before }: { readonly table: string | undefined; readonly before: number | undefined }) =>
      (await getJson(web, tokenList, withQuery('/tokens', { limit: 1000, table, before }))).tokens,
    audit: async (limit: number, before?: number) => (await getJson(web, auditLog, withQuery('/audit', { limit, before }))).acts,
  };
}

function contestMethods(web: Endpoint) {
  const pathTo = (contest: string, rest = ''): string => `/contests/${encodeURIComponent(contest)}${rest}`;
  return {
    /** Opens a contest, or goes on with one of this id. */
    openContest: (id: string, contest: object) => postJson(web, openedContest, '/contests', { id, contest }),
    contests: async () => (await getJson(web, contestList, '/contests?limit=100')).contests,
    contest: (id: string) => getJson(web, contestView, pathTo(id)),
    stopContest: (id: string, why?: string) => postJson(web, openedContest, pathTo(id, '/stop'), { why }),
    /** The results so far with what measures need, in the order of their numbers. */
    contestResults: (id: string) =>
      readResultPages((from) => getJson(web, contestResults, withQuery(pathTo(id, '/results'), { ...from, limit: 100, records: 'true' }))),
  };
}

const pathOf = (table: string, rest = ''): string => `/tables/${encodeURIComponent(table)}${rest}`;

function withQuery(path: string, query: { readonly [name: string]: string | number | undefined }): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size ? `${path}?${given.toString()}` : path;
}

async function getJson<T extends z.ZodType>(web: Endpoint, shape: T, path: string): Promise<z.output<T>> {
  return shape.parse(await (await request(web, 'GET', path)).json());
}

async function postJson<T extends z.ZodType>(
  web: Endpoint,
  shape: T,
  path: string,
  body: unknown,
  options: RequestOptions = {},
): Promise<z.output<T>> {
  return shape.parse(await (await request(web, 'POST', path, { ...options, body })).json());
}

/** @throws ApiError for every response that is not a success */
async function request(web: Endpoint, method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const response = await sendRequest(web, method, path, options);
  if (response.ok) return response;
  const refusal = problem.safeParse(await response.json().catch(() => undefined));
  if (!refusal.success) {
    const says = `${web.base} answers ${method} ${path} with ${response.status}, and not as a web service of MAW does`;
    throw new ApiError(response.status, `http-${response.status}`, `${says}; name another with --at URL`);
  }
  const { reason, detail, errors } = refusal.data;
  if (response.status === 401) throw new ApiError(401, reason, `${detail ?? reason}; give one with --token or MAW_TOKEN`);
  throw new ApiError(response.status, reason, detail ?? errors?.map(({ field, says }) => `${field}: ${says}`).join('; ') ?? '');
}

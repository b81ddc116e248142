import { z } from 'zod';
import { asking, seen, tableSummary } from '@maw/contracts/messages/schemas.ts';
import { frames } from './sse.ts';

/** The door refused. `reason` is one of the codes that everybody uses. */
export class ApiError extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string, detail: string) {
    super(detail ? `${reason}: ${detail}` : reason);
    this.status = status;
    this.reason = reason;
  }
}

const problem = z.object({
  reason: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ field: z.string(), says: z.string() })).optional(),
});
const opened = z.object({ table: z.string(), seats: z.array(z.object({ seat: z.int(), kind: z.string() })) });
const madeToken = z.looseObject({ id: z.string(), name: z.string(), token: z.string(), until: z.number() });
const permit = z.object({
  n: z.int(),
  id: z.string(),
  role: z.string(),
  table: z.string().optional(),
  seat: z.int().optional(),
  view: z.string().optional(),
  name: z.string(),
  by: z.string(),
  issued: z.number(),
  until: z.number(),
  isRevoked: z.boolean(),
});
const adminAct = z.object({
  n: z.int(),
  at: z.number(),
  who: z.string(),
  token: z.string(),
  from: z.string(),
  what: z.string(),
  about: z.record(z.string(), z.unknown()),
  outcome: z.string(),
});
const joined = z.object({ seat: z.int(), name: z.string(), token: z.string() });
const view = z.object({ summary: tableSummary, seen: z.array(seen), more: z.boolean(), last: z.int(), alive: z.array(z.boolean()) });
const optionShape = z.looseObject({ kind: z.string(), usual: z.unknown(), says: z.string().optional() });
const ruleSet = z.object({
  name: z.string(),
  says: z.string(),
  players: z.object({ least: z.int(), most: z.int(), usual: z.int() }),
  options: z.record(z.string(), optionShape),
  text: z.string().optional(),
});

export type SeenEvent = z.output<typeof seen>;
export type OpenQuestions = z.output<typeof mayDo>;
const mayDo = z.object({
  asked: z.array(asking),
  brief: z.string(),
  alive: z.array(z.boolean()),
  life: z.string().optional(),
  holder: z.string().optional(),
});

/** What a stream of a table brings. */
export type TableUpdate =
  | { readonly kind: 'seen'; readonly seen: SeenEvent }
  | { readonly kind: 'asked'; readonly asked: OpenQuestions }
  | { readonly kind: 'over' };

export interface TableTerms {
  readonly rules: string;
  readonly players: number;
  readonly seats: readonly { readonly kind: 'mind' | 'person'; readonly recipe?: string; readonly model?: string }[];
  readonly rounds: number;
  readonly options: { readonly [name: string]: unknown };
  readonly seed?: string;
  readonly lobbyMs?: number;
  readonly pauseMs?: number;
  readonly spectators?: 'audience' | 'narrator';
}

export interface TokenRequest {
  readonly role: string;
  readonly table?: string;
  readonly seat?: number;
  readonly view?: string;
  readonly name?: string;
  readonly ttlMs?: number;
}

export type WebClient = ReturnType<typeof createWebClient>;

/** A client of the door. The command line goes nowhere else: not to the broker, not to the database. */
export function createWebClient(at: string, token?: string) {
  const base = at.replace(/\/+$/, '');
  const path = (table: string, rest = '') => `/tables/${encodeURIComponent(table)}${rest}`;

  async function call(method: string, where: string, body?: unknown, signal?: AbortSignal, key?: string): Promise<Response> {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    if (method === 'POST') headers['content-type'] = 'application/json';
    if (key !== undefined) headers['idempotency-key'] = key;
    let response: Response;
    try {
      response = await fetch(base + where, {
        method,
        headers,
        ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
      throw new ApiError(0, 'no-door', `nothing answers at ${base} (${cause}); start one with ./maw up, or name another with --at URL`);
    }
    if (response.ok) return response;
    const said = problem.safeParse(await response.json().catch(() => undefined));
    if (!said.success) throw new ApiError(response.status, `http-${response.status}`, `${method} ${where}`);
    const fields = said.data.errors?.map(({ field, says }) => `${field}: ${says}`).join('; ');
    throw new ApiError(response.status, said.data.reason, said.data.detail ?? fields ?? '');
  }
  const json = async <T extends z.ZodType>(shape: T, response: Promise<Response>): Promise<z.output<T>> =>
    shape.parse(await (await response).json());

  return {
    at: base,
    /** The same door with another token. */
    as: (other: string) => createWebClient(base, other),
    /** With a key it may be asked again when the answer is `late`: the same key opens one table. */
    open: ({ players: _, ...terms }: TableTerms, key?: string) => json(opened, call('POST', '/tables', terms, undefined, key)),
    tables: async () => (await json(z.object({ tables: z.array(tableSummary) }), call('GET', '/tables?limit=1000'))).tables,
    table: (table: string) => json(tableSummary, call('GET', path(table))),
    rules: (name: string, players?: number) =>
      json(ruleSet, call('GET', `/rules/${encodeURIComponent(name)}${players === undefined ? '' : `?players=${players}`}`)),
    join: (table: string, name: string) => json(joined, call('POST', path(table, '/seats'), { name })),
    view: (table: string, as?: string, after = 0) =>
      json(view, call('GET', path(table, `/view?after=${after}${as === undefined ? '' : `&as=${as}`}`))),
    act: async (table: string, question: string, says: readonly string[]) =>
      void (await call('POST', path(table, '/acts'), { question, says })),
    speak: async (table: string, room: string, text: string) => void (await call('POST', path(table, '/speech'), { room, text })),
    whisper: async (table: string, to: string, text: string) => void (await call('POST', path(table, '/whispers'), { to, text })),
    leave: async (table: string) => void (await call('POST', path(table, '/leave'))),
    comeBack: async (table: string) => void (await call('POST', path(table, '/return'))),
    makeToken: (wish: TokenRequest) => json(madeToken, call('POST', '/tokens', wish)),
    revokeToken: async (id: string) => void (await call('DELETE', `/tokens/${encodeURIComponent(id)}`)),
    revokeTable: async (table: string, seat?: number) =>
      void (await call('POST', path(table, '/revoke'), seat === undefined ? {} : { seat })),
    tokens: async ({ table, before }: { readonly table?: string; readonly before?: number }) => {
      const query = new URLSearchParams({
        limit: '1000',
        ...(table && { table }),
        ...(before !== undefined && { before: String(before) }),
      });
      return (await json(z.object({ tokens: z.array(permit) }), call('GET', `/tokens?${query.toString()}`))).tokens;
    },
    audit: async (limit: number, before?: number) =>
      (
        await json(
          z.object({ acts: z.array(adminAct) }),
          call('GET', `/audit?limit=${limit}${before === undefined ? '' : `&before=${before}`}`),
        )
      ).acts,
    models: () => json(z.looseObject({ default: z.string().optional() }), call('GET', '/models')),

    /** The tape as an eye sees it, event by event. */
    async *tape(table: string, as?: string): AsyncGenerator<SeenEvent> {
      const response = await call('GET', path(table, `/tape${as === undefined ? '' : `?as=${as}`}`));
      let rest = '';
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (line) yield seen.parse(JSON.parse(line));
      }
    },

    /**
     * Follows a table until it is over: every event once and in order, also over connections that break.
     * Gives up when the door cannot be reached at the start, or for a minute later on.
     */
    async *follow(
      table: string,
      about: { readonly as?: string; readonly after?: number; readonly signal?: AbortSignal } = {},
    ): AsyncGenerator<TableUpdate> {
      let after = about.after ?? 0;
      let failedSince: number | undefined;
      let hasBegun = false;
      for (;;) {
        try {
          const where = path(table, `/events?after=${after}${about.as === undefined ? '' : `&as=${about.as}`}`);
          const response = await call('GET', where, undefined, about.signal);
          for await (const { event, data } of frames(response.body!)) {
            failedSince = undefined;
            hasBegun = true;
            if (event === 'seen') {
              const next = seen.parse(JSON.parse(data));
              after = next.n;
              yield { kind: 'seen', seen: next };
            } else if (event === 'asked') yield { kind: 'asked', asked: mayDo.parse(JSON.parse(data)) };
            else if (event === 'over') {
              yield { kind: 'over' };
              return;
            }
          }
        } catch (error) {
          if (about.signal?.aborted) return;
          if (!hasBegun && error instanceof ApiError) throw error; // there was nothing to lose yet
          const mayMend = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
          failedSince ??= Date.now();
          if (!mayMend || error instanceof z.ZodError || Date.now() - failedSince > 60_000) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    },
  };
}

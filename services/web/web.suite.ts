import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { AuditLog } from '@maw/store/ports/audit-log.ts';
import type { Tokens } from '@maw/store/ports/tokens.ts';
import { type Log, logger } from '@maw/telemetry/log.ts';
import { fakeServices } from './fake-services.suite.ts';
import type { WebOptions } from './defaults.ts';
import { web } from './service.ts';
import { type TokenSigner, tokenSigner } from './auth/token.ts';
import { type Pass, subjectOf } from './auth/roles.ts';
import { expiryOf } from './auth/token-issuer.ts';

export const SECRET = 'a secret that is long enough for tests';
export const ADMIN = 'the-administrator-of-these-tests';

/** A response. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON; tests compare it whole
  readonly body: any;
}

export type TestWeb = Awaited<ReturnType<typeof startTestWeb>>;

/** The web service in front of fake services, which may take as long as a test to reply, and a client. `more`: its other dependencies, in memory by default. */
export async function startTestWeb(
  options: Partial<WebOptions> = {},
  more: { readonly tokens?: Tokens; readonly audit?: AuditLog; readonly log?: Log; readonly now?: () => number } = {},
) {
  const services = await fakeServices();
  const signed = tokenSigner({ secret: Buffer.from(SECRET), now: Date.now });
  const site = await web({
    bus: services.bus,
    now: Date.now,
    log: logger('web', { level: 'silent' }),
    ...more,
    options: { secret: SECRET, adminToken: ADMIN, busRequestMs: 600_000, pollMs: 3_600_000, streamKeepAliveMs: 3_600_000, ...options },
  });
  return {
    ...services,
    site,
    url: site.url,
    mint: async (pass: Pass, ttlMs = 600_000) => (await mint(signed, pass, Date.now(), ttlMs)).token,
    get: (path: string, token?: string) => ask(site.url, 'GET', path, undefined, token),
    post: (path: string, body: unknown, token?: string, headers: Record<string, string> = {}) =>
      ask(site.url, 'POST', path, JSON.stringify(body), token, { 'Content-Type': 'application/json', ...headers }),
    delete: (path: string, token?: string) => ask(site.url, 'DELETE', path, undefined, token),
    raw: (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
      ask(site.url, method, path, body, undefined, headers),
    close: async () => {
      await site.close();
      await services.close();
    },
  };
}

/** Signs a token that no database knows. */
export async function mint(signer: TokenSigner, pass: Pass, now: number, ttlMs = 60_000) {
  const until = expiryOf(now, ttlMs);
  return { token: await signer.sign(pass, { id: randomUUID(), name: subjectOf(pass), n: 0 }, now, until), until };
}

async function ask(
  url: string,
  method: string,
  path: string,
  body?: string,
  token?: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : undefined };
}

/** A server-sent event that was received. */
export interface Sent {
  readonly event: string;
  readonly id: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
  readonly data: any;
}

/** Opens an event stream and collects what it sends. */
export async function openStream(url: string, path: string, token?: string, headers: Record<string, string> = {}) {
  const aborter = new AbortController();
  const response = await fetch(`${url}${path}`, {
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    signal: aborter.signal,
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const sent: Sent[] = [];
  const comments: string[] = [];
  let hasEnded = false;
  const parser = createParser({
    onEvent: ({ event, id, data }) => void sent.push({ event: event!, id, data: JSON.parse(data) }),
    onComment: (comment) => void comments.push(comment),
  });
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) parser.feed(chunk);
  })()
    .catch(() => undefined)
    .finally(() => (hasEnded = true));

  const of = (event: string): readonly Sent[] => sent.filter((each) => each.event === event);
  return {
    sent,
    comments,
    headers: response.headers,
    of,
    /** The numbers of the events received. */
    numbers: () => of('seen').map(({ id }) => Number(id)),
    has: (event: string, count: number) =>
      pollUntil(`${count} times ${event}; there are ${of(event).length}`, () => of(event).length >= count),
    ended: () => pollUntil('the end of the stream', () => hasEnded),
    /** Cuts the connection. */
    cut: async () => {
      aborter.abort();
      await reading;
    },
  };
}

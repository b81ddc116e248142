import type { AuditLog } from '@maw/store/ports/audit-log.ts';
import type { Tokens } from '@maw/store/ports/tokens.ts';
import { type Log, logger } from '@maw/telemetry/log.ts';
import { fakeServices } from './fake-services.suite.ts';
import type { WebOptions } from './options.ts';
import { web } from './service.ts';
import { type Pass, tokenSigner } from './auth/token.ts';

export const SECRET = 'a secret that is long enough for tests';
export const ADMIN = 'the-administrator-of-these-tests';

/** What was answered. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever was answered; tests compare it whole
  readonly body: any;
}

export type TestWeb = Awaited<ReturnType<typeof startTestWeb>>;

/** A door in front of the scripted services, which waits for them as long as a test may take, and a client for it. `more`: what it is handed besides; in memory without it. */
export async function startTestWeb(
  options: Partial<WebOptions> = {},
  more: { readonly permits?: Tokens; readonly audit?: AuditLog; readonly log?: Log; readonly now?: () => number } = {},
) {
  const services = await fakeServices();
  const signed = tokenSigner({ secret: Buffer.from(SECRET), now: Date.now });
  const site = await web({
    bus: services.bus,
    now: Date.now,
    log: logger('web', { level: 'silent' }),
    ...more,
    options: { secret: SECRET, adminToken: ADMIN, busRequestMs: 600_000, pollMs: 3_600_000, keepAliveMs: 3_600_000, ...options },
  });
  return {
    ...services,
    site,
    url: site.url,
    mint: async (of: Pass, ttlMs = 600_000) => (await signed.mint(of, ttlMs)).token,
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

/** Waits for a fact. */
export async function until(fact: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 600_000;
  while (!fact()) {
    if (Date.now() > deadline) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** One server-sent event as a reader gets it. */
export interface Sent {
  readonly event: string;
  readonly id: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever was sent
  readonly data: any;
}

/** Opens an event stream and reads it as it comes. */
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
  const reading = (async () => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) take(block);
    }
  })()
    .catch(() => undefined)
    .finally(() => (hasEnded = true));

  function take(block: string): void {
    const fields = new Map(block.split('\n').map((row) => [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 2)] as const));
    if (fields.has('')) comments.push(fields.get('')!);
    if (fields.has('event')) sent.push({ event: fields.get('event')!, id: fields.get('id'), data: JSON.parse(fields.get('data')!) });
  }

  const of = (event: string): readonly Sent[] => sent.filter((each) => each.event === event);
  return {
    sent,
    comments,
    headers: response.headers,
    of,
    /** The numbers of the events it has read. */
    numbers: () => of('seen').map(({ id }) => Number(id)),
    has: (event: string, count: number) => until(() => of(event).length >= count, `${count} times ${event}; there are ${of(event).length}`),
    ended: () => until(() => hasEnded, 'the end of the stream'),
    /** Cuts the connection. */
    cut: async () => {
      aborter.abort();
      await reading;
    },
  };
}

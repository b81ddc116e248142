import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { type Log, logger } from '@maw/telemetry/log.ts';
import type { GatewayOptions } from '../defaults.ts';
import { eventually } from '../fake-ollama.suite.ts';
import { llmGateway } from '../service.ts';
import type { HttpOptions } from './http-server.ts';

export const BOT = 'key-of-a-bot-0123456789';
export const OTHER = 'key-of-another-0123456789';
export const ADMIN = 'key-of-the-admin-0123456789';
export const KEYS = [
  { key: BOT, agent: 'bot', tenant: 'lab', admin: false },
  { key: OTHER, agent: 'other', tenant: 'lab', admin: false },
  { key: ADMIN, agent: 'boss', tenant: 'home', admin: true },
];

export interface Given {
  readonly servers: GatewayOptions['servers'];
  readonly options?: Partial<GatewayOptions>;
  readonly http?: Partial<HttpOptions>;
  readonly hub?: MemoryHub;
  /** The bus; default: in memory. Closed with the gateway. */
  readonly bus?: Bus;
  readonly log?: Log;
  readonly store?: Pick<Parameters<typeof llmGateway>[0], 'gatewayKeys' | 'budgetUsage' | 'llmUsage'>;
  now?(): number;
}

/** Keeps what a test opens, and closes it after the test, the last first. */
export function keeper() {
  const opened: { close(): Promise<unknown> | void }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });
  return <T extends { close(): Promise<unknown> | void }>(one: T): T => {
    opened.push(one);
    return one;
  };
}

export type HttpGateway = Awaited<ReturnType<typeof httpGateway>>;

/** A gateway with an HTTP API, and a client for it. */
export async function httpGateway(given: Given) {
  const { servers, options, http, hub = memoryHub(), log, store, now = Date.now } = given;
  const bus = given.bus ?? memoryBus({ service: 'llm-gateway', hub, now, graceMs: 30, retryMs: [10] });
  const gateway = await llmGateway({
    ...store,
    bus,
    now,
    log: log ?? logger('llm-gateway', { level: 'silent' }),
    options: { agentRpm: 0, agentConcurrency: 0, healthEveryMs: 20, servers, ...options },
    http: { host: '127.0.0.1', port: 0, keys: KEYS, isOpen: false, graceMs: 30, ...http },
  });
  const url = gateway.httpUrl!;
  const status = async (): Promise<ReplyData<'llm.status'>> => (await ask(url, '/admin/status', undefined, { key: ADMIN })).body;
  return {
    hub,
    bus,
    gateway,
    url,
    /** Sends a request: GET without a body, POST with one. */
    ask: (path: string, body?: unknown, how?: How) => ask(url, path, body, how),
    chat: (say: string, more: object = {}, how?: How) => ask(url, '/v1/chat/completions', chatOf(say, more), how),
    stream: (say: string, more: object = {}, how?: How) => stream(url, chatOf(say, more), how),
    status,
    /** Waits until `count` requests are queued. */
    waits: (count: number) =>
      eventually(`${count} queued`, async () => {
        const { critical, talk, background } = (await status()).waiting;
        return critical + talk + background === count;
      }),
    async close() {
      await gateway.close();
      await bus.close();
    },
  };
}

/** A TCP proxy whose connections can be cut, as when the machine behind it dies. */
export async function cuttableProxy(): Promise<{ readonly url: string; to: number; cut(): void; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const on = connect(made.to, '127.0.0.1');
    for (const one of [from, on]) sockets.add(one.on('error', () => undefined).on('close', () => (from.destroy(), on.destroy())));
    from.pipe(on).pipe(from);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const made = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: 0,
    cut() {
      server.close();
      for (const one of sockets) one.destroy();
    },
    async close() {
      made.cut();
    },
  };
  return made;
}

export interface How {
  /** The API key; `null`: none. */
  readonly key?: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const chatOf = (say: string, more: object) => ({ model: 'm', messages: [{ role: 'user', content: say }], ...more });

/** The headers of the official JavaScript client. */
const OFFICIAL = {
  'accept': 'application/json',
  'content-type': 'application/json',
  'user-agent': 'OpenAI/JS 6.9.1',
  'x-stainless-arch': 'x64',
  'x-stainless-lang': 'js',
  'x-stainless-os': 'Linux',
  'x-stainless-package-version': '6.9.1',
  'x-stainless-retry-count': '0',
  'x-stainless-runtime': 'node',
  'x-stainless-timeout': '600',
};

const initOf = (body: unknown, { key = BOT, method, headers, signal }: How = {}): RequestInit => ({
  method: method ?? (body === undefined ? 'GET' : 'POST'),
  headers: { ...OFFICIAL, ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
  ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  ...(signal ? { signal } : {}),
});

async function ask(url: string, path: string, body?: unknown, how?: How) {
  const response = await fetch(`${url}${path}`, initOf(body, how));
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON; tests compare it whole
  return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : undefined) as any };
}

/** Requests a stream and reads it as it arrives. */
async function stream(url: string, body: object, how?: How) {
  const response = await fetch(`${url}/v1/chat/completions`, initOf({ stream: true, ...body }, how));
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
  const events: any[] = [];
  let end: 'done' | 'ended' | 'broken' | undefined;
  const reading = (async () => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) {
        const data = part.slice('data: '.length);
        if (data === '[DONE]') end = 'done';
        else events.push(JSON.parse(data));
      }
    }
    end ??= 'ended';
  })().catch(() => (end ??= 'broken'));
  return {
    status: response.status,
    headers: response.headers,
    events,
    /** The text received so far. */
    said: () => events.map((event) => event.choices?.[0]?.delta.content ?? '').join(''),
    hears: (text: string) => eventually(`"${text}"`, () => events.some((event) => event.choices?.[0]?.delta.content === text)),
    /** How it ended: `done` only with `[DONE]`. */
    async ended() {
      await reading;
      return end;
    },
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registry } from '@maw/telemetry/metrics.ts';
import { measureProcess } from '@maw/telemetry/process-metrics.ts';
import { withoutCredentials } from '@maw/telemetry/redact.ts';

export interface OpsOptions {
  readonly service: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What must be there for the service to be of use. A check that throws, or takes longer than `checkMs`, says it is not. */
  readonly ready: { readonly [what: string]: () => Promise<void> | void };
  readonly checkMs?: number | undefined;
}

export interface Ops {
  readonly port: number;
  readonly url: string;
  /** Takes no more requests and cuts the connections. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * The doors for those who run the service: `/healthz` (the process answers), `/readyz` (200, or 503 with what is missing) and `/metrics`.
 * @throws Error when the address cannot be listened on
 */
export async function startOps({ service, host, port, ready, checkMs = 2_000 }: OpsOptions): Promise<Ops> {
  measureProcess();
  let looking: Promise<Look> | undefined;
  /** Those who ask while the checks run share their result, so that asking often costs nothing. */
  const look = () => (looking ??= lookAt(ready, checkMs).finally(() => (looking = undefined)));
  const answer = async (path: string): Promise<Answer> => {
    switch (path) {
      case '/healthz':
        return json(200, { status: 'alive', service });
      case '/readyz': {
        const { isReady, checks } = await look();
        return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', service, checks });
      }
      case '/metrics':
        return { status: 200, type: registry.contentType, body: await registry.metrics() };
      default:
        return json(404, { status: 'not found', detail: 'there is /healthz, /readyz and /metrics' });
    }
  };
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 }, (request, response) => {
    serve(request, response, answer).catch((error: Error) => write(response, json(500, { status: 'failed', detail: said(error) })));
  });
  server.maxConnections = 100;
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  let closing: Promise<void> | undefined;
  return {
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      (closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}
const json = (status: number, body: object): Answer => ({ status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) });

async function serve(request: IncomingMessage, response: ServerResponse, answer: (path: string) => Promise<Answer>): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD').setHeader('connection', 'close');
    return write(response, json(405, { status: 'not allowed', detail: 'only GET and HEAD' }));
  }
  write(response, await answer((request.url ?? '').split('?')[0]!));
}

/** Node leaves the body out of the answer to HEAD. */
function write(response: ServerResponse, { status, type, body }: Answer): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' }).end(body);
}

interface Look {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

async function lookAt(ready: OpsOptions['ready'], ms: number): Promise<Look> {
  const found = await Promise.all(Object.entries(ready).map(async ([what, check]) => [what, await outcome(check, ms)] as const));
  return { isReady: found.every(([, said]) => said === 'ok'), checks: Object.fromEntries(found) };
}

async function outcome(check: () => Promise<void> | void, ms: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${ms} ms`), ms).unref();
  });
  const checked = (async () => check())().then(() => 'ok', said);
  return Promise.race([checked, late]).finally(() => clearTimeout(timer));
}

/** An error without a message (an AggregateError of a failed connection has none) still has to say something other than 'ok'. */
const said = (error: unknown): string => {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined };
  return withoutCredentials(message || code || 'failed').slice(0, 300);
};

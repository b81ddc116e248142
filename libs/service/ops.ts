import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registry } from '@maw/telemetry/metrics.ts';
import { OPEN_METRICS, renderOpenMetrics, acceptsOpenMetrics } from '@maw/telemetry/open-metrics.ts';
import { collectProcessMetrics } from '@maw/telemetry/process-metrics.ts';
import { redactCredentials } from '@maw/telemetry/redact.ts';
import { isLoopback } from './loopback.ts';

export interface OpsOptions {
  readonly service: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What must be there for the service to be of use. A check that throws, or takes longer than `checkMs`, says it is not. */
  readonly ready: { readonly [what: string]: Check };
  /** What whoever reads `/metrics` must bear. Without it they are given to everybody on this machine, and to nobody elsewhere. */
  readonly metricsToken?: string | undefined;
  /** Whether everybody elsewhere may read them too, when there is no token. */
  readonly isOpen?: boolean | undefined;
  readonly checkMs?: number | undefined;
}

/** Looks whether something is there. What it returns is a remark: it is not as it should be, and the service is of use all the same. */
export type Check = () => Promise<string | void> | string | void;

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
export async function startOpsServer({
  service,
  host,
  port,
  ready,
  metricsToken,
  isOpen = false,
  checkMs = 2_000,
}: OpsOptions): Promise<Ops> {
  collectProcessMetrics();
  let looking: Promise<Look> | undefined;
  /** Those who ask while the checks run share their result, so that asking often costs nothing. */
  const look = () => (looking ??= lookAt(ready, checkMs).finally(() => (looking = undefined)));
  const mayRead = readersOf(metricsToken, isOpen || isLoopback(host));
  const answer: Answering = async (path, { authorization, accept }) => {
    switch (path) {
      case '/healthz':
        return json(200, { status: 'alive', service });
      case '/readyz': {
        const { isReady, checks } = await look();
        return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', service, checks });
      }
      case '/metrics':
        if (!mayRead(authorization)) return DENIED;
        if (acceptsOpenMetrics(accept)) return { status: 200, type: OPEN_METRICS, body: await renderOpenMetrics() };
        return { status: 200, type: registry.contentType, body: await registry.metrics() };
      default:
        return json(404, { status: 'not found', detail: 'there is /healthz, /readyz and /metrics' });
    }
  };
  const times = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 1_000 };
  const server = createServer({ ...times, maxHeaderSize: 8_192 }, (request, response) => {
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
  readonly headers?: Readonly<Record<string, string>>;
}
const json = (status: number, body: object): Answer => ({ status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) });

const DENIED: Answer = {
  ...json(401, { status: 'unauthorized', detail: 'send `Authorization: Bearer` with METRICS_TOKEN; where there is none, set it' }),
  headers: { 'www-authenticate': 'Bearer realm="metrics"' },
};

/** Who may read the measures: digests are of one length and tell nothing of what is compared, however long that takes. */
function readersOf(token: string | undefined, isOpen: boolean): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => isOpen;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(token);
  return (authorization) => {
    const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), wanted);
  };
}

type Answering = (path: string, headers: IncomingHttpHeaders) => Promise<Answer>;

async function serve(request: IncomingMessage, response: ServerResponse, answer: Answering): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD').setHeader('connection', 'close');
    return write(response, json(405, { status: 'not allowed', detail: 'only GET and HEAD' }));
  }
  write(response, await answer((request.url ?? '').split('?')[0]!, request.headers));
}

/** Node leaves the body out of the answer to HEAD. */
function write(response: ServerResponse, { status, type, body, headers = {} }: Answer): void {
  if (response.headersSent) return;
  const usual = { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' };
  response.writeHead(status, { ...usual, 'x-content-type-options': 'nosniff', ...headers }).end(body);
}

interface Look {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

async function lookAt(ready: OpsOptions['ready'], ms: number): Promise<Look> {
  const found = await Promise.all(Object.entries(ready).map(async ([what, check]) => [what, await outcome(check, ms)] as const));
  return {
    isReady: found.every(([, { isThere }]) => isThere),
    checks: Object.fromEntries(found.map(([what, { says }]) => [what, says])),
  };
}

interface Found {
  readonly isThere: boolean;
  readonly says: string;
}

async function outcome(check: Check, ms: number): Promise<Found> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Found>((resolve) => {
    timer = setTimeout(() => resolve({ isThere: false, says: `no answer within ${ms} ms` }), ms).unref();
  });
  const checked = (async () => check())().then(
    (remark): Found => ({ isThere: true, says: remark ? redactCredentials(remark).slice(0, 300) : 'ok' }),
    (error: unknown): Found => ({ isThere: false, says: said(error) }),
  );
  return Promise.race([checked, late]).finally(() => clearTimeout(timer));
}

/** An error without a message (an AggregateError of a failed connection has none) still has to say something other than 'ok'. */
const said = (error: unknown): string => {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined };
  return redactCredentials(message || code || 'failed').slice(0, 300);
};

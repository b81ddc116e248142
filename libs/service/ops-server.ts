import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { withTimeout } from '@maw/async/timeout.ts';
import { bearerToken, secretMatcher } from '@maw/http/bearer.ts';
import { sendJson, sendText } from '@maw/http/response.ts';
import { startHttpServer } from '@maw/http/server.ts';
import { registry } from '@maw/telemetry/metrics.ts';
import { acceptsOpenMetrics, OPEN_METRICS, renderOpenMetrics } from '@maw/telemetry/open-metrics.ts';
import { collectProcessMetrics } from '@maw/telemetry/process-metrics.ts';
import { redactCredentials } from '@maw/telemetry/redact.ts';
import { isLoopback } from './loopback.ts';

export interface OpsOptions {
  readonly service: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** What the service needs. It is not ready when a check throws, or takes longer than `checkMs`. */
  readonly ready: { readonly [name: string]: Check };
  /** The bearer token for `/metrics`. Without one, `/metrics` is served on a loopback listener only. */
  readonly metricsToken?: string | undefined;
  readonly checkMs?: number | undefined;
  /** What the version was built from. */
  readonly commit?: string | undefined;
}

/** Throws when a dependency is missing. A returned text is a remark: something is wrong, but the service is ready. */
export type Check = () => Promise<string | void> | string | void;

export interface OpsServer {
  readonly port: number;
  readonly url: string;
  /** Cuts open connections. Idempotent. */
  close(): Promise<void>;
}

/** A slow or oversized request is rejected, and so are connections beyond 100: operators need few. */
const LIMITS = { headersMs: 5_000, requestMs: 5_000, keepAliveMs: 5_000, maxHeaderBytes: 8_192, maxConnections: 100 };
const COMMON_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * Serves `/healthz` (the process responds), `/readyz` (200, or 503 with the checks that failed) and `/metrics`.
 * @throws Error when the address cannot be listened on
 */
export async function startOpsServer(options: OpsOptions): Promise<OpsServer> {
  const { service, host, port, ready, metricsToken, checkMs = 2_000 } = options;
  collectProcessMetrics(service, options.commit);
  let pending: Promise<Readiness> | undefined;
  /** Concurrent requests share one run of the checks. */
  const readiness = () => (pending ??= runChecks(ready, checkMs).finally(() => (pending = undefined)));
  const mayReadMetrics = metricsAccess(metricsToken, isLoopback(host));

  async function respond(res: ServerResponse, path: string, { authorization, accept }: IncomingHttpHeaders): Promise<void> {
    switch (path) {
      case '/healthz':
        return send(res, 200, { status: 'alive', service });
      case '/readyz': {
        const { isReady, checks } = await readiness();
        return send(res, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', service, checks });
      }
      case '/metrics':
        return mayReadMetrics(authorization) ? sendMetrics(res, accept) : sendDenied(res);
      default:
        return send(res, 404, { status: 'not found', detail: 'available: /healthz, /readyz and /metrics' });
    }
  }

  const server = await startHttpServer(
    (req, res) => {
      if (req.method !== 'GET' && req.method !== 'HEAD')
        return send(res, 405, { status: 'not allowed', detail: 'only GET and HEAD' }, { Allow: 'GET, HEAD' });
      respond(res, (req.url ?? '').split('?')[0]!, req.headers).catch((error: unknown) =>
        send(res, 500, { status: 'failed', detail: messageOf(error) }),
      );
    },
    { host, port, ...LIMITS },
  );
  return { port: server.port, url: server.url, close: () => server.close(0) };
}

function send(res: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  sendJson(res, status, body, { ...COMMON_HEADERS, ...headers });
}

async function sendMetrics(res: ServerResponse, accept: string | undefined): Promise<void> {
  if (acceptsOpenMetrics(accept)) sendText(res, 200, await renderOpenMetrics(), OPEN_METRICS, COMMON_HEADERS);
  else sendText(res, 200, await registry.metrics(), registry.contentType, COMMON_HEADERS);
}

const sendDenied = (res: ServerResponse): void =>
  send(
    res,
    401,
    { status: 'unauthorized', detail: 'send METRICS_TOKEN as `Authorization: Bearer`; if it is not set, set it' },
    { 'WWW-Authenticate': 'Bearer realm="metrics"' },
  );

function metricsAccess(token: string | undefined, isLocal: boolean): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => isLocal;
  const matches = secretMatcher(token);
  return (authorization) => {
    const given = bearerToken(authorization);
    return given !== undefined && matches(given);
  };
}

interface Readiness {
  readonly isReady: boolean;
  /** By name: `ok`, a remark, or what is wrong. */
  readonly checks: Readonly<Record<string, string>>;
}

async function runChecks(ready: OpsOptions['ready'], checkMs: number): Promise<Readiness> {
  const results = await Promise.all(Object.entries(ready).map(async ([name, check]) => [name, await runCheck(check, checkMs)] as const));
  return {
    isReady: results.every(([, { isReady }]) => isReady),
    checks: Object.fromEntries(results.map(([name, { text }]) => [name, text])),
  };
}

interface CheckResult {
  readonly isReady: boolean;
  readonly text: string;
}

function runCheck(check: Check, checkMs: number): Promise<CheckResult> {
  const result = (async () => check())().then(
    (remark): CheckResult => ({ isReady: true, text: remark ? redactCredentials(remark).slice(0, 300) : 'ok' }),
    (error: unknown): CheckResult => ({ isReady: false, text: messageOf(error) }),
  );
  const onTimeout = (): CheckResult => ({ isReady: false, text: `no answer within ${checkMs} ms` });
  return withTimeout(checkMs, result, { onTimeout, unref: true });
}

/** Never empty: an AggregateError of a failed connection has no message, but a code. */
function messageOf(error: unknown): string {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined };
  return redactCredentials(message || code || 'failed').slice(0, 300);
}

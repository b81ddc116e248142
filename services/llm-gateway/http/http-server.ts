import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { SpanStatusCode } from '@opentelemetry/api';
import { contextFromHeaders } from '@maw/telemetry/trace-context.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { limits } from '../admission/rate-limit.ts';
import { SERVICE } from '../options.ts';
import { adminRoutes, type Admin } from './admin-routes.ts';
import { askingRoutes, type Models } from './model-routes.ts';
import { bodyOf } from './request-body.ts';
import { deadlineOf, goneOf, pathOf, type Route, sendJson } from './call.ts';
import { type Forwarder, standby } from './forward.ts';
import { errorBody, HttpProblem, problemOf } from './http-problem.ts';
import { type Caller, followKeys, type Key, keysOf } from './api-keys.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where the other gateways reach it; without it where it listens. */
  readonly url?: string | undefined;
  readonly keys: readonly Key[];
  /** Where they stand, to be followed while that changes. */
  readonly keysFile?: string | undefined;
  /** Whether whoever reaches this machine's own address may do everything without a key; only while it listens on that alone. */
  readonly isOpen: boolean;
  /** How long requests in hand may take once the door closes, in milliseconds. */
  readonly graceMs: number;
}

interface Parts {
  readonly models: Models;
  readonly admin: Admin;
  readonly forwarder: Forwarder;
  readonly log: Log;
  now(): number;
  /** The deadline of requests that have none, and how long it is looked for a gateway that schedules, in milliseconds. */
  readonly options: { readonly maxRequestMs: number; readonly patienceMs: number };
}

export interface GatewayHttpServer {
  /** Where it listens. */
  readonly url: string;
  /** Where the other gateways reach it. */
  readonly known: string;
  /** Lets nobody in any more, and lets what is in hand be answered for as long as the grace time. */
  leave(): Promise<void>;
  /** Cuts what is left, once what has been answered is sent. */
  close(): Promise<void>;
}

/** How long what asks no model looks for the gateway that schedules. */
const SHORT_MS = 5_000;
const FLUSH_MS = 1_000;
const TIDY_MS = 10;
/** Longer than the usual rest of connections in front of it, which would send a request just as it closes. */
const KEEP_ALIVE_MS = 75_000;
/** Whoever has no good key may ask so often from one address; more would be guessing, or a flood. */
const STRANGERS = { perMinute: 1_200, burst: 200 };
/** More are hung up on. */
const MOST_CONNECTIONS = 4_096;
/** Node looks for those who send slowly only as often as it is told to. */
const TIMES = { requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: KEEP_ALIVE_MS, connectionsCheckingInterval: 2_000 };

/**
 * Opens the HTTP door: the native address, those of clients of the OpenAI protocol, and those of whoever runs the gateway.
 * @throws Error when nobody could come in, everybody could, or the address cannot be had
 */
export async function startHttpServer(
  parts: Parts,
  { host, port, url, keys, keysFile, isOpen, graceMs }: HttpOptions,
): Promise<GatewayHttpServer> {
  const { log } = parts;
  if (isOpen && !isLoopback(host)) throw new Error(`open to everybody at ${host}: listen on 127.0.0.1, or give out keys instead`);
  if (!isOpen && keys.length === 0) throw new Error('nobody has a key for the HTTP door: name a file of them');
  const inHand = new Set<Promise<void>>();
  let isLeaving = false;
  const known = keysOf(keys, isOpen);
  const house = houseOf(parts, known, () => isLeaving);
  const server = createServer(TIMES, (req, res) => {
    if (isLeaving) res.setHeader('connection', 'close');
    const answered = house(req, res).finally(() => inHand.delete(answered));
    inHand.add(answered);
  });
  server.maxConnections = MOST_CONNECTIONS;
  // Who takes nothing of its answer for longer than any answer may take is not there any more.
  server.setTimeout(parts.options.maxRequestMs + KEEP_ALIVE_MS);
  const at = await new Promise<number>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `the HTTP door cannot be opened at ${host}:${port}: ${code === 'EADDRINUSE' ? 'it is in use; choose another with DOOR_PORT' : message}`,
        ),
      ),
    );
    server.listen({ host, port }, () => resolve((server.address() as { port: number }).port));
  });
  const door = urlOf(host, at);
  const reached = url ?? urlOf(isAnywhere(host) ? addressHere() : host, at);
  log.info({ url: door, known: reached, isOpen }, 'the door is open');
  const following = keysFile === undefined ? undefined : followKeys(known, keysFile, log);
  return {
    url: door,
    known: reached,
    async leave() {
      isLeaving = true;
      server.close();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      await Promise.race([Promise.all(inHand), promise]);
      clearTimeout(timer);
    },
    async close() {
      isLeaving = true;
      following?.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const tidy = setInterval(() => server.closeIdleConnections(), TIDY_MS);
      const cut = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
      await closed;
      clearInterval(tidy);
      clearTimeout(cut);
    },
  };
}

/** Answers every request, whatever comes of it. */
function houseOf({ models, admin, forwarder, log, now, options }: Parts, keys: ReturnType<typeof keysOf>, isLeaving: () => boolean) {
  const strangers = limits(STRANGERS);
  const routes = [...askingRoutes({ models, now }), ...adminRoutes(admin, log)];

  /** @throws HttpProblem */
  function routeOf(path: string, method: string): Route {
    const there = routes.filter((one) => (one.path.endsWith('*') ? path.startsWith(one.path.slice(0, -1)) : path === one.path));
    const route = there.find((one) => one.method === method || (one.method === 'GET' && method === 'HEAD'));
    if (route) return route;
    if (there.length === 0)
      throw new HttpProblem('unknown-route', 'there is nothing at this address; docs/gateway.md lists those there are');
    const allow = there.map((one) => one.method).join(', ');
    throw new HttpProblem('wrong-method', `this address takes ${allow}`, { headers: { allow } });
  }

  /** @throws HttpProblem no-key, bad-key; limited when that comes too often from one address */
  function callerOf({ headers: { authorization, host }, socket }: IncomingMessage): Caller {
    try {
      return keys.callerOf({ authorization, host });
    } catch (error) {
      const retryAfterMs = strangers.admit(socket.remoteAddress ?? 'unknown', now());
      if (retryAfterMs === 0) throw error;
      throw new HttpProblem('limited', 'too many requests without a good key come from this address', { retryAfterMs });
    }
  }

  async function serve(req: IncomingMessage, res: ServerResponse, gone: AbortSignal, route: Route): Promise<void> {
    const caller = callerOf(req);
    if (route.isAdmin && !caller.isAdmin) throw new HttpProblem('forbidden', 'this key may ask models, and not run the gateway');
    const body = route.method === 'GET' ? undefined : await bodyOf(req);
    const deadline = deadlineOf(req, now(), options.maxRequestMs);
    const call = { req, res, caller, body, gone, deadline };
    if (await forwarder.forward(call, route.isAsking ? options.patienceMs : SHORT_MS)) return;
    await route.does(call);
  }

  function refuse(req: IncomingMessage, res: ServerResponse, error: unknown): number {
    const known = problemOf(error) ?? (isLeaving() ? standby('this gateway is closing; ask again') : undefined);
    if (!known) log.error({ err: error }, 'a request at the door failed');
    const problem = known ?? new HttpProblem('failed', 'something went wrong here; it is in the log', { status: 500 });
    metrics.refusals.inc({ service: SERVICE, reason: problem.code });
    if (res.headersSent) {
      // The answer has begun: its reader is told in the stream, which ends without the mark of completeness.
      if (!res.writableEnded) res.end(`data: ${JSON.stringify(errorBody(problem))}\n\n`);
      return problem.status;
    }
    // Clients of Ollama read a text where those of OpenAI read an object.
    const body = pathOf(req).startsWith('/api/')
      ? { error: `${problem.message}; this is no Ollama server, it speaks the protocol of OpenAI at /v1` }
      : errorBody(problem);
    sendJson(res, problem.status, body, problem.headers);
    return problem.status;
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const gone = goneOf(res);
    res.setHeader('x-content-type-options', 'nosniff');
    res.on('error', () => undefined); // it went away while it was written to
    const method = req.method ?? 'GET';
    let route: Route | undefined;
    let unknown: unknown;
    try {
      route = routeOf(pathOf(req), method);
    } catch (error) {
      unknown = error;
    }
    const name = `${method} ${route?.path ?? '(none)'}`;
    const end = metrics.requestSeconds.startTimer({ route: name });
    const attributes = { 'http.request.method': method, 'http.route': route?.path };
    await inSpan(SERVICE, name, { kind: 'server', parent: contextFromHeaders(req.headers), attributes }, async (span) => {
      let status: number;
      try {
        if (!route) throw unknown;
        await serve(req, res, gone, route);
        status = res.statusCode;
      } catch (error) {
        status = gone.aborted || res.destroyed ? GONE : refuse(req, res, error);
      }
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      metrics.requests.inc({ route: name, status: String(status) });
    }).finally(end);
  };
}

/** As others call it when the client has closed its connection. */
const GONE = 499;

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
const isAnywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';
/** An address of this machine that others can reach, as far as it can tell. */
const addressHere = (): string =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';

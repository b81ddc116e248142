import type { IncomingMessage, ServerResponse } from 'node:http';
import { SpanStatusCode } from '@opentelemetry/api';
import { readJsonBytes } from '@maw/http/json-body.ts';
import type { RateLimiter } from '@maw/http/rate-limit.ts';
import { disconnectSignal, sendJson } from '@maw/http/response.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { contextFromHeaders } from '@maw/telemetry/trace-context.ts';
import { SERVICE } from '../defaults.ts';
import { ClientDisconnected } from '../request.ts';
import type { ApiKeys, Caller } from './api-keys.ts';
import { deadlineOf, pathOf, type Route } from './call.ts';
import { type Forwarder, standbyProblem } from './forward.ts';
import { errorBody, HttpProblem, problemOf, withoutServers } from './http-problem.ts';
import type { ModelApi } from './model-routes.ts';

export interface RequestContext {
  readonly keys: ApiKeys;
  /** Limits requests without a valid key. */
  readonly unauthenticated: RateLimiter;
  readonly routes: readonly Route[];
  readonly forwarder: Forwarder;
  readonly models: Pick<ModelApi, 'servers'>;
  readonly log: Log;
  now(): number;
  /** The default deadline, and how long a request waits for a leader, in milliseconds. */
  readonly options: { readonly maxRequestMs: number; readonly patienceMs: number };
  isDraining: boolean;
}

const NOBODY: Caller = { agent: '', tenant: '', isAdmin: false };
/** How long a request that asks no model waits for a leader. */
const SHORT_PATIENCE_MS = 5_000;
/** Requests without a valid key from one address; more would be guessing, or a flood. */
export const UNAUTHENTICATED_RATE = { perMinute: 1_200, burst: 200 };
/** The largest body, in bytes: a long prompt in any language. */
const MAX_BODY = 2_097_152;
/** As nginx reports a client that has closed the connection. */
const CLIENT_CLOSED = 499;

/** Answers a request, with a problem if need be. Never rejects. */
export async function serveRequest(context: RequestContext, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const disconnected = disconnectSignal(res, () => new ClientDisconnected());
  res.setHeader('x-content-type-options', 'nosniff');
  res.on('error', () => undefined); // the client disconnected while it was written to
  const method = req.method ?? 'GET';
  const route = findRoute(context.routes, pathOf(req), method);
  const path = 'handle' in route ? route.path : undefined;
  const name = `${method} ${path ?? '(none)'}`;
  const began = performance.now();
  const attributes = { 'http.request.method': method, 'http.route': path };
  await inSpan(SERVICE, name, { kind: 'server', parent: contextFromHeaders(req.headers), attributes }, async (span) => {
    let status: number;
    try {
      if (!('handle' in route)) throw route;
      await handle(context, req, res, disconnected, route);
      status = res.statusCode;
    } catch (error) {
      status = disconnected.aborted || res.destroyed ? CLIENT_CLOSED : refuse(context, req, res, error);
    }
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    metrics.requests.inc({ route: name, status: String(status) });
    metrics.requestSeconds.observe({ route: name }, (performance.now() - began) / 1000);
  });
}

function findRoute(routes: readonly Route[], path: string, method: string): Route | HttpProblem {
  const matches = routes.filter((one) => (one.path.endsWith('*') ? path.startsWith(one.path.slice(0, -1)) : path === one.path));
  const route = matches.find((one) => one.method === method || (one.method === 'GET' && method === 'HEAD'));
  if (route) return route;
  if (matches.length === 0) return new HttpProblem('unknown-route', 'there is nothing at this path; docs/gateway.md lists the paths');
  const allow = matches.map((one) => one.method).join(', ');
  return new HttpProblem('wrong-method', `this path takes ${allow}`, { headers: { allow } });
}

async function handle(
  context: RequestContext,
  req: IncomingMessage,
  res: ServerResponse,
  disconnected: AbortSignal,
  route: Route,
): Promise<void> {
  const { forwarder, options, now } = context;
  const caller = route.isPublic ? NOBODY : authenticate(context, req);
  if (route.isAdmin && !caller.isAdmin) throw new HttpProblem('forbidden', 'this key may ask models, not administer the gateway');
  const hasBody = route.method === 'POST' || route.method === 'PUT';
  const body = hasBody ? await readJsonBytes(req, MAX_BODY) : undefined;
  const call = { req, res, caller, body, disconnected, deadline: deadlineOf(req, now(), options.maxRequestMs) };
  if (!route.isPublic && (await forwarder.forward(call, route.waitsForModel ? options.patienceMs : SHORT_PATIENCE_MS))) return;
  await route.handle(call);
}

/** @throws HttpProblem no-key, bad-key; limited when these come too often from one address */
function authenticate(
  { keys, unauthenticated, now }: RequestContext,
  { headers: { authorization, host }, socket }: IncomingMessage,
): Caller {
  try {
    return keys.callerOf({ authorization, host });
  } catch (error) {
    const retryAfterMs = unauthenticated.take(socket.remoteAddress ?? 'unknown', now());
    if (retryAfterMs === 0) throw error;
    throw new HttpProblem('limited', 'too many requests without a valid key from this address', { retryAfterMs });
  }
}

function isAdministrator({ keys }: RequestContext, { headers: { authorization, host } }: IncomingMessage): boolean {
  try {
    return keys.callerOf({ authorization, host }).isAdmin;
  } catch {
    return false;
  }
}

/** Sends a problem. Returns its status. */
function refuse(context: RequestContext, req: IncomingMessage, res: ServerResponse, error: unknown): number {
  const { log, isDraining, models } = context;
  const known = problemOf(error) ?? (isDraining ? standbyProblem('this gateway is closing; ask again') : undefined);
  if (!known) log.error({ err: error }, 'an HTTP request failed');
  const problem = known ?? new HttpProblem('failed', 'internal error; the log has the details', { status: 500 });
  const { code, status, content } = problem;
  const message = isAdministrator(context, req) ? problem.message : withoutServers(problem.message, models.servers());
  const told = { message, code, status, content };
  metrics.refusals.inc({ service: SERVICE, reason: problem.code });
  // Clients of Ollama read a text where those of OpenAI read an object.
  const isOllama = pathOf(req).startsWith('/api/');
  const body = isOllama ? { error: message } : errorBody(told);
  if (res.headersSent) {
    // The stream ends with the error instead of its end mark.
    if (!res.writableEnded) res.end(isOllama ? `${JSON.stringify(body)}\n` : `data: ${JSON.stringify(body)}\n\n`);
    return problem.status;
  }
  sendJson(res, problem.status, body, problem.headers);
  return problem.status;
}

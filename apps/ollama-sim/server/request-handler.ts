import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { text } from 'node:stream/consumers';
import { escape } from '@maw/http/markup.ts';
import { newWaitList } from '../wait-list.ts';
import { HttpError, RequestCanceled } from '../errors.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import { type Exchange, openExchange } from '../http/exchange.ts';
import { hostAllowed, isLoopback } from './host.ts';
import { reset, sendJson, sendText } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { REFUSE_MS } from '../api/sim.ts';
import { routesOf } from './routes.ts';

/** Answers one request. Never rejects. */
export const serve = async (server: SimulatedServer, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const exchange = openExchange(server, request, response, path);
  server.stats.requests++;
  const known = routesOf(path);
  if (known !== undefined) server.stats.byPath[path] = (server.stats.byPath[path] ?? 0) + 1;
  let route: Route | undefined;
  try {
    const clean = cleanPath(path);
    if (clean !== path) return redirect(exchange, [clean, ...query].join('?'));
    if (isLoopback(server.settings.host) && !hostAllowed(request.headers.host)) return sendText(exchange, 403, '');
    if (known === undefined) return sendText(exchange, 404, '404 page not found');
    route = known[request.method ?? ''];
    if (route === undefined) {
      response.setHeader('Allow', Object.keys(known).join(', '));
      return sendText(exchange, 405, '405 method not allowed');
    }
    exchange.body = await text(request);
    const header = request.headers['x-sim-fault'];
    exchange.fault = server.faults.trip(path, route.inference === true, typeof header === 'string' ? header : undefined);
    await strikeAtOnce(exchange);
    await route.run(exchange);
  } catch (thrown) {
    await fail(exchange, route, thrown);
  }
};

/** Injects the faults that precede the route. */
const strikeAtOnce = async (exchange: Exchange): Promise<void> => {
  const { server, fault, client } = exchange;
  if (fault?.name === 'accept-and-hang') await newWaitList().wait(client.signal);
  if (fault?.name === 'connection-refused') await server.refuseConnections(fault.ms ?? REFUSE_MS);
  if (fault?.name === 'connection-refused' || fault?.name === 'reset-before-headers') await reset(exchange);
  if (fault?.name === 'sigterm') {
    exchange.wasCut = true;
    await server.close();
    throw new RequestCanceled();
  }
};

const fail = async (exchange: Exchange, route: Route | undefined, thrown: unknown): Promise<void> => {
  const { response, client } = exchange;
  // An aborted client gets the reason, unless it left itself.
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof RequestCanceled || response.destroyed || (client.signal.aborted && client.signal.reason instanceof RequestCanceled))
    return;
  if (exchange.failStream !== undefined) return exchange.failStream(error);
  if (response.headersSent) return void response.destroy();
  const status = error instanceof HttpError ? error.status : 500;
  sendJson(exchange, status, route?.error?.(error, status) ?? { error: error.message });
};

/** Normalizes a path as Go's mux does: no double slashes, no dots; a trailing slash stays. */
const cleanPath = (path: string): string => {
  const clean = posix.normalize(path.startsWith('/') ? path : `/${path}`);
  return clean.replace(/^\/+/, '/');
};

const redirect = (exchange: Exchange, to: string): void => {
  exchange.response.setHeader('Location', to);
  const reader = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
  sendText(
    exchange,
    301,
    reader ? `<a href="${escape(to)}">Moved Permanently</a>.\n\n` : '',
    'text/html; charset=utf-8',
  );
};

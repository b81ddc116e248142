import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { embed, openaiEmbeddings } from '../api/embed.ts';
import { openaiModels, ps, show, tags, version } from '../api/models.ts';
import { chat } from '../api/native.ts';
import { openaiChat } from '../api/openai-chat.ts';
import { armFault, clearFaults, listFaults, REFUSE_MS } from '../api/sim.ts';
import { HttpError, RequestCanceled } from '../errors.ts';
import { type Exchange, openExchange, type Route } from '../http/exchange.ts';
import { cut, sendJson, sendText } from '../http/reply.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import { newWaitList } from '../wait-list.ts';

/** The routes of a path by method. */
type Routes = Readonly<Record<string, Route>>;

const root: Route = { run: (exchange) => sendText(exchange, 200, 'Ollama is running', 'text/plain; charset=utf-8') };

const ROUTES: ReadonlyMap<string, Routes> = new Map<string, Routes>([
  ['/', { GET: root, HEAD: root }],
  ['/api/version', { GET: version, HEAD: version }],
  ['/api/tags', { GET: tags, HEAD: tags }],
  ['/api/ps', { GET: ps }],
  ['/api/show', { POST: show }],
  ['/api/chat', { POST: chat }],
  ['/api/embed', { POST: embed }],
  ['/v1/chat/completions', { POST: openaiChat }],
  ['/v1/embeddings', { POST: openaiEmbeddings }],
  ['/v1/models', { GET: openaiModels }],
  ['/sim/faults', { GET: listFaults, POST: armFault, DELETE: clearFaults }],
]);

/** Answers one request. Never rejects. */
export const serve = async (server: SimulatedServer, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = '/'] = (request.url ?? '/').split('?');
  const exchange = openExchange(server, request, response, path);
  server.stats.requests++;
  const known = ROUTES.get(path);
  if (known === undefined) return sendText(exchange, 404, '404 page not found');
  server.stats.byPath[path] = (server.stats.byPath[path] ?? 0) + 1;
  const route = known[request.method ?? ''];
  if (route === undefined) {
    response.setHeader('Allow', Object.keys(known).join(', '));
    return sendText(exchange, 405, '405 method not allowed');
  }
  try {
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
  if (fault?.name === 'connection-refused' || fault?.name === 'reset-before-headers') await cut(exchange, 'resetAndDestroy');
  if (fault?.name === 'sigterm') {
    exchange.wasCut = true;
    await server.close();
    throw new RequestCanceled();
  }
};

const fail = async (exchange: Exchange, route: Route, thrown: unknown): Promise<void> => {
  const { response, client } = exchange;
  // An aborted client gets the reason, unless it left itself.
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof RequestCanceled || response.destroyed || (client.signal.aborted && client.signal.reason instanceof RequestCanceled))
    return;
  if (exchange.failStream !== undefined) return exchange.failStream(error);
  if (response.headersSent) return void response.destroy();
  const status = error instanceof HttpError ? error.status : 500;
  sendJson(exchange, status, route.error?.(error, status) ?? { error: error.message });
};

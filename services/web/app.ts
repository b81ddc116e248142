import type { IncomingMessage } from 'node:http';
import { context, SpanStatusCode } from '@opentelemetry/api';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { sendJson, sendText } from '@maw/http/response.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute } from '@maw/telemetry/span-names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { contextFromHeaders, untraced } from '@maw/telemetry/trace-context.ts';
import { handleRequest, type RequestDeps } from './handle-request.ts';
import { openApiDocument } from './openapi.ts';
import { sendStaticFile, type StaticFiles } from './pages/static-files.ts';
import { Problem, problemOf } from './problem.ts';
import { SECURITY_HEADERS, sendAnswer, sendProblem } from './respond.ts';
import type { RequestLimits } from './request-limits.ts';
import type { Route } from './route.ts';

/** The status in metrics of clients that disconnect before the response, as nginx has it; it is never sent. */
const CLIENT_CLOSED_REQUEST = 499;
const NO_ROUTE = '(none)';
const CONSOLE_FILE = '(console)';

interface AppDeps extends RequestDeps {
  readonly routes: readonly Route[];
  readonly log: Log;
  /** The console; without it `/` is a page of text. */
  readonly console?: StaticFiles | undefined;
  /** How many reverse proxies stand in front, whose `X-Forwarded-For` is trusted. */
  readonly proxies: number;
}

type Serve = (path: string, respond: (req: Request, res: Response) => Promise<number>, isUntraced?: boolean) => express.RequestHandler;

/** The Express application that serves the routes. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.proxies);
  app.use((_req, res, next) => {
    res.set(SECURITY_HEADERS);
    next();
  });
  const serve: Serve =
    (path, respond, isUntraced = false) =>
    (req, res) =>
      serveRequest(deps, { path, isUntraced }, respond, req, res);
  addPages(app, serve, deps);
  for (const [path, routes] of Map.groupBy(deps.routes, (route) => route.path)) addRoutes(app, serve, deps, path, routes);
  if (deps.console) addConsole(app, serve, deps, deps.console);
  app.use(serve(NO_ROUTE, rejectWith(new Problem('unknown-route', 'GET /openapi.json lists every address'))));
  // Express recognises an error handler by its four parameters.
  app.use((error: Error, req: Request, res: Response, next: NextFunction) => serve(NO_ROUTE, rejectWith(error))(req, res, next));
  return app;
}

type SendPage = (req: Request, res: Response) => number;

/** The addresses without a token; requests are counted by address all the same. */
function addPages(app: Express, serve: Serve, { limits, routes, console }: AppDeps): void {
  // It takes longer to make than all else at the start of the service.
  let made: string | undefined;
  const document = () => (made ??= JSON.stringify(openApiDocument(routes)));
  const pages: { readonly [path: string]: SendPage } = {
    '/': (req, res) => sendHomePage(req, res, console),
    '/openapi.json': (_req, res) => {
      sendText(res, 200, document(), 'application/json; charset=utf-8');
      return 200;
    },
  };
  for (const [path, send] of Object.entries(pages))
    app
      .route(path)
      .get(serve(path, countedPage(limits, send)))
      .all(serve(path, rejectWith(wrongMethod('GET, HEAD'))));
}

const HOME_DOCUMENT = {
  name: 'MAW',
  description: 'The HTTP API of a system in which agents and people play Werewolf, Avalon and related games.',
  authorization: 'Every address of a link below needs the header `Authorization: Bearer TOKEN`.',
  play: './maw play --at ADDRESS --token TOKEN --human NAME',
  openapi: '/openapi.json',
  links: { rules: '/rules', tables: '/tables' },
};

/** Says what this address is: with the console to browsers, if there is one, and with JSON otherwise. Returns the status. */
function sendHomePage(req: Request, res: Response, console: StaticFiles | undefined): number {
  if (console && req.accepts(['json', 'html']) === 'html') return sendStaticFile(console.index, req, res);
  sendJson(res, 200, HOME_DOCUMENT, { Vary: 'Accept' });
  return 200;
}

const countedPage =
  (limits: RequestLimits, send: SendPage) =>
  async (req: Request, res: Response): Promise<number> => {
    limits.countStranger(req.ip);
    return send(req, res);
  };

/** The files of the console, at every path that is no other address. */
function addConsole(app: Express, serve: Serve, { limits }: AppDeps, console: StaticFiles): void {
  app.use((req, res, next) => {
    const file = req.method === 'GET' || req.method === 'HEAD' ? console.find(req.path) : undefined;
    if (!file) return next();
    return serve(
      CONSOLE_FILE,
      countedPage(limits, () => sendStaticFile(file, req, res)),
    )(req, res, next);
  });
}

/** Responds with an error. */
function rejectWith(error: Error): () => Promise<never> {
  return async () => {
    throw error;
  };
}

function addRoutes(app: Express, serve: Serve, deps: AppDeps, path: string, routes: readonly Route[]): void {
  const at = app.route(path);
  for (const route of routes) {
    const respond = async (req: Request, res: Response) => sendAnswer(req, res, await handleRequest(deps, route, req, res), deps.log);
    const handler = serve(path, respond, route.isUntraced);
    if (route.method === 'GET') at.get(handler);
    else if (route.method === 'POST') at.post(handler);
    else at.delete(handler);
  }
  const allow = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  at.all(serve(path, rejectWith(wrongMethod(allow))));
}

const wrongMethod = (allow: string): Problem => new Problem('wrong-method', `this address takes ${allow}`, { headers: { Allow: allow } });

/** Measures a request and turns what `respond` throws into a problem. */
async function serveRequest(
  { log }: AppDeps,
  about: { readonly path: string; readonly isUntraced: boolean },
  respond: (req: Request, res: Response) => Promise<number>,
  req: Request,
  res: Response,
): Promise<void> {
  const { table } = req.params;
  await withRequestSpan(req, { ...about, table: typeof table === 'string' ? table : undefined }, async () => {
    try {
      return await respond(req, res);
    } catch (error) {
      // Refusals of a client that has left are counted, and internal errors are logged as always.
      const known = problemOf(error);
      if (!res.destroyed || !known) return sendProblem(res, error, log);
      if (known.reason !== 'failed') metrics.refusals.inc({ service: 'web', reason: known.reason }); // `failed`: it has left
      return CLIENT_CLOSED_REQUEST;
    }
  });
}

/**
 * Counts, times and traces a request under the pattern of its route; a label per path would be one per table.
 * @param respond answers the request and returns the status
 */
async function withRequestSpan(
  req: IncomingMessage,
  { path, table, isUntraced }: { readonly path: string; readonly table: string | undefined; readonly isUntraced: boolean },
  respond: () => Promise<number>,
): Promise<void> {
  const method = req.method ?? 'GET';
  const route = `${method} ${path}`;
  const end = metrics.requestSeconds.startTimer({ route });
  const attributes = { 'http.request.method': method, 'http.route': path, [attribute.table]: table };
  const parent = isUntraced ? untraced(() => context.active()) : contextFromHeaders(req.headers);
  await inSpan('web', route, { kind: 'server', parent, attributes }, async (span) => {
    const status = await respond();
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    metrics.requests.inc({ route, status: String(status) });
  }).finally(end);
}

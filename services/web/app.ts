import { randomUUID } from 'node:crypto';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Bearer, bearers } from './bearer.ts';
import { documentOf, kinds, Problem, problemOf } from './problem.ts';
import { observed } from './observe.ts';
import { type Answer, type Call, callId, type Route } from './route.ts';
import { TooSlow } from './sse.ts';

/** The largest body, in bytes. */
export const MOST_BODY = 64 * 1024;

/** Nothing here is a page, may be kept, framed, or taken for something else. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const NOWHERE = '(none)';

export interface AppParts {
  readonly routes: readonly Route[];
  readonly bearerOf: ReturnType<typeof bearers>;
  readonly log: Log;
}

/** The routes behind one door: what is the same for all of them is done here. */
export function app({ routes, bearerOf, log }: AppParts): Express {
  const house = express();
  house.disable('x-powered-by');
  house.disable('etag');
  house.use((_req, res, next) => {
    res.set(HEADERS);
    next();
  });
  const parse = express.json({ limit: MOST_BODY, type: 'application/json', inflate: false });

  async function handle(route: Route, req: Request, res: Response): Promise<Answer> {
    const bearer = await bearerOf({ authorization: req.headers.authorization, host: req.headers.host });
    const body = req.method === 'POST' ? await bodyOf(req, res) : undefined;
    return route.does(callOf(req, res, bearer, body));
  }

  async function bodyOf(req: Request, res: Response): Promise<unknown> {
    const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
    if (hasBody && !req.is('application/json')) throw new Problem('not-json', 'send application/json');
    await new Promise<void>((resolve, reject) => parse(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error))));
    return req.body as unknown;
  }

  /** Sends an answer. Returns its status once it is sent, or, for what is written bit by bit, once that has begun. */
  function send(req: Request, res: Response, given: Answer): number {
    if (!('pours' in given)) {
      res
        .status(given.status)
        .set(given.headers ?? {})
        .json(given.body);
      return given.status;
    }
    res.status(200).set({ 'Content-Type': given.type, 'X-Accel-Buffering': 'no' });
    if (req.method === 'HEAD' || res.destroyed) {
      given.drop?.();
      res.end();
      return 200;
    }
    res.flushHeaders();
    given.pours(res).catch((error: unknown) => {
      if (!(res.destroyed || error instanceof TooSlow)) log.error({ err: error }, 'a stream broke');
      res.destroy(); // cut short, and to be seen as such
    });
    return 200;
  }

  function sendProblem(res: Response, error: unknown): number {
    const known = problemOf(error);
    const instance = known ? undefined : `urn:uuid:${randomUUID()}`;
    if (!known) log.error({ err: error, instance }, 'a request failed');
    const problem = known ?? new Problem('failed', 'it is in the log under this instance; try again');
    const { status } = kinds[problem.reason];
    metrics.refusals.inc({ service: 'web', reason: problem.reason });
    if (res.headersSent) res.destroy();
    else
      res
        .status(status)
        .set(problem.headers)
        .type('application/problem+json')
        .send(JSON.stringify(documentOf(problem, instance)));
    return status;
  }

  const serve = (path: string, does: (req: Request, res: Response) => Promise<number>) => async (req: Request, res: Response) => {
    const { table } = req.params;
    await observed(req, { path, table: typeof table === 'string' ? table : undefined }, async () => {
      try {
        return await does(req, res);
      } catch (error) {
        return sendProblem(res, error);
      }
    });
  };

  for (const [path, own] of Map.groupBy(routes, (route) => route.path)) {
    const at = house.route(path);
    const does = (route: Route) => serve(path, async (req, res) => send(req, res, await handle(route, req, res)));
    for (const route of own) {
      if (route.method === 'GET') at.get(does(route));
      else at.post(does(route));
    }
    const allow = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    const wrong = new Problem('wrong-method', `this address takes ${allow}`, { headers: { Allow: allow } });
    at.all(serve(path, () => Promise.reject(wrong)));
  }
  house.use(serve(NOWHERE, () => Promise.reject(new Problem('unknown-route', 'docs/http.md lists every address'))));
  // Express tells this one by its four parameters.
  house.use(async (fault: unknown, req: Request, res: Response, _next: NextFunction) => {
    await serve(NOWHERE, () => Promise.reject(fault))(req, res);
  });
  return house;
}

function callOf(req: Request, res: Response, bearer: Bearer, body: unknown): Call {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort(new Problem('failed', 'the asker has gone'));
  });
  const lastEventId = req.headers['last-event-id'];
  return {
    params: Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value])),
    query: { ...req.query },
    body,
    bearer,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    id: callId(req, bearer, body),
    signal: gone.signal,
  };
}

import { randomUUID } from 'node:crypto';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { Bearer, authenticator } from './auth/authenticate.ts';
import { requireToken } from './auth/authorize.ts';
import { readLeftover } from './leftover.ts';
import { paces, placeOf } from './pace.ts';
import { documentOf, kinds, Problem, problemOf } from './problem.ts';
import { withRequestSpan } from './request-span.ts';
import { type Answer, type Call, callId, type Route } from './route.ts';
import { TooSlow } from './sse.ts';

/** The largest body, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Nothing here is a page, may be kept, framed, or taken for something else. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** The status under which those are counted who hung up before they were answered; nobody is sent it. It is nginx's. */
const ASKER_GONE = 499;
const NOWHERE = '(none)';

export interface AppParts {
  readonly routes: readonly Route[];
  readonly bearerOf: ReturnType<typeof authenticator>;
  readonly trail: AuditTrail;
  readonly log: Log;
  readonly now: () => number;
  readonly limits: RequestLimits;
}

/** How fast the door may be asked. */
export interface RequestLimits {
  /** Requests per second with one token, and at once; administrators may ask as fast as they like. */
  readonly perToken: number;
  readonly tokenBurst: number;
  /** The same for requests without a good token, by the address they come from. */
  readonly perAddress: number;
  readonly addressBurst: number;
  /** How many proxies of one's own stand in front and say in `X-Forwarded-For` who asks; 0: nobody is believed. */
  readonly proxies: number;
  /** How long a refusal waits for the rest of its request. */
  readonly drainMs: number;
}

/** The routes behind one door: what is the same for all of them is done here. */
export function createApp({ routes, bearerOf, trail, log, now, limits }: AppParts): Express {
  const house = express();
  house.disable('x-powered-by');
  house.disable('etag');
  house.set('trust proxy', limits.proxies);
  const tokens = paces({ perSecond: limits.perToken, burst: limits.tokenBurst, now });
  const addresses = paces({ perSecond: limits.perAddress, burst: limits.addressBurst, now });
  house.use((_req, res, next) => {
    res.set(HEADERS);
    next();
  });
  const parse = express.json({ limit: MAX_BODY_BYTES, type: 'application/json', inflate: false });

  async function handle(route: Route, req: Request, res: Response): Promise<Answer> {
    const bearer = await bearerFor(req);
    requireToken(bearer);
    const acts = bearer.pass.role === 'admin' && route.method !== 'GET';
    const facts: { [fact: string]: unknown } = paramsOf(req);
    // Before anything else is waited for: of one who has hung up no body is to be had any more.
    const [read] = await Promise.allSettled([callFrom(req, res, bearer, facts)]);
    if (!acts) return route.handle(wanted(read));
    if (read.status === 'rejected' && res.destroyed) throw read.reason; // it never came whole: nobody has asked for anything
    const intention = { ...doneBy(req, bearer, route), at: now(), about: paramsOf(req) };
    const id = await trail.begin(intention);
    const answered = does();
    await trail.finish(id, intention, { about: facts, outcome: await outcomeOf(answered) });
    return answered;

    /** An act that cannot be read is one too: it is refused, and that is what came of it. */
    async function does(): Promise<Answer> {
      const call = wanted(read);
      call.signal.throwIfAborted(); // whoever went before it was begun would not know that it was done
      return route.handle(call);
    }
  }

  const callFrom = async (req: Request, res: Response, bearer: Bearer, facts: { [fact: string]: unknown }): Promise<Call> =>
    callOf(req, res, bearer, req.method === 'POST' ? await bodyOf(req, res) : undefined, facts);

  /** Who asks, if it is not too fast. What comes without a good token is counted by the address it comes from. @throws Problem */
  async function bearerFor(req: Request): Promise<Bearer> {
    const { authorization, host } = req.headers;
    const bearer = await bearerOf({ authorization, host }).catch((error: unknown) => {
      addresses.take(placeOf(req.ip));
      throw error;
    });
    const { role } = bearer.pass;
    if (role === 'nobody' || role === 'anybody') addresses.take(placeOf(req.ip));
    else if (role !== 'admin') tokens.take(bearer.id);
    return bearer;
  }

  async function bodyOf(req: Request, res: Response): Promise<unknown> {
    const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
    if (hasBody && !req.is('application/json')) throw new Problem('not-json', 'send application/json');
    await new Promise<void>((resolve, reject) => parse(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error))));
    // Who has hung up is parsed as one who has sent nothing, and what is left out means something else than what was said.
    if (hasBody && req.body === undefined) throw new Problem('unreadable', 'the body did not come whole');
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
      if (!(res.destroyed || error instanceof TooSlow || error instanceof Problem)) log.error({ err: error }, 'a stream broke');
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
    await withRequestSpan(req, { path, table: typeof table === 'string' ? table : undefined }, async () => {
      try {
        return await does(req, res);
      } catch (error) {
        // Whoever hung up is told nothing, but what was refused is counted, and a fault of ours is to be seen, whoever has gone.
        const known = problemOf(error);
        if (!res.destroyed) await readLeftover(req, limits.drainMs);
        if (!res.destroyed || !known) return sendProblem(res, error);
        if (known.reason !== 'failed') metrics.refusals.inc({ service: 'web', reason: known.reason }); // `failed`: that they have gone
        return ASKER_GONE;
      }
    });
  };

  for (const [path, own] of Map.groupBy(routes, (route) => route.path)) {
    const at = house.route(path);
    const does = (route: Route) => serve(path, async (req, res) => send(req, res, await handle(route, req, res)));
    for (const route of own) {
      if (route.method === 'GET') at.get(does(route));
      else if (route.method === 'POST') at.post(does(route));
      else at.delete(does(route));
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

/** Who did what, and from where, as the audit log has it. */
const doneBy = (req: Request, { name, id }: Bearer, { method, path }: Route) => ({
  who: name,
  token: id,
  from: req.ip ?? 'unknown',
  what: `${method} ${path}`,
});

/** What came, if it did. @throws what it failed with */
function wanted<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

const outcomeOf = (answered: Promise<unknown>): Promise<string> =>
  answered.then(
    () => 'done',
    (error: unknown) => problemOf(error)?.reason ?? 'failed',
  );

const paramsOf = (req: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value]));

function callOf(req: Request, res: Response, bearer: Bearer, body: unknown, facts: { [fact: string]: unknown }): Call {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort(new Problem('failed', 'the asker has gone'));
  });
  const lastEventId = req.headers['last-event-id'];
  return {
    params: paramsOf(req),
    query: { ...req.query },
    body,
    bearer,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    id: callId(req, bearer, body),
    note: (more) => void Object.assign(facts, more),
    signal: gone.signal,
  };
}

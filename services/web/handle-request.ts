import type { Request, Response } from 'express';
import { clientNetwork } from '@maw/http/address.ts';
import { hasBody, parseJson, readJsonBytes } from '@maw/http/json-body.ts';
import { disconnectSignal } from '@maw/http/response.ts';
import { isOtherOrigin } from '@maw/service/loopback.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { Authenticate } from './auth/authenticate.ts';
import type { Bearer } from './auth/roles.ts';
import { requireToken } from './auth/authorize.ts';
import { Problem, problemOf } from './problem.ts';
import { MAX_BODY_BYTES, type RequestLimits } from './request-limits.ts';
import { type RouteResponse, callId, type RawCall, type Route } from './route.ts';

export interface RequestDeps {
  readonly authenticate: Authenticate;
  readonly limits: RequestLimits;
  readonly trail: AuditTrail;
  readonly now: () => number;
}

const OTHER_PAGE = 'a page of another address may change nothing here: open the page of this one, or send no Origin';

/** A browser says where its page is from. Behind a proxy that changes `Host`, newer ones say, too, that it is from here. */
const isOfOtherPage = ({ headers }: Request): boolean => isOtherOrigin(headers) && headers['sec-fetch-site'] !== 'same-origin';

type Facts = { [fact: string]: unknown };

/** Authenticates and limits a request, reads it, runs its route, and writes what administrators do to the audit log. @throws Problem */
export async function handleRequest(deps: RequestDeps, route: Route, req: Request, res: Response): Promise<RouteResponse> {
  if (req.method !== 'GET' && req.method !== 'HEAD' && isOfOtherPage(req)) throw new Problem('forbidden', OTHER_PAGE);
  const bearer = await bearerOf(deps, req);
  if (!route.permits.isPublic) requireToken(bearer);
  const facts: Facts = paramsOf(req);
  // Read before anything else is awaited: the body of a client that has disconnected is lost.
  const [call] = await Promise.allSettled([readCall(req, res, { bearer, facts, maxBytes: route.maxBodyBytes ?? MAX_BODY_BYTES })]);
  if (bearer.pass.role !== 'admin' || route.method === 'GET') return route.handle(fulfilled(call));
  if (call.status === 'rejected' && res.destroyed) throw call.reason; // never came whole: nothing was requested
  return auditedAnswer(deps, route, req, bearer, call, facts);
}

/** An act that cannot be read is audited as well: its outcome is a refusal. */
async function auditedAnswer(
  { trail, now }: RequestDeps,
  route: Route,
  req: Request,
  { name, id: token }: Bearer,
  call: PromiseSettledResult<RawCall>,
  facts: Facts,
): Promise<RouteResponse> {
  const act = { who: name, token, from: req.ip ?? 'unknown', what: `${route.method} ${route.path}`, at: now(), about: paramsOf(req) };
  const id = await trail.begin(act);
  const answered = runRoute(route, call);
  await trail.finish(id, act, { about: facts, outcome: await outcomeOf(answered) });
  return answered;
}

async function runRoute(route: Route, settled: PromiseSettledResult<RawCall>): Promise<RouteResponse> {
  const call = fulfilled(settled);
  call.signal.throwIfAborted(); // a client that has left would not learn that it was done
  return route.handle(call);
}

/** @throws Problem bad-token, too-fast; requests without a valid token are counted by address */
async function bearerOf(deps: RequestDeps, req: Request): Promise<Bearer> {
  const { limits } = deps;
  const { ip } = req;
  const bearer = await deps.authenticate(req.headers).catch((error: unknown) => {
    limits.countStranger(ip);
    throw error;
  });
  limits.count(bearer, ip);
  return bearer;
}

interface Reading {
  readonly bearer: Bearer;
  readonly facts: Facts;
  readonly maxBytes: number;
}

async function readCall(req: Request, res: Response, { bearer, facts, maxBytes }: Reading): Promise<RawCall> {
  const body = req.method === 'POST' && hasBody(req) ? await readJsonObject(req, maxBytes) : undefined;
  const lastEventId = req.headers['last-event-id'];
  return {
    params: paramsOf(req),
    query: { ...req.query },
    body,
    bearer,
    client: clientNetwork(req.ip),
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    id: callId(req, bearer, body),
    note: (more) => void Object.assign(facts, more),
    signal: disconnectSignal(res, () => new Problem('failed', 'the client disconnected')),
  };
}

/** @throws HttpProblem not-json, too-large, unreadable */
async function readJsonObject(req: Request, maxBytes: number): Promise<object> {
  const bytes = await readJsonBytes(req, maxBytes);
  const body = bytes.length === 0 ? {} : parseJson(bytes);
  if (typeof body === 'object' && body !== null) return body;
  throw new Problem('unreadable', 'the body must be a JSON object');
}

function fulfilled<T>(settled: PromiseSettledResult<T>): T {
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

import type { linkRoutes } from '@maw/contracts/http/links.ts';
import { retryAfter } from '@maw/http/problem.ts';
import { rateLimiter } from '@maw/http/rate-limit.ts';
import type { StoredToken } from '@maw/store/ports/tokens.ts';
import { denied } from '../auth/authorize.ts';
import type { Bearer } from '../auth/authenticate.ts';
import { type Pass, subjectOf } from '../auth/roles.ts';
import { Problem } from '../problem.ts';
import { answer, type Call, type Handlers, type RouteResponse } from '../route.ts';
import { requireFitting, type TokenRouteDeps } from './tokens.ts';

/** How many wrong codes an address may send, at once and in each minute. */
const WRONG_CODES = 10;

export interface LinkRouteDeps extends TokenRouteDeps {
  readonly now: () => number;
}

/** Making, listing, revoking and opening short links. */
export const linkHandlers = (deps: LinkRouteDeps): Handlers<keyof typeof linkRoutes> => ({
  'POST /tables/:table/links': (call) => make(deps, call),
  'GET /tables/:table/links': (call) => list(deps, call),
  'DELETE /tables/:table/links/:id': (call) => revoke(deps, call),
  'POST /links/open': opener(deps),
});

/** Who made a link: administrators have names, seats are named by their place. */
const makerOf = ({ pass, name }: Bearer): string => (pass.role === 'admin' ? name : subjectOf(pass as Pass));

async function make(deps: LinkRouteDeps, call: Call<'POST /tables/:table/links'>): Promise<RouteResponse> {
  const { ttlMs, ...wanted } = call.body;
  const pass = { ...wanted, table: call.params.table };
  call.note({ ...pass, id: call.id });
  const isWatching = pass.role === 'spectator' && pass.view !== 'narrator';
  if (call.bearer.pass.role !== 'admin' && !isWatching) throw denied(call.bearer, 'a seat makes links to watch as the audience only');
  await requireFitting(deps, pass, call);
  const { stored, code } = await deps.issuer.issueLink(pass, { id: call.id, name: subjectOf(pass), by: makerOf(call.bearer), ttlMs });
  return answer({ ...factsOf(stored), code }, 201);
}

async function list({ issuer }: LinkRouteDeps, { params: { table }, bearer }: Call<'GET /tables/:table/links'>): Promise<RouteResponse> {
  const tokens = await issuer.list({ table, limit: 1_000 });
  const links = tokens.filter((token) => token.digest !== undefined && maySee(bearer, token));
  return answer({ links: links.map((link) => ({ ...factsOf(link), by: link.by, isRevoked: link.isRevoked })) });
}

async function revoke({ issuer }: LinkRouteDeps, { params, bearer }: Call<'DELETE /tables/:table/links/:id'>): Promise<RouteResponse> {
  const { table, id } = params;
  const link = await issuer.find(id);
  if (link?.digest === undefined || link.table !== table || !maySee(bearer, link))
    throw new Problem('unknown-token', 'there is no such link of yours: GET /tables/TABLE/links lists them');
  await issuer.revoke({ id });
  return answer({ id });
}

const maySee = (bearer: Bearer, { by }: StoredToken): boolean => bearer.pass.role === 'admin' || by === makerOf(bearer);

const factsOf = ({ id, role, table, seat, view, until }: StoredToken) => ({ id, role, table, seat, view, until });

/** Counts wrong codes by address. An address that waits is told nothing of right ones either. */
function opener({ issuer, now }: LinkRouteDeps) {
  const wrongCodes = rateLimiter({ perMinute: WRONG_CODES, burst: WRONG_CODES });
  return async ({ body: { code }, client }: Call<'POST /links/open'>): Promise<RouteResponse> => {
    const waitMs = wrongCodes.take(client, now());
    if (waitMs > 0) {
      const headers = retryAfter(waitMs);
      const detail = `${WRONG_CODES} wrong codes came from your address: wait ${headers['Retry-After']} s, and look at the code again`;
      throw new Problem('too-fast', detail, { headers });
    }
    let isWrong = false;
    try {
      const link = await issuer.openLink(code);
      isWrong = typeof link === 'string';
      if (typeof link === 'string') throw new Problem('unknown-token', link);
      return answer({ ...factsOf(link.stored), token: link.token }, 201);
    } finally {
      if (!isWrong) wrongCodes.settle(client, now(), -1);
    }
  };
}

import type { tokenRoutes } from '@maw/contracts/http/tokens.ts';
import { type AuditEntry, type AuditLog, OUTCOME_PENDING } from '@maw/store/ports/audit-log.ts';
import { readName } from '@maw/games/match/player-name.ts';
import program from '../package.json' with { type: 'json' };
import { denied, requireSeat } from '../auth/authorize.ts';
import { type Bearer, type Pass, subjectOf } from '../auth/roles.ts';
import { orUnavailable, type TokenIssuer } from '../auth/token-issuer.ts';
import { type Ask, summaryOf } from '../bus-client.ts';
import type { WebOptions } from '../defaults.ts';
import { Problem } from '../problem.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';

export interface TokenRouteDeps extends Pick<WebOptions, 'isOpen' | 'networkHost'> {
  readonly ask: Ask;
  readonly issuer: TokenIssuer;
  readonly audit: Pick<AuditLog, 'list'>;
}

/** How many links a seat may make that have not expired. */
const MAX_LINKS = 100;

/** Issuing, renewing, revoking and listing tokens, what a token permits, and the audit log. */
export const tokenHandlers = (deps: TokenRouteDeps): Handlers<Exclude<keyof typeof tokenRoutes, 'POST /links/open'> | 'GET /me'> => ({
  'GET /me': async ({ bearer: { pass, name, until } }) =>
    answer({
      ...pass,
      name,
      ...(until === undefined ? {} : { until }),
      isOpen: deps.isOpen,
      version: program.version,
      networkHost: deps.networkHost,
    }),
  'POST /tokens': (call) => issue(deps, call),
  'GET /tokens': (call) => list(deps, call),
  'POST /tokens/renew': (call) => renew(deps, call),
  'DELETE /tokens/:id': (call) => revokeToken(deps, call),
  'POST /tables/:table/revoke': (call) => revokeTable(deps, call),
  'GET /audit': (call) => listActs(deps, call),
});

async function issue(deps: TokenRouteDeps, call: Call<'POST /tokens'>): Promise<RouteResponse> {
  const { ttlMs, name: given, isLink, ...pass } = { isLink: undefined, ...call.body };
  const { bearer } = call;
  const isToWatch = isLink && pass.role === 'spectator' && pass.view !== 'narrator';
  if (bearer.pass.role === 'seat' && !(isToWatch && pass.table === bearer.pass.table))
    throw denied(bearer, 'a seat makes links to watch its table as the audience, and no other tokens');
  if (bearer.pass.role === 'seat' && (await tokensFor(deps, bearer, { limit: MAX_LINKS })).length >= MAX_LINKS)
    throw new Problem('limited', `your seat has made ${MAX_LINKS} links: give one of them to several people`);
  const about = { id: call.id, name: given ?? subjectOf(pass), by: makerOf(bearer) ?? bearer.name, ttlMs, isLink };
  call.note({ ...pass, for: about.name, id: about.id });
  if (pass.role === 'agent') readName(about.name); // its name at tables
  if ('table' in pass) await requireFitting(deps, pass, call);
  return answer({ ...pass, ...(await deps.issuer.issue(pass, about)) }, 201);
}

/** What a seat is called as the maker of links; undefined for administrators, who see all. */
const makerOf = ({ pass }: Bearer): string | undefined => (pass.role === 'seat' ? subjectOf(pass) : undefined);

/** What is listed for the bearer: for a seat, the links that it made to its table. */
const tokensFor = ({ issuer }: TokenRouteDeps, bearer: Bearer, page: Call<'GET /tokens'>['query']) =>
  issuer.list(bearer.pass.role === 'seat' ? { table: bearer.pass.table, ...page, by: makerOf(bearer) } : page);

async function list(deps: TokenRouteDeps, { query, bearer }: Call<'GET /tokens'>): Promise<RouteResponse> {
  const tokens = await tokensFor(deps, bearer, query);
  return answer({ tokens: tokens.map(({ digest, ...token }) => ({ ...token, isLink: digest !== undefined })) });
}

/** Checks that the table has what a token is for. @throws Problem unknown-game, not-an-option */
async function requireFitting(
  deps: TokenRouteDeps,
  pass: Exclude<Pass, { role: 'admin' | 'agent' }>,
  call: { readonly signal: AbortSignal },
): Promise<void> {
  const { players, spectators } = await summaryOf(deps.ask, pass.table, call.signal);
  if ('seat' in pass && pass.seat !== undefined) requireExisting(pass.seat, players.length);
  if (pass.role === 'join' && pass.seat !== undefined) await requirePersonSeat(deps, pass.table, pass.seat, call.signal);
  if (pass.role === 'spectator' && pass.view === 'narrator' && spectators !== 'narrator')
    throw new Problem('not-an-option', 'spectators of this table see what the audience sees');
}

async function renew({ issuer }: TokenRouteDeps, call: Call<'POST /tokens/renew'>): Promise<RouteResponse> {
  const { table, seat } = requireSeat(call.bearer);
  return answer({ role: 'seat', table, seat, ...(await issuer.renew(call.bearer)) }, 201);
}

async function revokeToken({ issuer }: TokenRouteDeps, { params: { id }, bearer }: Call<'DELETE /tokens/:id'>): Promise<RouteResponse> {
  await issuer.revoke({ id }, makerOf(bearer));
  return answer({ id });
}

async function revokeTable(deps: TokenRouteDeps, call: Call<'POST /tables/:table/revoke'>): Promise<RouteResponse> {
  const { table } = call.params;
  const { seat } = call.body;
  const target = { table, ...(seat === undefined ? {} : { seat }) };
  call.note(target);
  const { players } = await summaryOf(deps.ask, table, call.signal);
  if (seat !== undefined) requireExisting(seat, players.length);
  await deps.issuer.revoke(target);
  return answer(target);
}

async function listActs({ audit }: TokenRouteDeps, { query }: Call<'GET /audit'>): Promise<RouteResponse> {
  const acts = await orUnavailable(audit.list(query));
  return answer({ acts: acts.map(shown) });
}

/** @throws Problem not-an-option */
function requireExisting(seat: number, seats: number): void {
  if (seat >= seats) throw new Problem('not-an-option', `the table has seats 0 to ${seats - 1}`);
}

/** @throws Problem not-an-option for a seat that is not for a person: a mind or a program takes it */
async function requirePersonSeat({ ask }: TokenRouteDeps, table: string, seat: number, signal: AbortSignal): Promise<void> {
  const { seen } = await ask('table.view', table, { eye: 'narrator', limit: 1 }, { signal });
  const { seats } = seen[0]!.event['opening'] as { readonly seats: readonly { readonly kind: string; readonly agent?: string }[] };
  if (seats[seat]!.kind !== 'person' || seats[seat]!.agent !== undefined)
    throw new Problem(
      'not-an-option',
      `seat ${seat} is for a ${seats[seat]!.agent === undefined ? 'mind' : 'program'}: invite people to seats for people`,
    );
}

/** A pending outcome means that the act goes on, or that its process died. */
const shown = <A extends AuditEntry>(act: A): A => (act.outcome === OUTCOME_PENDING ? { ...act, outcome: 'outcome unknown' } : act);

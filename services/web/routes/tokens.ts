import type { tokenRoutes } from '@maw/contracts/http/tokens.ts';
import { type AuditEntry, type AuditLog, OUTCOME_PENDING } from '@maw/store/ports/audit-log.ts';
import { readName } from '@maw/games/match/player-name.ts';
import program from '../package.json' with { type: 'json' };
import { requireSeat } from '../auth/authorize.ts';
import { subjectOf } from '../auth/roles.ts';
import { orUnavailable, type TokenIssuer } from '../auth/token-issuer.ts';
import type { Ask } from '../bus-client.ts';
import { Problem } from '../problem.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';

export interface TokenRouteDeps {
  readonly ask: Ask;
  readonly issuer: TokenIssuer;
  readonly audit: Pick<AuditLog, 'list'>;
  /** Whether the service is open to everybody on its machine. */
  readonly isOpen: boolean;
}

/** Issuing, renewing, revoking and listing tokens, what a token permits, and the audit log. */
export const tokenHandlers = (deps: TokenRouteDeps): Handlers<keyof typeof tokenRoutes | 'GET /me'> => ({
  'GET /me': async ({ bearer: { pass, name, until } }) =>
    answer({ ...pass, name, ...(until === undefined ? {} : { until }), isOpen: deps.isOpen, version: program.version }),
  'POST /tokens': (call) => issue(deps, call),
  'GET /tokens': async ({ query }) => answer({ tokens: await deps.issuer.list(query) }),
  'POST /tokens/renew': (call) => renew(deps, call),
  'DELETE /tokens/:id': (call) => revokeToken(deps, call),
  'POST /tables/:table/revoke': (call) => revokeTable(deps, call),
  'GET /audit': (call) => listActs(deps, call),
});

async function issue(deps: TokenRouteDeps, call: Call<'POST /tokens'>): Promise<RouteResponse> {
  const { ttlMs: ms, name: given, ...pass } = call.body;
  const about = { id: call.id, name: given ?? subjectOf(pass), by: call.bearer.name, ttlMs: ms };
  call.note({ ...pass, for: about.name, id: about.id });
  if (pass.role === 'agent') readName(about.name); // its name at tables
  if ('table' in pass) {
    const { players, spectators } = await summaryOf(deps, pass.table, call);
    if ('seat' in pass && pass.seat !== undefined) requireExisting(pass.seat, players.length);
    if (pass.role === 'join' && pass.seat !== undefined) await requirePersonSeat(deps, pass.table, pass.seat, call.signal);
    if (pass.role === 'spectator' && pass.view === 'narrator' && spectators !== 'narrator')
      throw new Problem('not-an-option', 'spectators of this table see what the audience sees');
  }
  return answer({ ...pass, ...(await deps.issuer.issue(pass, about)) }, 201);
}

async function renew({ issuer }: TokenRouteDeps, call: Call<'POST /tokens/renew'>): Promise<RouteResponse> {
  const { table, seat } = requireSeat(call.bearer);
  return answer({ role: 'seat', table, seat, ...(await issuer.renew(call.bearer)) }, 201);
}

async function revokeToken({ issuer }: TokenRouteDeps, { params: { id } }: Call<'DELETE /tokens/:id'>): Promise<RouteResponse> {
  await issuer.revoke({ id });
  return answer({ id });
}

async function revokeTable(deps: TokenRouteDeps, call: Call<'POST /tables/:table/revoke'>): Promise<RouteResponse> {
  const { table } = call.params;
  const { seat } = call.body;
  const target = { table, ...(seat === undefined ? {} : { seat }) };
  call.note(target);
  const { players } = await summaryOf(deps, table, call);
  if (seat !== undefined) requireExisting(seat, players.length);
  await deps.issuer.revoke(target);
  return answer(target);
}

async function listActs({ audit }: TokenRouteDeps, { query }: Call<'GET /audit'>): Promise<RouteResponse> {
  const acts = await orUnavailable(audit.list(query));
  return answer({ acts: acts.map(shown) });
}

const summaryOf = async ({ ask }: TokenRouteDeps, table: string, { signal }: { readonly signal: AbortSignal }) =>
  (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;

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

import { z } from 'zod';
import { instant, tableId } from '@maw/contracts/messages/schemas.ts';
import { type AuditEntry, type AuditLog, OUTCOME_PENDING } from '@maw/store/ports/audit-log.ts';
import { requireSeat } from '../auth/authorize.ts';
import { admin, anySeat } from '../auth/permissions.ts';
import { issuedToken, orUnavailable, type TokenIssuer } from '../auth/token-issuer.ts';
import { passSchema, subjectOf } from '../auth/roles.ts';
import { MAX_TOKEN_MS } from '../auth/token-lifetime.ts';
import type { Ask } from '../bus-client.ts';
import { listLimit, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, atTable, type AtTable, type Call, json, type PathParameters, route, type Route } from '../route.ts';

export interface TokenRouteDeps {
  readonly ask: Ask;
  readonly issuer: TokenIssuer;
  readonly audit: Pick<AuditLog, 'list'>;
}

const ttlMs = z.int().min(1000).max(MAX_TOKEN_MS).optional();
const name = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u, 'visible characters, single spaces between')
  .refine((text) => [...text].length <= 60, 'at most 60 characters');
const [ofAdmin, ofSeat, ofSpectator, ofJoin] = passSchema.options;
const issuing = z.discriminatedUnion('role', [
  z.strictObject({ ...ofAdmin.shape, name, ttlMs }),
  z.strictObject({ ...ofSeat.shape, name: name.optional(), ttlMs }),
  z.strictObject({ ...ofSpectator.shape, name: name.optional(), ttlMs }),
  z.strictObject({ ...ofJoin.shape, name: name.optional(), ttlMs }),
]);
const revoking = z.strictObject({ seat: ofSeat.shape.seat.optional() }).default({});
const page = { limit: listLimit.default(100), before: wholeNumber().optional() };
const tokenPage = z.strictObject({ ...page, table: ofSeat.shape.table.optional() });
const auditPage = z.strictObject(page);
const withId = {
  id: {
    schema: z.string().regex(/^[\w.:-]{1,100}$/),
    description: 'The id of the token.',
    reason: 'unknown-token',
    says: 'an id is 1 to 100 letters, digits or _ . : -',
  },
} as const satisfies PathParameters;

const place = { role: z.enum(['admin', 'seat', 'spectator', 'join']), table: tableId.optional(), seat: ofSeat.shape.seat.optional() };
const view = ofSpectator.shape.view;
const issued = z.object({ ...place, view, ...issuedToken.shape });
const listed = z.object({
  tokens: z.array(
    z.object({
      n: z.int(),
      id: z.string(),
      ...place,
      view,
      name: z.string(),
      by: z.string(),
      issued: instant,
      until: instant,
      isRevoked: z.boolean(),
    }),
  ),
});
const log = z.object({
  acts: z.array(
    z.object({
      n: z.int(),
      id: z.string(),
      at: instant,
      who: z.string(),
      token: z.string(),
      from: z.string(),
      what: z.string(),
      about: z.looseObject({}),
      outcome: z.string(),
    }),
  ),
});

/** Issuing, renewing, revoking and listing tokens, and the audit log. */
export function tokenRoutes(deps: TokenRouteDeps): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/tokens',
      summary: 'Issues a token.',
      permits: admin,
      body: issuing,
      responses: [json(issued, 'The token.', 201)],
      refusals: ['unknown-game', 'not-an-option'],
      handle: (call) => issue(deps, call),
    }),
    route({
      method: 'GET',
      path: '/tokens',
      summary: 'The tokens that were issued and have not expired, newest first, without the tokens themselves.',
      permits: admin,
      query: tokenPage,
      responses: [json(listed, 'What is known of the tokens.')],
      handle: async ({ query }) => answer({ tokens: await deps.issuer.list(query) }),
    }),
    route({
      method: 'POST',
      path: '/tokens/renew',
      summary: 'A seat renews its own token: the same id, a later expiry.',
      permits: anySeat,
      responses: [json(issued, 'The renewed token.', 201)],
      handle: (call) => renew(deps, call),
    }),
    route({
      method: 'DELETE',
      path: '/tokens/:id',
      summary: 'Revokes one token.',
      permits: admin,
      params: withId,
      responses: [json(z.object({ id: z.string() }), 'The token that was revoked.')],
      refusals: ['unknown-token'],
      handle: (call) => revokeToken(deps, call),
    }),
    route({
      method: 'POST',
      path: '/tables/:table/revoke',
      summary: 'Revokes all tokens of a table that were issued so far, or those of one seat.',
      permits: admin,
      params: atTable,
      body: revoking,
      responses: [json(z.object({ table: tableId, seat: ofSeat.shape.seat.optional() }), 'Whose tokens were revoked.')],
      refusals: ['unknown-game', 'not-an-option'],
      handle: (call) => revokeTable(deps, call),
    }),
    auditRoute(deps),
  ];
}

const auditRoute = (deps: TokenRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/audit',
    summary: 'The audit log, newest first.',
    permits: admin,
    query: auditPage,
    responses: [json(log, 'What administrators did.')],
    handle: (call) => listActs(deps, call),
  });

async function issue(deps: TokenRouteDeps, call: Call<{ readonly body: typeof issuing }>): Promise<Answer> {
  const { ttlMs: ms, name: given, ...pass } = call.body;
  const about = { id: call.id, name: given ?? subjectOf(pass), by: call.bearer.name, ttlMs: ms };
  call.note({ ...pass, for: about.name, id: about.id });
  if (pass.role !== 'admin') {
    const { players, spectators } = await summaryOf(deps, pass.table, call);
    if ('seat' in pass && pass.seat !== undefined) requireExisting(pass.seat, players.length);
    if (pass.role === 'join' && pass.seat !== undefined) await requirePersonSeat(deps, pass.table, pass.seat, call.signal);
    if (pass.role === 'spectator' && pass.view === 'narrator' && spectators !== 'narrator')
      throw new Problem('not-an-option', 'spectators of this table see what the audience sees');
  }
  return answer({ ...pass, ...(await deps.issuer.issue(pass, about)) }, 201);
}

async function renew({ issuer }: TokenRouteDeps, call: Call): Promise<Answer> {
  const { table, seat } = requireSeat(call.bearer);
  return answer({ role: 'seat', table, seat, ...(await issuer.renew(call.bearer)) }, 201);
}

async function revokeToken({ issuer }: TokenRouteDeps, { params: { id } }: Call<{ readonly params: typeof withId }>): Promise<Answer> {
  await issuer.revoke({ id });
  return answer({ id });
}

async function revokeTable(deps: TokenRouteDeps, call: Call<AtTable & { readonly body: typeof revoking }>): Promise<Answer> {
  const { table } = call.params;
  const { seat } = call.body;
  const target = { table, ...(seat === undefined ? {} : { seat }) };
  call.note(target);
  const { players } = await summaryOf(deps, table, call);
  if (seat !== undefined) requireExisting(seat, players.length);
  await deps.issuer.revoke(target);
  return answer(target);
}

async function listActs({ audit }: TokenRouteDeps, { query }: Call<{ readonly query: typeof auditPage }>): Promise<Answer> {
  const acts = await orUnavailable(audit.list(query));
  return answer({ acts: acts.map(shown) });
}

const summaryOf = async ({ ask }: TokenRouteDeps, table: string, { signal }: { readonly signal: AbortSignal }) =>
  (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;

/** @throws Problem not-an-option */
function requireExisting(seat: number, seats: number): void {
  if (seat >= seats) throw new Problem('not-an-option', `the table has seats 0 to ${seats - 1}`);
}

/** @throws Problem not-an-option for a seat that is not for a person: a mind takes it */
async function requirePersonSeat({ ask }: TokenRouteDeps, table: string, seat: number, signal: AbortSignal): Promise<void> {
  const { seen } = await ask('table.view', table, { eye: 'narrator', limit: 1 }, { signal });
  const { seats } = seen[0]!.event['opening'] as { readonly seats: readonly { readonly kind: string }[] };
  if (seats[seat]!.kind !== 'person') throw new Problem('not-an-option', `seat ${seat} is for a mind: invite people to seats for people`);
}

/** A pending outcome means that the act goes on, or that its process died. */
const shown = <A extends AuditEntry>(act: A): A => (act.outcome === OUTCOME_PENDING ? { ...act, outcome: 'outcome unknown' } : act);

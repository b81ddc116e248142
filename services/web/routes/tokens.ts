import { z } from 'zod';
import { type AuditEntry, type AuditLog, OUTCOME_PENDING } from '@maw/store/ports/audit-log.ts';
import { requireAdmin, requireSeat } from '../auth/authorize.ts';
import { orUnavailable, type TokenIssuer } from '../auth/token-issuer.ts';
import { passSchema, subjectOf } from '../auth/token.ts';
import { MAX_TOKEN_MS } from '../auth/token-lifetime.ts';
import type { Ask } from '../bus-client.ts';
import { parseInput, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';

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
const revoking = z.strictObject({ seat: ofSeat.shape.seat.optional() }).optional();
const nothing = z.strictObject({}).optional();
const page = { limit: wholeNumber.pipe(z.int().min(1).max(1000)).default(100), before: wholeNumber.optional() };
const tokenPage = z.strictObject({ ...page, table: ofSeat.shape.table.optional() });
const auditPage = z.strictObject(page);

/** Issuing, renewing, revoking and listing tokens, and the audit log. */
export function tokenRoutes(deps: TokenRouteDeps): readonly Route[] {
  return [
    { method: 'POST', path: '/tokens', handle: (call) => issue(deps, call) },
    { method: 'GET', path: '/tokens', handle: (call) => list(deps, call) },
    { method: 'POST', path: '/tokens/renew', handle: (call) => renew(deps, call) },
    { method: 'DELETE', path: '/tokens/:id', handle: (call) => revokeToken(deps, call) },
    { method: 'POST', path: '/tables/:table/revoke', handle: (call) => revokeTable(deps, call) },
    { method: 'GET', path: '/audit', handle: (call) => listActs(deps, call) },
  ];
}

async function issue(deps: TokenRouteDeps, call: Call): Promise<Answer> {
  requireAdmin(call.bearer);
  const { ttlMs: ms, name: given, ...pass } = parseInput(issuing, call.body, 'body');
  const about = { id: call.id, name: given ?? subjectOf(pass), by: call.bearer.name, ttlMs: ms };
  call.note({ ...pass, for: about.name, id: about.id });
  if (pass.role !== 'admin') {
    const { players, spectators } = await summaryOf(deps, pass.table, call);
    if (pass.role === 'seat') requireExisting(pass.seat, players.length);
    if (pass.role === 'spectator' && pass.view === 'narrator' && spectators !== 'narrator')
      throw new Problem('not-an-option', 'spectators of this table see what the audience sees');
  }
  return answer({ ...pass, ...(await deps.issuer.issue(pass, about)) }, 201);
}

async function renew({ issuer }: TokenRouteDeps, call: Call): Promise<Answer> {
  const { table, seat } = requireSeat(call.bearer);
  parseInput(nothing, call.body ?? {}, 'body');
  return answer({ role: 'seat', table, seat, ...(await issuer.renew(call.bearer)) }, 201);
}

async function revokeToken({ issuer }: TokenRouteDeps, call: Call): Promise<Answer> {
  requireAdmin(call.bearer);
  const id = call.params['id'] ?? '';
  if (!/^[\w.:-]{1,100}$/.test(id)) throw new Problem('unknown-token', 'an id is 1 to 100 letters, digits or _ . : -');
  await issuer.revoke({ id });
  return answer({ id });
}

async function revokeTable(deps: TokenRouteDeps, call: Call): Promise<Answer> {
  requireAdmin(call.bearer);
  const table = tableIn(call);
  const { seat } = parseInput(revoking, call.body ?? {}, 'body') ?? {};
  const target = { table, ...(seat === undefined ? {} : { seat }) };
  call.note(target);
  const { players } = await summaryOf(deps, table, call);
  if (seat !== undefined) requireExisting(seat, players.length);
  await deps.issuer.revoke(target);
  return answer(target);
}

async function list({ issuer }: TokenRouteDeps, { bearer, query }: Call): Promise<Answer> {
  requireAdmin(bearer);
  return answer({ tokens: await issuer.list(parseInput(tokenPage, query, 'query')) });
}

async function listActs({ audit }: TokenRouteDeps, { bearer, query }: Call): Promise<Answer> {
  requireAdmin(bearer);
  const acts = await orUnavailable(audit.list(parseInput(auditPage, query, 'query')));
  return answer({ acts: acts.map(shown) });
}

const summaryOf = async ({ ask }: TokenRouteDeps, table: string, { signal }: Call) =>
  (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;

/** @throws Problem not-an-option */
function requireExisting(seat: number, seats: number): void {
  if (seat >= seats) throw new Problem('not-an-option', `the table has seats 0 to ${seats - 1}`);
}

/** A pending outcome means that the act goes on, or that its process died. */
const shown = <A extends AuditEntry>(act: A): A => (act.outcome === OUTCOME_PENDING ? { ...act, outcome: 'outcome unknown' } : act);

import { z } from 'zod';
import { type AuditEntry, type AuditLog, OUTCOME_PENDING } from '@maw/store/ports/audit-log.ts';
import type { Ask } from '../bus-client.ts';
import { type TokenIssuer, orUnavailable } from '../auth/token-issuer.ts';
import { requireAdmin, requireSeat } from '../auth/authorize.ts';
import { Problem } from '../problem.ts';
import { parseInput, wholeNumber } from '../parse-input.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';
import { MAX_TOKEN_MS, passSchema, subjectOf } from '../auth/token.ts';

export interface TokenRouteDeps {
  readonly ask: Ask;
  readonly issuing: TokenIssuer;
  readonly audit: Pick<AuditLog, 'list'>;
}

const ttlMs = z.int().min(1000).max(MAX_TOKEN_MS).optional();
const name = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u, 'visible characters, single spaces between')
  .refine((text) => [...text].length <= 60, 'at most 60 characters');
const [ofAdmin, ofSeat, ofSpectator, ofJoin] = passSchema.options;
const making = z.discriminatedUnion('role', [
  z.strictObject({ ...ofAdmin.shape, name, ttlMs }),
  z.strictObject({ ...ofSeat.shape, name: name.optional(), ttlMs }),
  z.strictObject({ ...ofSpectator.shape, name: name.optional(), ttlMs }),
  z.strictObject({ ...ofJoin.shape, name: name.optional(), ttlMs }),
]);
const revoking = z.strictObject({ seat: ofSeat.shape.seat.optional() }).optional();
const nothing = z.strictObject({}).optional();
const paging = { limit: wholeNumber.pipe(z.int().min(1).max(1000)).default(100), before: wholeNumber.optional() };
const listing = z.strictObject({ ...paging, table: ofSeat.shape.table.optional() });
const looking = z.strictObject(paging);

/** Giving tokens out, renewing, revoking and listing them, and what administrators have done. */
export function tokenRoutes({ ask, issuing, audit }: TokenRouteDeps): readonly Route[] {
  const summaryOf = async (table: string, signal: AbortSignal) =>
    (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;

  async function make(call: Call): Promise<Answer> {
    requireAdmin(call.bearer);
    const { ttlMs: ms, name: given, ...of } = parseInput(making, call.body, 'body');
    const about = { id: call.id, name: given ?? subjectOf(of), by: call.bearer.name, ttlMs: ms };
    call.note({ ...of, for: about.name, id: about.id });
    if (of.role !== 'admin') {
      const { players, spectators } = await summaryOf(of.table, call.signal);
      if (of.role === 'seat' && of.seat >= players.length)
        throw new Problem('not-an-option', `the table has seats 0 to ${players.length - 1}`);
      if (of.role === 'spectator' && of.view === 'narrator' && spectators !== 'narrator')
        throw new Problem('not-an-option', 'the table was opened with spectators who see what the audience sees');
    }
    return answer({ ...of, ...(await issuing.issue(of, about)) }, 201);
  }

  async function renew(call: Call): Promise<Answer> {
    const { table, seat } = requireSeat(call.bearer);
    parseInput(nothing, call.body ?? {}, 'body');
    return answer({ role: 'seat', table, seat, ...(await issuing.renew(call.bearer)) }, 201);
  }

  async function revokeOne(call: Call): Promise<Answer> {
    requireAdmin(call.bearer);
    const id = call.params['id'] ?? '';
    if (!/^[\w.:-]{1,100}$/.test(id)) throw new Problem('unknown-token', 'an id is 1 to 100 letters, digits or _ . : -');
    await issuing.revoke({ id });
    return answer({ id });
  }

  async function revokeMany(call: Call): Promise<Answer> {
    requireAdmin(call.bearer);
    const table = tableIn(call);
    const { seat } = parseInput(revoking, call.body ?? {}, 'body') ?? {};
    const what = { table, ...(seat === undefined ? {} : { seat }) };
    call.note(what);
    const { players } = await summaryOf(table, call.signal);
    if (seat !== undefined && seat >= players.length) throw new Problem('not-an-option', `the table has seats 0 to ${players.length - 1}`);
    await issuing.revoke(what);
    return answer(what);
  }

  async function list({ bearer, query }: Call): Promise<Answer> {
    requireAdmin(bearer);
    return answer({ tokens: await issuing.list(defined(parseInput(listing, query, 'query'))) });
  }

  async function acts({ bearer, query }: Call): Promise<Answer> {
    requireAdmin(bearer);
    const kept = await orUnavailable(audit.list(defined(parseInput(looking, query, 'query'))));
    return answer({ acts: kept.map(shown) });
  }

  return [
    { method: 'POST', path: '/tokens', handle: make },
    { method: 'GET', path: '/tokens', handle: list },
    { method: 'POST', path: '/tokens/renew', handle: renew },
    { method: 'DELETE', path: '/tokens/:id', handle: revokeOne },
    { method: 'POST', path: '/tables/:table/revoke', handle: revokeMany },
    { method: 'GET', path: '/audit', handle: acts },
  ];
}

/** What was begun, and nobody has said what came of it: it is still going on, or whoever did it died meanwhile. */
const shown = <A extends AuditEntry>(act: A): A => (act.outcome === OUTCOME_PENDING ? { ...act, outcome: 'outcome unknown' } : act);

interface Paging {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly table?: string | undefined;
}

const defined = ({ limit, before, table }: Paging) => ({
  limit,
  ...(before === undefined ? {} : { before }),
  ...(table === undefined ? {} : { table }),
});

import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Ask } from '../bus-client.ts';
import type { TokenIssuer } from '../auth/token-issuer.ts';
import { requireJoiner, requireOpener } from '../auth/authorize.ts';
import { parseInput, wholeNumber } from '../parse-input.ts';
import { answer, type Call, type Route, tableIn } from '../route.ts';

export interface TableRouteDeps {
  readonly ask: Ask;
  readonly issuing: TokenIssuer;
}

const { rules, rounds, options, seed, lobbyMs, pauseMs, spectators, seats } = contracts.get('table.open').data.shape;
const { recipe, model } = seats.element.shape;

const opening = z
  .strictObject({
    rules,
    players: z.int().min(1).max(100).optional(),
    people: z.int().min(0).max(100).optional(),
    seats: z.array(z.strictObject(seats.element.shape)).min(1).max(100).optional(),
    recipe,
    model,
    rounds,
    options,
    seed,
    lobbyMs,
    pauseMs,
    spectators,
  })
  .refine((b) => (b.players === undefined) !== (b.seats === undefined), {
    path: ['players'],
    message: 'give players (how many) or seats (one by one)',
  })
  .refine((b) => b.seats === undefined || b.people === undefined, { path: ['people'], message: 'with seats, say `kind: person` there' })
  .refine((b) => b.players === undefined || (b.people ?? 0) <= b.players, { path: ['people'], message: 'more people than players' });

const joining = z.strictObject({ name: contracts.get('table.join').data.shape.name.min(1) });
const listing = z
  .strictObject({
    limit: wholeNumber.pipe(z.int().min(1).max(1000)).optional(),
    before: wholeNumber.optional(),
    beforeTable: z.string().max(60).optional(),
    over: z.enum(['true', 'false']).optional(),
  })
  .refine((q) => q.beforeTable === undefined || q.before !== undefined, { path: ['beforeTable'], message: 'goes with before' });

/** Opening tables, listing them, joining them. */
export function tableRoutes({ ask, issuing }: TableRouteDeps): readonly Route[] {
  const summaryOf = async (table: string, signal: AbortSignal) =>
    (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;

  async function open(call: Call) {
    requireOpener(call.bearer);
    const { players, people = 0, seats: given, recipe: usualRecipe, model: usualModel, ...terms } = parseInput(opening, call.body, 'body');
    const plans = given ?? Array.from({ length: players! }, (_, i) => ({ kind: i < people ? ('person' as const) : ('mind' as const) }));
    const usual = {
      ...(usualRecipe === undefined ? {} : { recipe: usualRecipe }),
      ...(usualModel === undefined ? {} : { model: usualModel }),
    };
    call.note({ rules: terms.rules, players: plans.length, people: plans.filter(({ kind }) => kind === 'person').length });
    const { table } = await ask('table.open', call.id, { ...terms, seats: plans.map((plan) => ({ ...usual, ...plan })) }, call);
    call.note({ table });
    const at = `/tables/${table}`;
    const links = { table: at, seats: `${at}/seats`, view: `${at}/view`, events: `${at}/events`, tape: `${at}/tape` };
    return answer({ table, seats: plans.map(({ kind }, seat) => ({ seat, kind })), links }, 201, { Location: at });
  }

  async function list({ query, signal }: Call) {
    const { limit, before, beforeTable, over } = parseInput(listing, query, 'query');
    const about = {
      ...(limit === undefined ? {} : { limit }),
      ...(before === undefined ? {} : { before }),
      ...(beforeTable === undefined ? {} : { beforeTable }),
      ...(over === undefined ? {} : { isOver: over === 'true' }),
    };
    return answer(await ask('table.list', '-', about, { signal }));
  }

  async function join(call: Call) {
    const table = tableIn(call);
    requireJoiner(call.bearer, table);
    const { name } = parseInput(joining, call.body, 'body');
    const joined = await ask('table.join', table, { name }, call);
    call.note({ seat: joined.seat, name: joined.name });
    const of = { role: 'seat', table, seat: joined.seat } as const;
    const { id, token, until } = await issuing.issue(of, { id: call.id, name: joined.name, by: call.bearer.name });
    return answer({ ...joined, id, token, until }, 201);
  }

  return [
    { method: 'POST', path: '/tables', handle: open },
    { method: 'GET', path: '/tables', handle: list },
    { method: 'GET', path: '/tables/:table', handle: async (call) => answer(await summaryOf(tableIn(call), call.signal)) },
    { method: 'POST', path: '/tables/:table/seats', handle: join },
  ];
}

import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Ask } from '../ask.ts';
import { mayJoin, mayOpen, mustAdminister } from '../may.ts';
import { Problem } from '../problem.ts';
import { read, whole } from '../read.ts';
import { answer, type Call, type Route, tableIn } from '../route.ts';
import { pass, type tokens as TokensOf } from '../token.ts';

export interface TablesDesk {
  readonly ask: Ask;
  readonly tokens: ReturnType<typeof TokensOf>;
  /** How long a token is good for when nobody says. */
  readonly tokenMs: number;
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
const ttlMs = z.int().min(1000).max(2_592_000_000).optional();
const [, ofSeat, ofSpectator, ofJoin] = pass.options;
const minting = z.discriminatedUnion('role', [
  z.strictObject({ ...ofSeat.shape, ttlMs }),
  z.strictObject({ ...ofSpectator.shape, ttlMs }),
  z.strictObject({ ...ofJoin.shape, ttlMs }),
]);
const listing = z.strictObject({
  limit: whole.pipe(z.int().min(1).max(1000)).optional(),
  before: whole.optional(),
  over: z.enum(['true', 'false']).optional(),
});

/** Opening tables, listing them, joining them, and tokens for them. */
export function tableRoutes({ ask, tokens, tokenMs }: TablesDesk): readonly Route[] {
  const summaryOf = async (table: string, signal: AbortSignal) =>
    (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;

  async function open(call: Call) {
    mayOpen(call.bearer);
    const { players, people = 0, seats: given, recipe: usualRecipe, model: usualModel, ...terms } = read(opening, call.body, 'body');
    const plans = given ?? Array.from({ length: players! }, (_, i) => ({ kind: i < people ? ('person' as const) : ('mind' as const) }));
    const usual = {
      ...(usualRecipe === undefined ? {} : { recipe: usualRecipe }),
      ...(usualModel === undefined ? {} : { model: usualModel }),
    };
    const { table } = await ask('table.open', call.id, { ...terms, seats: plans.map((plan) => ({ ...usual, ...plan })) }, call);
    const at = `/tables/${table}`;
    const links = { table: at, seats: `${at}/seats`, view: `${at}/view`, events: `${at}/events`, tape: `${at}/tape` };
    return answer({ table, seats: plans.map(({ kind }, seat) => ({ seat, kind })), links }, 201, { Location: at });
  }

  async function list({ query, signal }: Call) {
    const { limit, before, over } = read(listing, query, 'query');
    const about = {
      ...(limit === undefined ? {} : { limit }),
      ...(before === undefined ? {} : { before }),
      ...(over === undefined ? {} : { isOver: over === 'true' }),
    };
    return answer(await ask('table.list', '-', about, { signal }));
  }

  async function join(call: Call) {
    const table = tableIn(call);
    mayJoin(call.bearer, table);
    const { name } = read(joining, call.body, 'body');
    const joined = await ask('table.join', table, { name }, call);
    const { token, until } = await tokens.mint({ role: 'seat', table, seat: joined.seat }, tokenMs);
    return answer({ ...joined, token, until }, 201);
  }

  async function give({ bearer, body, signal }: Call) {
    mustAdminister(bearer);
    const { ttlMs: ms = tokenMs, ...of } = read(minting, body, 'body');
    const { players } = await summaryOf(of.table, signal);
    if (of.role === 'seat' && of.seat >= players.length)
      throw new Problem('not-an-option', `the table has seats 0 to ${players.length - 1}`);
    return answer({ ...of, ...(await tokens.mint(of, ms)) }, 201);
  }

  return [
    { method: 'POST', path: '/tables', does: open },
    { method: 'GET', path: '/tables', does: list },
    { method: 'GET', path: '/tables/:table', does: async (call) => answer(await summaryOf(tableIn(call), call.signal)) },
    { method: 'POST', path: '/tables/:table/seats', does: join },
    { method: 'POST', path: '/tokens', does: give },
  ];
}

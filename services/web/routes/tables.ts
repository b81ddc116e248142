import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { seat as seatSchema, tableId, tableSummary } from '@maw/contracts/messages/schemas.ts';
import { retryAfter } from '@maw/http/problem.ts';
import type { Ask } from '../bus-client.ts';
import { issuedToken, type TokenIssuer } from '../auth/token-issuer.ts';
import { anyToken, joiner, opener } from '../auth/permissions.ts';
import { listLimit, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, atTable, type AtTable, type Call, json, route, type Route } from '../route.ts';
import { requireModels } from './require-models.ts';

export interface TableRouteDeps {
  readonly ask: Ask;
  readonly issuer: TokenIssuer;
}

const opening = contracts.get('table.open').data.shape;
const { isOutside: __, ...seatPlan } = opening.seats.element.shape;

const openBody = z
  .strictObject({
    rules: opening.rules,
    players: z.int().min(1).max(100).optional(),
    people: z.int().min(0).max(100).optional(),
    seats: z.array(z.strictObject(seatPlan)).min(1).max(100).optional(),
    recipe: seatPlan.recipe,
    parameters: seatPlan.parameters,
    model: seatPlan.model,
    rounds: opening.rounds,
    options: opening.options,
    seed: opening.seed,
    lobbyMs: opening.lobbyMs,
    pauseMs: opening.pauseMs,
    spectators: opening.spectators,
    afterwards: opening.afterwards,
    insight: opening.insight,
  })
  .refine((b) => (b.players === undefined) !== (b.seats === undefined), {
    path: ['players'],
    message: 'give players (how many) or seats (one by one)',
  })
  .refine((b) => b.seats === undefined || b.people === undefined, { path: ['people'], message: 'with seats, say `kind: person` there' })
  .refine((b) => b.players === undefined || (b.people ?? 0) <= b.players, { path: ['people'], message: 'more people than players' });

const joinBody = z.strictObject({ name: contracts.get('table.join').data.shape.name.min(1) });
const listing = contracts.get('table.list').data.shape;
const listQuery = z
  .strictObject({
    limit: listLimit.optional(),
    before: wholeNumber().optional(),
    beforeTable: listing.beforeTable,
    over: z.enum(['true', 'false']).optional(),
    search: z
      .string()
      .regex(/^[^\p{C}]{1,60}$/u, '1 to 60 visible characters')
      .optional(),
    rules: listing.rules,
    stage: listing.stage,
  })
  .refine((q) => q.beforeTable === undefined || q.before !== undefined, { path: ['beforeTable'], message: 'goes with before' });

const opened = z.object({
  table: tableId,
  seats: z.array(z.object({ seat: seatSchema, kind: seatPlan.kind })),
  links: z.object({ table: z.string(), seats: z.string(), view: z.string(), events: z.string(), tape: z.string() }),
});
const joined = z.object({ ...contracts.replyOf('table.join').shape, ...issuedToken.shape });

/** How many searches run at once: each may read every table there is, and games share the database with it. */
const MAX_SEARCHES = 4;

/** Opening, listing and joining tables. */
export function tableRoutes(deps: TableRouteDeps): readonly Route[] {
  const list = tableLister(deps);
  return [
    route({
      method: 'POST',
      path: '/tables',
      summary: 'Opens a table.',
      permits: opener,
      body: openBody,
      responses: [json(opened, 'The table, its seats and its addresses; `Location` is that of the table.', 201)],
      refusals: ['unknown-rules', 'bad-option', 'bad-name', 'name-taken', 'already-begun'],
      handle: (call) => open(deps, call),
    }),
    route({
      method: 'GET',
      path: '/tables',
      summary: 'The tables, newest first: all, or those of some rules, in a stage, or with a text in their id or the name of a player.',
      permits: anyToken,
      query: listQuery,
      responses: [json(contracts.replyOf('table.list'), 'The summaries of the tables.')],
      handle: list,
    }),
    route({
      method: 'GET',
      path: '/tables/:table',
      summary: 'The summary of one table.',
      permits: anyToken,
      params: atTable,
      responses: [json(tableSummary, 'The summary.')],
      refusals: ['unknown-game'],
      handle: (call) => summaryOf(deps, call),
    }),
    route({
      method: 'GET',
      path: '/tables/:table/rules',
      summary: 'The rules of one table, as it was opened.',
      permits: anyToken,
      params: atTable,
      responses: [json(contracts.replyOf('table.rules').shape.sets.element, 'The rule set, with its text.')],
      refusals: ['unknown-game'],
      handle: (call) => rulesOf(deps, call),
    }),
    route({
      method: 'POST',
      path: '/tables/:table/seats',
      summary: 'Joins as a person: in the seat of the invitation, or the first that is free for one.',
      permits: joiner,
      params: atTable,
      body: joinBody,
      responses: [json(joined, 'The seat, and the token with which it is played.', 201)],
      refusals: ['unknown-game', 'bad-name', 'name-taken', 'table-full', 'already-begun', 'already-seated', 'not-an-option', 'paused'],
      handle: (call) => join(deps, call),
    }),
  ];
}

async function open({ ask }: TableRouteDeps, call: Call<{ readonly body: typeof openBody }>): Promise<Answer> {
  const {
    players,
    people: wanted = 0,
    seats: given,
    recipe: usualRecipe,
    parameters: usualParameters,
    model: usualModel,
    ...terms
  } = call.body;
  const plans = given ?? Array.from({ length: players! }, (_, i) => ({ kind: i < wanted ? ('person' as const) : ('mind' as const) }));
  const usualMind = { recipe: usualRecipe, parameters: usualParameters };
  const seatPlans = plans.map((plan) => ({ model: usualModel, ...('recipe' in plan ? {} : usualMind), ...plan }));
  const people = plans.filter(({ kind }) => kind === 'person').length;
  const chosen = { ...(people ? { pace: 'people' } : {}), ...terms.options };
  call.note({ rules: terms.rules, players: plans.length, people });
  await requireModels(ask, Object.fromEntries(seatPlans.map(({ model }, seat) => [`seats.${seat}.model`, model])), call.signal);
  const { table } = await ask('table.open', call.id, { ...terms, options: chosen, seats: seatPlans }, call);
  call.note({ table });
  const at = `/tables/${table}`;
  const links = { table: at, seats: `${at}/seats`, view: `${at}/view`, events: `${at}/events`, tape: `${at}/tape` };
  return answer({ table, seats: plans.map(({ kind }, seat) => ({ seat, kind })), links }, 201, { Location: at });
}

function tableLister({ ask }: TableRouteDeps) {
  let searches = 0;
  return async ({ query, signal }: Call<{ readonly query: typeof listQuery }>): Promise<Answer> => {
    const { over, ...page } = query;
    const isOver = over === undefined ? undefined : over === 'true';
    const isSearch = page.search !== undefined;
    if (isSearch && searches >= MAX_SEARCHES)
      throw new Problem('limited', `${searches} searches of the tables run: try again`, { headers: retryAfter(1_000) });
    if (isSearch) searches++;
    try {
      // A search goes on when its reader leaves, so it counts until it is answered.
      return answer(await ask('table.list', '-', { ...page, isOver }, isSearch ? {} : { signal }));
    } finally {
      if (isSearch) searches--;
    }
  };
}

async function summaryOf({ ask }: TableRouteDeps, { params, signal }: Call<AtTable>): Promise<Answer> {
  return answer((await ask('table.view', params.table, { eye: 'audience', limit: 1 }, { signal })).summary);
}

async function rulesOf({ ask }: TableRouteDeps, { params: { table }, signal }: Call<AtTable>): Promise<Answer> {
  return answer((await ask('table.rules', table, { table }, { signal })).sets[0]);
}

async function join({ ask, issuer }: TableRouteDeps, call: Call<AtTable & { readonly body: typeof joinBody }>): Promise<Answer> {
  const { table } = call.params;
  const { pass: invitation } = call.bearer;
  const wanted = invitation.role === 'join' ? invitation.seat : undefined;
  const { seat: taken, name } = await ask('table.join', table, { name: call.body.name, seat: wanted }, call);
  call.note({ seat: taken, name });
  const pass = { role: 'seat', table, seat: taken } as const;
  const { id, token, until } = await issuer.issue(pass, { id: call.id, name, by: call.bearer.name });
  return answer({ seat: taken, name, id, token, until }, 201);
}

import type { agentRoutes, tableRoutes } from '@maw/contracts/http/tables.ts';
import type { AnswerOf } from '@maw/contracts/http/routes.ts';
import { requestId } from '@maw/bus/request-id.ts';
import { retryAfter } from '@maw/http/problem.ts';
import type { TokenIssuer } from '../auth/token-issuer.ts';
import { type Ask, summaryOf } from '../bus-client.ts';
import { Problem } from '../problem.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';
import { requireModels } from './require-models.ts';

export interface TableRouteDeps {
  readonly ask: Ask;
  readonly issuer: TokenIssuer;
}

/** How many searches run at once: each may read every table there is, and games share the database with it. */
const MAX_SEARCHES = 4;

/** Opening, listing and joining tables. */
export const tableHandlers = (deps: TableRouteDeps): Handlers<keyof typeof tableRoutes | keyof typeof agentRoutes> => ({
  'POST /tables': (call) => open(deps, call),
  'GET /tables': tableLister(deps),
  'GET /tables/:table': async ({ params, signal }) => answer(await summaryOf(deps.ask, params.table, signal)),
  'GET /tables/:table/rules': (call) => rulesOf(deps, call),
  'POST /tables/:table/seats': (call) => (call.bearer.pass.role === 'agent' ? joinAsAgent(deps, call) : join(deps, call)),
  'GET /seats': async ({ bearer, signal }) => answer({ seats: await seatsFor(deps.ask, bearer.name, signal) }),
});

async function open({ ask }: TableRouteDeps, call: Call<'POST /tables'>): Promise<RouteResponse> {
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
  const seatPlans = plans.map(({ kind, ...plan }) => ({
    model: usualModel,
    ...('recipe' in plan ? {} : usualMind),
    ...plan,
    kind: kind === 'agent' ? ('person' as const) : kind,
  }));
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
  return async ({ query, signal }: Call<'GET /tables'>): Promise<RouteResponse> => {
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

async function rulesOf({ ask }: TableRouteDeps, { params: { table }, signal }: Call<'GET /tables/:table/rules'>): Promise<RouteResponse> {
  return answer((await ask('table.rules', table, { table }, { signal })).sets[0]);
}

async function join({ ask, issuer }: TableRouteDeps, call: Call<'POST /tables/:table/seats'>): Promise<RouteResponse> {
  const { table } = call.params;
  const { pass: invitation } = call.bearer;
  const wanted = invitation.role === 'join' ? invitation.seat : undefined;
  const { seat: taken, name } = await ask('table.join', table, { name: call.body.name, seat: wanted }, call);
  call.note({ seat: taken, name });
  const pass = { role: 'seat', table, seat: taken } as const;
  const { id, token, until } = await issuer.issue(pass, { id: call.id, name, by: call.bearer.name });
  return answer({ seat: taken, name, id, token, until }, 201);
}

/** A seat that is kept for a program. */
type KeptSeat = AnswerOf<'GET /seats'>['seats'][number];

/** The seats of a program at tables that are not over. @param agent the name of its key */
async function seatsFor(ask: Ask, agent: string, signal: AbortSignal): Promise<readonly KeptSeat[]> {
  const { tables } = await ask('table.list', '-', { agent, isOver: false, limit: 1000 }, { signal });
  return tables.flatMap(({ table, rules, players, agents = [] }) =>
    agents.map(({ seat }) => ({ table, seat, rules, ...(players[seat]?.name === undefined ? {} : { name: players[seat].name }) })),
  );
}

/**
 * A program takes a seat that is kept for it, or one that it has already: it may have been started again. It has one token for the seat however
 * often it comes, as requests and streams are limited by token.
 */
async function joinAsAgent({ ask, issuer }: TableRouteDeps, call: Call<'POST /tables/:table/seats'>): Promise<RouteResponse> {
  const { table } = call.params;
  const agent = call.bearer.name;
  const own = (await seatsFor(ask, agent, call.signal)).filter((each) => each.table === table);
  const wanted = call.body.seat;
  const kept = wanted === undefined ? (own.find(({ name }) => name === undefined) ?? own[0]) : own.find(({ seat }) => seat === wanted);
  if (!kept) throw new Problem('forbidden', `no seat of ${table} is kept for ${agent}, or it is over: GET /seats lists those that are`);
  const { seat } = kept;
  const name = kept.name ?? (await ask('table.join', table, { name: agent, seat, agent }, call)).name;
  const pass = { role: 'seat', table, seat } as const;
  const { id, token, until } = await issuer.issue(pass, { id: requestId('agent-token', table, seat, call.bearer.id), name, by: agent });
  return answer({ seat, name, id, token, until }, 201);
}

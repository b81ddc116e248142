import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { Ask } from '../bus-client.ts';
import type { TokenIssuer } from '../auth/token-issuer.ts';
import { requireJoiner, requireOpener } from '../auth/authorize.ts';
import { parseInput, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';

export interface TableRouteDeps {
  readonly ask: Ask;
  readonly issuer: TokenIssuer;
}

const opening = contracts.get('table.open').data.shape;
const seatPlan = opening.seats.element.shape;

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
  })
  .refine((b) => (b.players === undefined) !== (b.seats === undefined), {
    path: ['players'],
    message: 'give players (how many) or seats (one by one)',
  })
  .refine((b) => b.seats === undefined || b.people === undefined, { path: ['people'], message: 'with seats, say `kind: person` there' })
  .refine((b) => b.players === undefined || (b.people ?? 0) <= b.players, { path: ['people'], message: 'more people than players' });

const joinBody = z.strictObject({ name: contracts.get('table.join').data.shape.name.min(1) });
const listQuery = z
  .strictObject({
    limit: wholeNumber.pipe(z.int().min(1).max(1000)).optional(),
    before: wholeNumber.optional(),
    beforeTable: z.string().max(60).optional(),
    over: z.enum(['true', 'false']).optional(),
  })
  .refine((q) => q.beforeTable === undefined || q.before !== undefined, { path: ['beforeTable'], message: 'goes with before' });

/** Opening, listing and joining tables. */
export function tableRoutes(deps: TableRouteDeps): readonly Route[] {
  return [
    { method: 'POST', path: '/tables', handle: (call) => open(deps, call) },
    { method: 'GET', path: '/tables', handle: (call) => list(deps, call) },
    { method: 'GET', path: '/tables/:table', handle: (call) => summaryOf(deps, call) },
    { method: 'GET', path: '/tables/:table/rules', handle: (call) => rulesOf(deps, call) },
    { method: 'POST', path: '/tables/:table/seats', handle: (call) => join(deps, call) },
  ];
}

async function open({ ask }: TableRouteDeps, call: Call): Promise<Answer> {
  requireOpener(call.bearer);
  const {
    players,
    people: wanted = 0,
    seats: given,
    recipe: usualRecipe,
    parameters: usualParameters,
    model: usualModel,
    ...terms
  } = parseInput(openBody, call.body, 'body');
  const plans = given ?? Array.from({ length: players! }, (_, i) => ({ kind: i < wanted ? ('person' as const) : ('mind' as const) }));
  const usualMind = { recipe: usualRecipe, parameters: usualParameters };
  const seatPlans = plans.map((plan) => ({ model: usualModel, ...('recipe' in plan ? {} : usualMind), ...plan }));
  const people = plans.filter(({ kind }) => kind === 'person').length;
  const chosen = { ...(people ? { pace: 'people' } : {}), ...terms.options };
  call.note({ rules: terms.rules, players: plans.length, people });
  await requireModels(ask, seatPlans, call.signal);
  const { table } = await ask('table.open', call.id, { ...terms, options: chosen, seats: seatPlans }, call);
  call.note({ table });
  const at = `/tables/${table}`;
  const links = { table: at, seats: `${at}/seats`, view: `${at}/view`, events: `${at}/events`, tape: `${at}/tape` };
  return answer({ table, seats: plans.map(({ kind }, seat) => ({ seat, kind })), links }, 201, { Location: at });
}

/** @throws Problem bad-option for a model that no model server has; passes while that is not known */
async function requireModels(ask: Ask, seats: readonly { readonly model?: string | undefined }[], signal: AbortSignal): Promise<void> {
  if (seats.every(({ model }) => model === undefined)) return;
  const found = await ask('llm.models', '-', {}, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined; // no gateway runs, or it is in trouble: the table waits for it
  });
  const names = [...new Set(found?.servers.flatMap(({ models }) => models))];
  if (!found || names.length === 0 || found.servers.some(({ isUp, models }) => !isUp && models.length === 0)) return;
  const keys = new Set(names.map(keyOf));
  for (const [seat, { model }] of seats.entries())
    if (model !== undefined && !keys.has(keyOf(model)))
      throw new Problem(
        'bad-option',
        `seats.${seat}.model: there is no model ${model.slice(0, 60)}; the model servers have ${names.join(', ')}`,
      );
}

async function list({ ask }: TableRouteDeps, { query, signal }: Call): Promise<Answer> {
  const { over, ...page } = parseInput(listQuery, query, 'query');
  const isOver = over === undefined ? undefined : over === 'true';
  return answer(await ask('table.list', '-', { ...page, isOver }, { signal }));
}

async function summaryOf({ ask }: TableRouteDeps, call: Call): Promise<Answer> {
  return answer((await ask('table.view', tableIn(call), { eye: 'audience', limit: 1 }, { signal: call.signal })).summary);
}

async function rulesOf({ ask }: TableRouteDeps, call: Call): Promise<Answer> {
  const table = tableIn(call);
  return answer((await ask('table.rules', table, { table }, { signal: call.signal })).sets[0]);
}

async function join({ ask, issuer }: TableRouteDeps, call: Call): Promise<Answer> {
  const table = tableIn(call);
  requireJoiner(call.bearer, table);
  const { name } = parseInput(joinBody, call.body, 'body');
  const joined = await ask('table.join', table, { name }, call);
  call.note({ seat: joined.seat, name: joined.name });
  const pass = { role: 'seat', table, seat: joined.seat } as const;
  const { id, token, until } = await issuer.issue(pass, { id: call.id, name: joined.name, by: call.bearer.name });
  return answer({ ...joined, id, token, until }, 201);
}

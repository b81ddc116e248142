import { type leaderboardRoutes, type lookupRoutes, OPTION } from '@maw/contracts/http/lookups.ts';
import { eyeFor, requireInsight } from '../auth/watching.ts';
import { type Ask, summaryOf } from '../bus-client.ts';
import { Problem } from '../problem.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';

/** The rules, recipes and models there are, who has won, who is in a room, and what the minds of a table thought. */
export const lookupHandlers = ({ ask }: { readonly ask: Ask }): Handlers<keyof typeof lookupRoutes | keyof typeof leaderboardRoutes> => ({
  'GET /leaderboard': async ({ query, signal }) => answer(await ask('table.leaderboard', '-', query, { signal })),
  'GET /rules': async ({ signal }) => answer(await ask('table.rules', '-', {}, { signal })),
  'GET /rules/:name': (call) => rulesNamed(ask, call),
  'GET /recipes': async ({ signal }) => answer(await ask('table.recipes', '-', {}, { signal })),
  'GET /models': async ({ signal }) => answer(await ask('llm.models', '-', {}, { signal })),
  'GET /tables/:table/rooms/*room/who': (call) => membersOf(ask, call),
  'GET /tables/:table/thoughts': (call) => thoughtsOf(ask, call),
});

async function rulesNamed(ask: Ask, { params, query, signal }: Call<'GET /rules/:name'>): Promise<RouteResponse> {
  const rules = params.name.slice(0, 60);
  const options = Object.fromEntries(Object.entries(query.options).map(([name, value]) => [name.slice(OPTION.length), value]));
  const { sets } = await ask('table.rules', '-', { rules, players: query.players, options }, { signal });
  const one = sets.find(({ name }) => name === rules);
  if (!one) throw new Problem('unknown-rules', `there are no rules ${rules}`);
  return answer(one);
}

async function membersOf(ask: Ask, call: Call<'GET /tables/:table/rooms/*room/who'>): Promise<RouteResponse> {
  const { table, room } = call.params;
  const seat = await eyeFor(call.bearer, table, call.query.as, () => summaryOf(ask, table, call.signal));
  if (typeof seat !== 'number') throw new Problem('forbidden', 'only a seat can see who is in a room; as an administrator add as=seat:3');
  return answer(await ask('room.who', table, { room, seat }, call));
}

async function thoughtsOf(ask: Ask, call: Call<'GET /tables/:table/thoughts'>): Promise<RouteResponse> {
  const { table } = call.params;
  let found: ReturnType<typeof summaryOf> | undefined;
  const summary = () => (found ??= summaryOf(ask, table, call.signal));
  await requireInsight(call.bearer, table, summary);
  await summary(); // unknown-game: the player knows no tables
  return answer(await ask('mind.thoughts', table, call.query, { signal: call.signal }));
}

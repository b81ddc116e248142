import type { contextRoutes } from '@maw/contracts/http/contexts.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { type Ask, summaryOf } from '../bus-client.ts';
import { Problem } from '../problem.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';

type ContextRoute = keyof typeof contextRoutes;

/** What a seat has in mind. */
export const contextHandlers = ({ ask }: { readonly ask: Ask }): Handlers<ContextRoute> => ({
  'GET /tables/:table/seats/:seat/context': (call) => save(ask, call),
  'POST /tables/:table/seats/:seat/context': (call) => load(ask, call),
  'POST /tables/:table/seats/:seat/context/truncate': (call) => truncate(ask, call),
});

async function save(ask: Ask, call: Call<'GET /tables/:table/seats/:seat/context'>): Promise<RouteResponse> {
  const { table, seat } = await seatIn(ask, call, false);
  return answer((await ask('mind.context', table, { seat }, { signal: call.signal })).context);
}

async function load(ask: Ask, call: Call<'POST /tables/:table/seats/:seat/context'>): Promise<RouteResponse> {
  const { table, seat } = await seatIn(ask, call, true);
  return answer(await ask('mind.load', table, { seat, context: call.body }, call));
}

async function truncate(ask: Ask, call: Call<'POST /tables/:table/seats/:seat/context/truncate'>): Promise<RouteResponse> {
  const { table, seat } = await seatIn(ask, call, true);
  const { tokens } = call.body;
  call.note({ tokens });
  return answer(await ask('mind.truncate', table, { seat, tokens }, call));
}

/**
 * The seat of the path. @throws Problem unknown-game, not-an-option when the table has no such seat, phase-over when it is to think again and
 * the table is over
 */
async function seatIn(ask: Ask, call: Call<ContextRoute>, thinksAgain: boolean): Promise<{ readonly table: string; readonly seat: Seat }> {
  const { table, seat } = call.params;
  const { players, stage } = await summaryOf(ask, table, call.signal);
  if (!players.some((player) => player.seat === seat))
    throw new Problem('not-an-option', `${table} has no seat ${seat}; its seats are 0 to ${players.length - 1}`);
  if (thinksAgain && stage === 'over') throw new Problem('phase-over', `${table} is over: its minds do not think again`);
  return call.params;
}

import type { operateRoutes } from '@maw/contracts/http/tables.ts';
import type { Ask } from '../bus-client.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';
import { requireModels } from './require-models.ts';

type OperateRoute = keyof typeof operateRoutes;

/** What operators do to running tables. */
export const operateHandlers = ({ ask }: { readonly ask: Ask }): Handlers<OperateRoute> => ({
  'POST /tables/:table/pause': async (call) => answer(await ask('table.pause', tableOf(call), {}, call)),
  'POST /tables/:table/resume': async (call) => answer(await ask('table.resume', tableOf(call), {}, call)),
  'POST /tables/:table/abort': async (call) => answer(await ask('table.abort', tableOf(call), call.body, call)),
  'POST /tables/:table/seats/:seat/mind': (call) => assign(ask, call),
});

function tableOf(call: Call<OperateRoute>): string {
  const { table } = call.params;
  call.note({ table });
  return table;
}

async function assign(ask: Ask, call: Call<'POST /tables/:table/seats/:seat/mind'>): Promise<RouteResponse> {
  const { table, seat } = call.params;
  call.note({ table, seat, ...call.body });
  await requireModels(ask, { model: call.body.model }, call.signal);
  return answer(await ask('table.assign', table, { seat, ...call.body }, call));
}

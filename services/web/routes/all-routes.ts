import { EVENT_STREAM } from '@maw/contracts/http/route.ts';
import { type RouteName, routes } from '@maw/contracts/http/routes.ts';
import type { operateRoutes } from '@maw/contracts/http/tables.ts';
import type { Ask } from '../bus-client.ts';
import { answer, type RouteResponse, type Call, type Handlers, route, type Route } from '../route.ts';
import type { Lobby } from '../streams/lobby.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';
import { actHandlers } from './acts.ts';
import { againHandlers } from './again.ts';
import { contestHandlers } from './contests.ts';
import { contextHandlers } from './contexts.ts';
import { eventHandlers, type EventRouteDeps } from './events.ts';
import { linkOpener } from './links.ts';
import { lookupHandlers } from './lookups.ts';
import { requireModels } from './require-models.ts';
import { tableHandlers, type TableRouteDeps } from './tables.ts';
import { tokenHandlers, type TokenRouteDeps } from './tokens.ts';
import { viewHandlers, type ViewRouteDeps } from './views.ts';

export interface RouteDeps extends TableRouteDeps, TokenRouteDeps, ViewRouteDeps, EventRouteDeps {
  readonly lobby: Lobby;
}

/** Every address that needs a token, with its handler. */
export function allRoutes(deps: RouteDeps): readonly Route[] {
  const handlers: Handlers<RouteName> = {
    ...tableHandlers(deps),
    ...againHandlers(deps),
    ...lobbyHandlers(deps),
    ...operateHandlers(deps),
    ...tokenHandlers(deps),
    'POST /links/open': linkOpener(deps),
    ...viewHandlers(deps),
    ...eventHandlers(deps),
    ...actHandlers(deps),
    ...lookupHandlers(deps),
    ...contextHandlers(deps),
    ...contestHandlers(deps),
  };
  return (Object.keys(routes) as RouteName[]).map((name) => route(name, routes[name], handlers[name] as never));
}

/** The list of tables as it changes. */
const lobbyHandlers = ({ lobby, quota }: Pick<RouteDeps, 'lobby' | 'quota'>): Handlers<'GET /lobby'> => ({
  'GET /lobby': async ({ bearer, client, signal }) => {
    const slot = quota.take(bearer, client);
    const stream = { signal: AbortSignal.any([signal, slot.signal]), until: bearer.until };
    return streamedAnswer(EVENT_STREAM, slot.release, async () => ({ send: (out) => lobby.send(out, stream) }));
  },
});

type OperateRoute = keyof typeof operateRoutes;

/** What operators do to running tables. */
const operateHandlers = ({ ask }: { readonly ask: Ask }): Handlers<OperateRoute> => ({
  'GET /stuck': async ({ signal }) => answer({ stuck: (await ask('table.list', '-', { isStuck: true }, { signal })).stuck ?? [] }),
  'POST /tables/:table/pause': async (call) => answer(await ask('table.pause', tableOf(call), {}, call)),
  'POST /tables/:table/resume': async (call) => answer(await ask('table.resume', tableOf(call), {}, call)),
  'POST /tables/:table/abort': async (call) => answer(await ask('table.abort', tableOf(call), call.body, call)),
  'POST /tables/:table/seats/:seat/mind': (call) => assign(ask, call),
});

function tableOf(call: Call<Exclude<OperateRoute, 'GET /stuck'>>): string {
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

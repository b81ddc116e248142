import { EVENT_STREAM } from '@maw/contracts/http/route.ts';
import { type RouteName, routes } from '@maw/contracts/http/routes.ts';
import { type Handlers, route, type Route } from '../route.ts';
import type { Lobby } from '../streams/lobby.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';
import { actHandlers } from './acts.ts';
import { contestHandlers } from './contests.ts';
import { contextHandlers } from './contexts.ts';
import { type EventRouteDeps, eventHandlers } from './events.ts';
import { lookupHandlers } from './lookups.ts';
import { operateHandlers } from './operate.ts';
import { type TableRouteDeps, tableHandlers } from './tables.ts';
import { type TokenRouteDeps, tokenHandlers } from './tokens.ts';
import { type ViewRouteDeps, viewHandlers } from './views.ts';

export interface RouteDeps extends TableRouteDeps, TokenRouteDeps, ViewRouteDeps, EventRouteDeps {
  readonly lobby: Lobby;
}

/** Every address that needs a token, with its handler. */
export function allRoutes(deps: RouteDeps): readonly Route[] {
  const handlers: Handlers<RouteName> = {
    ...tableHandlers(deps),
    ...lobbyHandlers(deps),
    ...operateHandlers(deps),
    ...tokenHandlers(deps),
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

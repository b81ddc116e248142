import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { instant, seat, tableId } from '@maw/contracts/messages/schemas.ts';
import about from '../package.json' with { type: 'json' };
import { anyToken } from '../auth/permissions.ts';
import { passSchema } from '../auth/roles.ts';
import type { Ask } from '../bus-client.ts';
import { answer, json, route, type Route } from '../route.ts';
import type { Lobby } from '../streams/lobby.ts';
import type { StreamQuota } from '../streams/stream-quota.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';
import { actRoutes } from './acts.ts';
import { contestRoutes } from './contests.ts';
import { contextRoutes } from './contexts.ts';
import { type EventRouteDeps, eventRoutes } from './events.ts';
import { lookupRoutes } from './lookups.ts';
import { operateRoutes } from './operate.ts';
import { type TableRouteDeps, tableRoutes } from './tables.ts';
import { type TokenRouteDeps, tokenRoutes } from './tokens.ts';
import { type ViewRouteDeps, viewRoutes } from './views.ts';

export type RouteDeps = TableRouteDeps & TokenRouteDeps & ViewRouteDeps & EventRouteDeps & LobbyRouteDeps & { readonly isOpen: boolean };

/** Every address that needs a token, in the order of docs/http.md. */
export const allRoutes = (deps: RouteDeps): readonly Route[] => [
  ...tableRoutes(deps),
  lobbyRoute(deps),
  leaderboardRoute(deps),
  ...operateRoutes(deps),
  meRoute(deps),
  ...tokenRoutes(deps),
  ...viewRoutes(deps),
  ...eventRoutes(deps),
  ...actRoutes(deps),
  ...lookupRoutes(deps),
  ...contextRoutes(deps),
  ...contestRoutes(deps),
];

interface LobbyRouteDeps {
  readonly lobby: Lobby;
  readonly quota: StreamQuota;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** The list of tables as it changes. */
const lobbyRoute = ({ lobby, quota }: LobbyRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/lobby',
    summary:
      'The summaries of tables as they change, as server-sent events: `table` for each of the newest 100, `ready`, then `table` for each that is opened or changes.',
    permits: anyToken,
    responses: [{ status: 200, type: EVENT_STREAM, description: 'The events, until the reader leaves.' }],
    handle: async ({ bearer, client, signal }) => {
      const slot = quota.take(bearer, client);
      const stream = { signal: AbortSignal.any([signal, slot.signal]), until: bearer.until };
      return streamedAnswer(EVENT_STREAM, slot.release, async () => ({ send: (out) => lobby.send(out, stream) }));
    },
  });

const leaderboardQuery = z.strictObject({ rules: contracts.get('table.leaderboard').data.shape.rules });

/** How often each recipe and model has won. */
const leaderboardRoute = ({ ask }: { readonly ask: Ask }): Route =>
  route({
    method: 'GET',
    path: '/leaderboard',
    summary: 'How often people, and minds by recipe and model, have won in finished games, in all and by side; of all rules, or of some.',
    permits: anyToken,
    query: leaderboardQuery,
    responses: [json(contracts.replyOf('table.leaderboard'), 'The rows, the largest share of wins first.')],
    refusals: ['unknown-rules'],
    handle: async ({ query, signal }) => answer(await ask('table.leaderboard', '-', query, { signal })),
  });

const me = z.object({
  role: z.enum([...passSchema.options.map(({ shape }) => shape.role.value), 'anybody']).meta({
    description: '`anybody`: a request without a token, where the service is open.',
  }),
  name: z.string().meta({ description: 'Who the token was issued to.' }),
  table: tableId.optional(),
  seat: seat.optional(),
  view: z.enum(['audience', 'narrator']).optional(),
  until: instant.optional().meta({ description: 'When the token expires; absent: never.' }),
  isOpen: z.boolean().meta({ description: 'Whether the service is open to everybody on its machine.' }),
  version: z.string().meta({ description: 'The version of the program.' }),
});

/** What the token of a request permits. */
const meRoute = ({ isOpen }: { readonly isOpen: boolean }): Route =>
  route({
    method: 'GET',
    path: '/me',
    summary: 'Who sends the request: the role of its token, its table and seat, and until when it is valid.',
    permits: anyToken,
    responses: [json(me, 'The token.')],
    handle: async ({ bearer: { pass, name, until } }) =>
      answer({ ...pass, name, ...(until === undefined ? {} : { until }), isOpen, version: about.version }),
  });

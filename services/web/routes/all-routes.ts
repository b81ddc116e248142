import { actRoutes } from './acts.ts';
import { contestRoutes } from './contests.ts';
import { contextRoutes } from './contexts.ts';
import { type EventRouteDeps, eventRoutes } from './events.ts';
import { leaderboardRoute } from './leaderboard.ts';
import { type LobbyRouteDeps, lobbyRoute } from './lobby.ts';
import { lookupRoutes } from './lookups.ts';
import { meRoute } from './me.ts';
import { operateRoutes } from './operate.ts';
import { type TableRouteDeps, tableRoutes } from './tables.ts';
import { type TokenRouteDeps, tokenRoutes } from './tokens.ts';
import { type ViewRouteDeps, viewRoutes } from './views.ts';
import type { Route } from '../route.ts';

export type RouteDeps = TableRouteDeps & TokenRouteDeps & ViewRouteDeps & EventRouteDeps & LobbyRouteDeps & Parameters<typeof meRoute>[0];

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

import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { anyToken } from '../auth/permissions.ts';
import type { Ask } from '../bus-client.ts';
import { answer, json, route, type Route } from '../route.ts';

const leaderboardQuery = z.strictObject({ rules: contracts.get('table.leaderboard').data.shape.rules });

/** How often each recipe and model has won. */
export const leaderboardRoute = ({ ask }: { readonly ask: Ask }): Route =>
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

import { anyToken } from '../auth/permissions.ts';
import { route, type Route } from '../route.ts';
import type { Lobby } from '../streams/lobby.ts';
import type { StreamQuota } from '../streams/stream-quota.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';

export interface LobbyRouteDeps {
  readonly lobby: Lobby;
  readonly quota: StreamQuota;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** The list of tables as it changes. */
export const lobbyRoute = ({ lobby, quota }: LobbyRouteDeps): Route =>
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

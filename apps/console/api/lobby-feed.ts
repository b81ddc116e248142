import type { ApiClient } from '@maw/api-client/client.ts';
import { followStream, type Link } from '@maw/api-client/stream.ts';
import { shareStream, type Tabs } from './leader.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import type { Summary } from './shapes.ts';
import { emitStream, type StreamMessage, problemIn, sharedName } from './stream-messages.ts';

export interface LobbyListener {
  /** A table was opened or has changed; at first, each of the newest. */
  onTable(summary: Summary): void;
  onLink(link: Link): void;
  onProblem(problem: ApiProblem): void;
}

export interface LobbyOptions {
  readonly client: ApiClient;
  readonly listener: LobbyListener;
  readonly signal: AbortSignal;
  readonly tabs: Tabs<StreamMessage>;
}

/** Follows the list of tables until the signal is aborted, over one stream per browser. */
export function followLobby({ client, listener, signal, tabs }: LobbyOptions): void {
  shareStream(tabs, {
    name: sharedName('lobby', client.token),
    topic: '',
    position: () => 0,
    signal,
    topicOf: () => undefined,
    kindOf: (message) => (message.kind === 'frame' ? `table ${(message.frame.data as Summary).table}` : message.kind),
    hear(message) {
      if (message.kind === 'link') listener.onLink(message.link);
      else if (message.kind === 'problem') listener.onProblem(problemIn(message));
      else if (message.frame.event === 'table') listener.onTable(message.frame.data as Summary);
    },
    run: (_, emit, running) =>
      emitStream(emit, (onLink) =>
        followStream((stop) => client.open('/lobby', {}, { signal: stop, forMs: 0 }), { signal: running, onLink }),
      ),
  });
}

import type { Patience } from '@maw/api-client/retry.ts';
import type { Frame, Link } from '@maw/api-client/stream.ts';
import type { ApiClient } from '@maw/api-client/client.ts';
import { type Positions, shareStream, type Tabs } from '../api/leader.ts';
import { problemOf } from '../api/problem.ts';
import { emitStream, followTables, type StreamMessage, sharedName, tableOf } from '../api/stream-messages.ts';

export interface ClockOptions {
  readonly client: Pick<ApiClient, 'token' | 'get' | 'open'>;
  readonly tabs: Tabs<StreamMessage>;
  hear(message: StreamMessage): void;
}

export interface ClockFollower {
  /** Changes the tables that are followed. */
  follow(tables: readonly string[]): void;
  close(): void;
}

/** Tables that open and end so soon after each other change the stream once, in milliseconds. */
const SETTLE_MS = 1_000;

/** Follows the clocks of tables that come and go: the first tables at once, later ones once they have settled. */
export function openClocks(options: ClockOptions): ClockFollower {
  const known: Positions = new Map();
  let stream = new AbortController();
  let followed = '';
  let wanted = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    timer = undefined;
    if (wanted === followed) return;
    stream.abort();
    stream = new AbortController();
    followed = wanted;
    const tables = wanted ? wanted.split(',') : [];
    for (const table of known.keys()) if (!tables.includes(table)) known.delete(table);
    if (wanted) followClocks({ ...options, tables, known, signal: stream.signal });
  };
  return {
    follow(tables) {
      wanted = tables.toSorted().join();
      timer ??= setTimeout(open, followed ? SETTLE_MS : 0);
    },
    close() {
      clearTimeout(timer);
      stream.abort();
    },
  };
}

interface Following extends ClockOptions {
  readonly tables: readonly string[];
  /** The last events of tables, as far as this tab knows them. */
  readonly known: Positions;
  readonly signal: AbortSignal;
}

/** Follows the clocks of tables, over one stream for all tabs that show the same tables. */
function followClocks({ client, tables, known, tabs, hear, signal }: Following): void {
  async function* follow(running: AbortSignal, onLink: (link: Link) => void): AsyncGenerator<Frame> {
    await readPositions(client, tables, known, { signal: running, forMs: Infinity, onFailure: () => onLink('lost') });
    const positions = new Map(tables.flatMap((table) => (known.has(table) ? [[table, known.get(table)!] as const] : [])));
    if (positions.size) yield* followTables({ client, as: 'audience', positions, signal: running, onLink });
  }
  shareStream(tabs, {
    name: sharedName('clocks', [client.token, ...tables].join()),
    topic: '',
    position: () => 0,
    signal,
    topicOf: () => undefined,
    kindOf: (message) => (message.kind === 'frame' ? `${message.frame.event} ${tableOf(message.frame)}` : message.kind),
    hear(message) {
      if (signal.aborted) return;
      if (message.kind === 'frame' && message.frame.event === 'seen')
        known.set(tableOf(message.frame), (message.frame.data as { readonly n: number }).n);
      hear(message);
    },
    run: (_, emit, running) => emitStream(emit, (onLink) => follow(running, onLink)),
  });
}

/** Requests at a time: a browser opens six connections, and the page needs some for other things. */
const AT_ONCE = 4;
/** Behind every event of a view: the answer then has none. */
const AFTER_ALL = 1_000_000_000;

/** Adds the last events of the tables that are not known yet, without those that are no more. @throws ApiProblem */
async function readPositions(
  client: Pick<ApiClient, 'get'>,
  tables: readonly string[],
  known: Positions,
  patience: Patience,
): Promise<void> {
  const unknown = tables.filter((table) => !known.has(table));
  while (unknown.length) {
    const reads = unknown.splice(0, AT_ONCE).map(async (table) => {
      try {
        const { last } = await client.get('/tables/:table/view', { table, as: 'audience', after: AFTER_ALL, limit: 1 }, patience);
        known.set(table, last);
      } catch (error) {
        if (problemOf(error).status !== 404) throw error;
      }
    });
    await Promise.all(reads);
  }
}

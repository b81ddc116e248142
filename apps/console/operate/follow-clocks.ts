import { type Client, tablePath } from '../api/client.ts';
import { followTables, tableOf } from '../api/follow-tables.ts';
import { type Positions, shareStream, type Tabs } from '../api/leader.ts';
import { problemOf } from '../api/problem.ts';
import { sendUntilAnswered } from '../api/retry.ts';
import type { View } from '../api/shapes.ts';
import { type EmitFrames, emitStream, type Message, sharedName } from '../api/stream-messages.ts';

export interface ClockOptions {
  readonly client: Pick<Client, 'token' | 'get' | 'stream'>;
  readonly tabs: Tabs<Message>;
  hear(message: Message): void;
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
  const follow = async (running: AbortSignal, emit: EmitFrames): Promise<void> => {
    const onFailure = (): void => emit.onLink('lost');
    await sendUntilAnswered(() => readPositions(client, tables, known), { signal: running, onFailure });
    const positions = new Map(tables.flatMap((table) => (known.has(table) ? [[table, known.get(table)!] as const] : [])));
    if (positions.size) await followTables({ client, as: 'audience', positions, signal: running, ...emit });
  };
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
    run: (_, emit, running) => emitStream(emit, (frames) => follow(running, frames)),
  });
}

/** Requests at a time: a browser opens six connections, and the page needs some for other things. */
const AT_ONCE = 4;
/** Behind every event of a view: the answer then has none. */
const AFTER_ALL = 1_000_000_000;

/** Adds the last events of the tables that are not known yet, without those that are no more. @throws ApiProblem */
async function readPositions(client: Pick<Client, 'get'>, tables: readonly string[], known: Positions): Promise<void> {
  const unknown = tables.filter((table) => !known.has(table));
  while (unknown.length) {
    const reads = unknown.splice(0, AT_ONCE).map(async (table) => {
      try {
        const { last } = await client.get<View>(tablePath(table, '/view'), { as: 'audience', after: AFTER_ALL, limit: 1 });
        known.set(table, last);
      } catch (error) {
        if (problemOf(error).status !== 404) throw error;
      }
    });
    await Promise.all(reads);
  }
}

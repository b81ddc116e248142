import { useEffect, useState } from 'react';
import { type Client, tablePath } from '../api/client.ts';
import type { Link } from '../api/follow.ts';
import { followTables, tableOf } from '../api/follow-tables.ts';
import { browserTabs, type Positions, shareStream, type Tabs } from '../api/leader.ts';
import { ApiProblem, problemOf } from '../api/problem.ts';
import { sendUntilAnswered } from '../api/retry.ts';
import type { Clock, View } from '../api/shapes.ts';
import { type EmitFrames, emitStream, type Message, sharedName } from '../api/stream-messages.ts';
import type { ClockReading } from '../scene/session.ts';

interface Clocks {
  readonly clocks: ReadonlyMap<string, ClockReading>;
  readonly link: Link;
  readonly problem: ApiProblem | undefined;
}

/** How many tables one stream can hold. */
export const MAX_TABLES = 200;

/** The clocks of tables as they change, over one stream per browser; of more than `MAX_TABLES`, those of the first. */
export function useClocks(client: Client, tables: readonly string[]): Clocks {
  const [clocks, setClocks] = useState<Clocks['clocks']>(new Map());
  const [link, setLink] = useState<Link>('connecting');
  const [problem, setProblem] = useState<ApiProblem>();
  const [tabs] = useState(() => browserTabs<Message>());
  const [known] = useState<Positions>(() => new Map());
  const names = tables.slice(0, MAX_TABLES).toSorted().join();
  useEffect(() => {
    if (!names) return undefined;
    const closing = new AbortController();
    const hear = (message: Message): void => {
      if (closing.signal.aborted) return;
      if (message.kind === 'link') {
        if (message.link === 'live') setProblem(undefined);
        return setLink(message.link);
      }
      if (message.kind === 'problem') return setProblem(new ApiProblem(message.status, message.reason, message.detail));
      const { event, data } = message.frame;
      const { table, n, ...clock } = data as Clock & { readonly table: string; readonly n?: number };
      if (event === 'seen') known.set(table, n!);
      if (event === 'clock') setClocks((before) => new Map(before).set(table, { ...clock, readAt: message.readAt }));
    };
    followClocks({ client, tables: names.split(','), known, tabs, hear, signal: closing.signal });
    return () => closing.abort();
  }, [client, names, tabs, known]);
  return { clocks, link, problem };
}

interface Following {
  readonly client: Client;
  readonly tables: readonly string[];
  /** The last events of tables, as far as this tab knows them. */
  readonly known: Positions;
  readonly tabs: Tabs<Message>;
  hear(message: Message): void;
  readonly signal: AbortSignal;
}

/** The tab that leads follows the tables that it shows: all tabs with this page show the same. */
function followClocks({ client, tables, known, tabs, hear, signal }: Following): void {
  const follow = async (running: AbortSignal, emit: EmitFrames): Promise<void> => {
    const onFailure = (): void => emit.onLink('lost');
    await sendUntilAnswered(() => readPositions(client, tables, known), { signal: running, onFailure });
    const positions = new Map(tables.flatMap((table) => (known.has(table) ? [[table, known.get(table)!] as const] : [])));
    if (positions.size) await followTables({ client, as: 'audience', positions, signal: running, ...emit });
  };
  shareStream(tabs, {
    name: sharedName('clocks', client.token),
    topic: '',
    position: () => 0,
    signal,
    topicOf: () => undefined,
    kindOf: (message) => (message.kind === 'frame' ? `${message.frame.event} ${tableOf(message.frame)}` : message.kind),
    hear,
    run: (_, emit, running) => emitStream(emit, (frames) => follow(running, frames)),
  });
}

/** Requests at a time: a browser opens six connections, and the page needs some for other things. */
const AT_ONCE = 4;
/** Behind every event of a view: the answer then has none. */
const AFTER_ALL = 1_000_000_000;

/** Adds the last events of the tables that are not known yet, without those that are no more. @throws ApiProblem */
async function readPositions(client: Client, tables: readonly string[], known: Positions): Promise<void> {
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

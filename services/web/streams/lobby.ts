import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { backpressureWriter, formatComment, formatEvent, SlowReader } from '@maw/http/sse.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { Ask } from '../bus-client.ts';
import type { WebOptions } from '../defaults.ts';
import type { TableChanges } from './table-changes.ts';

type Summary = ReplyData<'table.list'>['tables'][number];

/** How many tables a reader gets at first. */
const FIRST_TABLES = 100;
/** How many tables are remembered of what a reader was sent. */
const MAX_SENT = 1_000;
/**
 * How many tables are remembered of what all readers were told last. An act that nobody may see moves a table and leaves its summary as it
 * was: then no reader is sent anything. The first reader begins without: while there was none, tables changed unheard.
 */
const MAX_TOLD = 10_000;
/** How many changed tables are read at once. */
const READS_AT_ONCE = 8;

/** One reader: what it has, and what it has not been sent yet, both as JSON by table. A slow one gets the newest state only. */
interface Reader {
  readonly sent: LRUCache<string, string>;
  readonly pending: Map<string, string>;
  wake: () => void;
}

interface LobbyStream {
  /** Aborted when the reader leaves or the service closes. */
  readonly signal: AbortSignal;
  /** When the token of the reader expires, milliseconds since the epoch. */
  readonly until: number | undefined;
}

interface LobbyDeps extends Pick<WebOptions, 'lobbyEveryMs' | 'pollMs' | 'streamKeepAliveMs' | 'slowReaderMs'> {
  readonly ask: Ask;
  readonly changes: TableChanges;
  readonly now: () => number;
}

export type Lobby = ReturnType<typeof createLobby>;

/**
 * The summaries of tables as they change, for any number of readers: each changed table is read once for all of them, and at most once in
 * `lobbyEveryMs`. Notifications may be lost, so the newest tables are read again every `pollMs`.
 */
export function createLobby(deps: LobbyDeps) {
  const readers = new Set<Reader>();
  const due = new Set<string>();
  let flush: NodeJS.Timeout | undefined;
  let flushedAt = -Infinity;
  const told = new LRUCache<string, string>({ max: MAX_TOLD });
  const tell = (summary: Summary): void => {
    const text = JSON.stringify(summary);
    told.set(summary.table, text);
    for (const reader of readers) offer(reader, summary.table, text);
  };
  async function readDue(): Promise<void> {
    flushedAt = performance.now();
    flush = undefined;
    const tables = [...due];
    due.clear();
    const read = async (): Promise<void> => {
      for (let table = tables.shift(); table !== undefined; table = tables.shift()) {
        const summary = await summaryOf(deps.ask, table);
        if (summary && told.get(table) !== JSON.stringify(summary)) tell(summary);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, read));
  }
  const stopListening = deps.changes.onMoved((table) => {
    if (!readers.size) return;
    due.add(table);
    flush ??= setTimeout(() => void readDue(), Math.max(0, flushedAt + deps.lobbyEveryMs - performance.now()));
  });
  const poll = setInterval(() => {
    if (readers.size)
      void newestTables(deps.ask)
        .catch(() => [])
        .then((tables) => tables.forEach(tell));
  }, deps.pollMs);

  return {
    /** Sends the newest tables, `ready`, and then every table that changes, until the reader leaves or its token expires. */
    async send(out: Writable, stream: LobbyStream): Promise<void> {
      const reader: Reader = { sent: new LRUCache({ max: MAX_SENT }), pending: new Map(), wake: () => undefined };
      if (!readers.size) told.clear();
      readers.add(reader);
      try {
        await sendLobby(deps, out, stream, reader);
        out.end();
      } catch (error) {
        if (error instanceof SlowReader) out.destroy();
        else out.end();
        if (!(error instanceof SlowReader || stream.signal.aborted)) throw error;
      } finally {
        readers.delete(reader);
      }
    },
    close(): void {
      stopListening();
      clearInterval(poll);
      clearTimeout(flush);
    },
  };
}

function offer({ sent, pending, wake }: Reader, table: string, text: string): void {
  if (sent.get(table) === text) return void pending.delete(table);
  pending.set(table, text);
  wake();
}

/** Undefined: it cannot be read now; the next poll repairs it. */
async function summaryOf(ask: Ask, table: string): Promise<Summary | undefined> {
  // Secret acts move a table too: their spans would count them.
  const view = await untraced(() => ask('table.view', table, { eye: 'audience', limit: 1 })).catch(() => undefined);
  return view?.summary;
}

/** Those that are not over first, the newest of each first. */
async function newestTables(ask: Ask): Promise<readonly Summary[]> {
  const { tables: running } = await ask('table.list', '-', { limit: FIRST_TABLES, isOver: false });
  if (running.length >= FIRST_TABLES) return running;
  const { tables: over } = await ask('table.list', '-', { limit: FIRST_TABLES - running.length, isOver: true });
  return [...running, ...over];
}

async function sendLobby(deps: LobbyDeps, out: Writable, { signal, until }: LobbyStream, reader: Reader): Promise<void> {
  const write = backpressureWriter(out, deps.slowReaderMs, signal);
  await write('retry: 2000\n\n');
  for (const summary of await newestTables(deps.ask))
    if (!reader.pending.has(summary.table)) offer(reader, summary.table, JSON.stringify(summary)); // what is pending is newer
  for (let isReady = false; ; isReady = true) {
    for (const [table, text] of reader.pending) {
      reader.pending.delete(table);
      reader.sent.set(table, text);
      await write(`event: table\ndata: ${text}\n\n`);
    }
    if (!isReady) await write(formatEvent('ready', {}));
    const validMs = until === undefined ? Infinity : until - deps.now();
    if (validMs <= 0) return;
    if (!reader.pending.size && !(await wakes(reader, Math.min(deps.streamKeepAliveMs, validMs), signal)))
      await write(formatComment('still here'));
  }
}

/** Waits until there is something to send, at most `ms`. Returns whether there is. @throws the abort reason of `signal` */
async function wakes(reader: Reader, ms: number, signal: AbortSignal): Promise<boolean> {
  const woken = new AbortController();
  reader.wake = () => woken.abort();
  try {
    await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) });
    return false;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}

import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import { eventDecoder } from '@maw/http/event-decoder.ts';
import { quantile } from '@maw/bench/figures.ts';
import type { TablesPage } from './tables-page.ts';

export interface FollowOptions {
  /** Readers of the first table, all with one spectator link. */
  readonly watchers: number;
  /** How many tables one more reader follows by one stream. */
  readonly tables: number;
  /** Speeches a second: every other one at the first table. */
  readonly perSecond: number;
  readonly seconds: number;
  /** Opens a page that lists all tables. */
  readonly openPage?: (() => Promise<TablesPage>) | undefined;
  readonly signal: AbortSignal;
}

/** Where the system is, and what it uses. */
export interface Followed {
  readonly url: string;
  readonly admin: string;
  memory(): Promise<WebMemory>;
}

/** The memory of `web`, in bytes: that of the process, which has room for garbage, and what is used of its heap. */
export interface WebMemory {
  readonly resident: number;
  readonly heap: number;
}

export interface FollowResult {
  /** What was missing, repeated or out of order. */
  readonly wrong: readonly string[];
  /** Events that the readers received. */
  readonly events: number;
  /** From the request to speak to the event at a reader, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Memory that one more reader takes, in bytes. */
  readonly perReader: number;
  /** How much `web` grew in the second half of the time, from lowest to lowest. */
  readonly growth: WebMemory;
  /** How much what the scripts of the page hold grew in the second half, in bytes; NaN without a page. */
  readonly pageGrowth: number;
}

/** One open stream. */
export interface Reader {
  /** By table: the number of the last event. */
  readonly last: Map<string, number>;
  readonly wrong: string[];
  readonly latencies: number[];
  /** What the server has sent on its connection, in bytes. */
  bytes(): number;
  close(): void;
}

export interface TalkTable {
  readonly table: string;
  /** The token of a seat. */
  readonly seat: string;
}

export type Post = <T>(path: string, body: object, token: string) => Promise<T>;

/** Lets people talk at tables while many readers follow, and checks that each reads everything once and in order. */
export async function followTables(at: Followed, options: FollowOptions): Promise<FollowResult> {
  const post: Post = (path, body, token) => postTo(at.url, path, body, token);
  const tables: TalkTable[] = [];
  for (let i = 0; i < options.tables; i++) tables.push(await openTable(post, at.admin, options.perSecond * options.seconds));
  const first = tables[0]!.table;
  const { token: link } = await post<{ token: string }>('/tokens', { role: 'spectator', table: first }, at.admin);
  const { resident: before } = await at.memory();
  const readers = [await openReader(at.url, `/events?tables=${tables.map(({ table }) => table).join(',')}&as=audience`, at.admin)];
  for (let i = 0; i < options.watchers; i++) readers.push(await openReader(at.url, `/tables/${first}/events`, link));
  try {
    const perReader = ((await at.memory()).resident - before) / readers.length;
    const page = await options.openPage?.();
    if (page) await pollUntil('the page to follow all tables', async () => (await page.received()).followed === tables.length);
    const { growth, pageGrowth } = await talk(at, post, tables, options, page);
    await pollUntil('every reader to have read everything', async () => hasRead(at, tables, readers));
    const all = readers.flatMap(({ latencies }) => latencies);
    return {
      wrong: [...readers.flatMap(({ wrong }) => wrong), ...((await page?.received())?.wrong ?? [])],
      events: readers.reduce((sum, { last }) => sum + [...last.values()].reduce((of, n) => of + n, 0), 0),
      p50: quantile(all, 0.5),
      p99: quantile(all, 0.99),
      perReader,
      growth,
      pageGrowth,
    };
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Opens a table that stays in its Lobby for that many speeches, where one person may talk. */
export async function openTable(post: Post, admin: string, speeches: number): Promise<TalkTable> {
  const lobbyMs = 60_000 + speeches * 1_000;
  const { table } = await post<{ table: string }>(
    '/tables',
    { rules: 'maw', players: 3, people: 3, lobbyMs: Math.min(lobbyMs, 86_400_000) },
    admin,
  );
  const { token } = await post<{ token: string }>(`/tables/${table}/seats`, { name: 'Ann' }, admin);
  return { table, seat: token };
}

/** Talks for a while. Returns by how many bytes the process and the page grew in the second half. */
async function talk(
  at: Followed,
  post: Post,
  tables: readonly TalkTable[],
  { perSecond, seconds, signal }: FollowOptions,
  page: TablesPage | undefined,
): Promise<Pick<FollowResult, 'growth' | 'pageGrowth'>> {
  const speeches = Math.round(perSecond * seconds);
  const half = Math.floor(speeches / 2);
  const sampleEvery = Math.max(1, Math.floor(speeches / 200));
  const samples: WebMemory[] = [];
  const began = performance.now();
  let pageAtHalf = Number.NaN;
  for (let i = 0; i < speeches && !signal.aborted; i++) {
    await delay(Math.max(0, began + (i * 1_000) / perSecond - performance.now()));
    if (i === half && page) pageAtHalf = await heapOf(page, at, tables);
    if (i >= half && i % sampleEvery === 0) samples.push(await at.memory());
    const { table, seat } = tables[i % 2 ? ((i - 1) / 2) % tables.length : 0]!;
    await post(`/tables/${table}/speech`, { room: 'Lobby', text: `said at ${performance.now()}` }, seat);
  }
  const growth = { resident: growthIn(samples.map(({ resident }) => resident)), heap: growthIn(samples.map(({ heap }) => heap)) };
  return { growth, pageGrowth: page ? (await heapOf(page, at, tables)) - pageAtHalf : Number.NaN };
}

/** By how much the lowest value of the second half is above that of the first: memory goes up and down as garbage is collected. */
function growthIn(samples: readonly number[]): number {
  const middle = Math.ceil(samples.length / 2);
  return Math.min(...samples.slice(middle)) - Math.min(...samples.slice(0, middle));
}

/** What the page holds once it has all events: a slow page lags behind. */
async function heapOf(page: TablesPage, at: Followed, tables: readonly TalkTable[]): Promise<number> {
  const lengths = await lengthsOf(at, tables);
  await pollUntil('the page to have read everything', async () => {
    const { last } = await page.received();
    return tables.every(({ table }, i) => last.get(table) === lengths[i]);
  });
  return page.heap();
}

async function hasRead(at: Followed, tables: readonly TalkTable[], [many, ...watchers]: readonly Reader[]): Promise<boolean> {
  const lengths = await lengthsOf(at, tables);
  return tables.every(({ table }, i) => many!.last.get(table) === lengths[i]) && watchers.every(({ last }) => last.get('') === lengths[0]);
}

const lengthsOf = ({ url, admin }: Followed, tables: readonly TalkTable[]): Promise<readonly number[]> =>
  Promise.all(tables.map(({ table }) => lengthOf(url, table, admin)));

export async function lengthOf(url: string, table: string, token: string): Promise<number> {
  const response = await fetch(`${url}/tables/${table}/view?as=audience&limit=1`, { headers: { Authorization: `Bearer ${token}` } });
  return ((await response.json()) as { last: number }).last;
}

/** How often a request without an answer is sent again: an idle connection may be closed just when it is used, and a busy system be late. */
const ATTEMPTS = 5;

/** @throws Error with the response when it is not 2xx */
export async function postTo<T>(url: string, path: string, body: object, token: string): Promise<T> {
  const headers = { 'Authorization': `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as T;
      if (response.status < 502 || attempt === ATTEMPTS) throw new Error(`${path}: ${response.status} ${text}`);
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === ATTEMPTS) throw error; // fetch throws a TypeError when no answer came
    }
  }
}

/** Reads a stream on a connection of its own. @throws Error when it is refused */
export async function openReader(url: string, path: string, token: string): Promise<Reader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}${path}`, { agent: false, headers: { Authorization: `Bearer ${token}` } }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
  const reader: Reader = {
    last: new Map(),
    wrong: [],
    latencies: [],
    bytes: () => response.socket.bytesRead,
    close: () => response.destroy(),
  };
  const decode = eventDecoder();
  response.on('error', () => undefined); // it is closed while it is read
  response.on('data', (chunk: Buffer) => {
    for (const { event, data } of decode(chunk)) if (event === 'seen') note(reader, data);
  });
  return reader;
}

function note({ last, wrong, latencies }: Reader, data: string): void {
  const { table = '', n, text = '' } = JSON.parse(data) as { table?: string; n: number; text?: string };
  const expected = (last.get(table) ?? 0) + 1;
  if (n !== expected) wrong.push(`${table || 'the first table'}: event ${n} instead of ${expected}`);
  last.set(table, n);
  const sent = /said at ([\d.]+)/.exec(text)?.[1];
  if (sent !== undefined) latencies.push(performance.now() - Number(sent));
}

import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Browser } from 'playwright-core';
import { lengthOf, openReader, openTable, type Post, postTo, type Reader, type TalkTable } from '../web/followed-tables.ts';
import { firstContentfulPaint, notedSpeeches, noteSpeeches, withPage } from './browser-pages.ts';

/** The system that serves the page. */
export interface Site {
  readonly url: string;
  readonly admin: string;
  readonly browser: Browser;
  /** The memory of `web`, in MiB. */
  memory(): Promise<number>;
}

export interface SpeechesOptions {
  readonly acts: number;
  readonly perSecond: number;
  /** Spectators besides the page. */
  readonly followers: number;
  readonly signal: AbortSignal;
}

export interface SpeechesResult {
  /** From the moment before the request to the speech in the page, in milliseconds. */
  readonly latencies: readonly number[];
  /** Acts that never came into the page. */
  readonly missing: number;
  /** When the page of the table first showed something, in milliseconds after the navigation began. */
  readonly tablePaintMs: number;
  /** Memory of `web` for one follower, in KiB, and bytes of an event on its connection; NaN without followers. */
  readonly followerKib: number;
  readonly eventBytes: number;
}

/** How many requests fill a tape at once. */
const AT_ONCE = 8;
/** How much longer than it takes to talk a table stays in its Lobby, in seconds: a measurement takes minutes. */
const SPARE_S = 7_200;

/** Lets a person talk at a table that a page and other spectators watch. */
export async function measureSpeeches(site: Site, { acts, perSecond, followers, signal }: SpeechesOptions): Promise<SpeechesResult> {
  const post = postOf(site);
  const table = await openTable(post, site.admin, SPARE_S);
  const link = await linkTo(site, table);
  return withPage(site.browser, `${site.url}/t/${table.table}#token=${link}`, async (page) => {
    const tablePaintMs = await firstContentfulPaint(page);
    await noteSpeeches(page);
    const readers: Reader[] = [];
    try {
      const before = await site.memory();
      for (let i = 0; i < followers && !signal.aborted; i++)
        readers.push(await openReader(site.url, `/tables/${table.table}/events`, link));
      await untilRead(site, table, readers, signal);
      const followerKib = (((await site.memory()) - before) * 1024) / readers.length;
      const bytesBefore = readers[0]?.bytes() ?? Number.NaN;
      const sent = await talk(post, table, { acts, perSecond, signal });
      await untilRead(site, table, readers, signal);
      const noted = await untilNoted(() => notedSpeeches(page), [...sent.keys()]);
      const latencies = [...sent].flatMap(([text, at]) => (noted.has(text) ? [noted.get(text)! - at] : []));
      return {
        latencies,
        missing: sent.size - latencies.length,
        tablePaintMs,
        followerKib,
        eventBytes: ((readers[0]?.bytes() ?? Number.NaN) - bytesBefore) / sent.size,
      };
    } finally {
      for (const reader of readers) reader.close();
    }
  });
}

/** Opens a table whose tape has that many events, all but a few of them speeches. Returns the address of its page. */
export async function fillTape(site: Site, events: number, signal: AbortSignal): Promise<string> {
  const post = postOf(site);
  const table = await openTable(post, site.admin, events + SPARE_S);
  let left = events - (await lengthOf(site.url, table.table, site.admin));
  const fill = async (): Promise<void> => {
    while (left-- > 0 && !signal.aborted)
      await speak(post, table, `Speech ${left}: I have thought about it, and I do not believe what was said.`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fill));
  await pollUntil('the tape to have all events', async () => (await lengthOf(site.url, table.table, site.admin)) >= events, { signal });
  return `${site.url}/t/${table.table}#token=${await linkTo(site, table)}`;
}

const postOf =
  ({ url }: Site): Post =>
  (path, body, token) =>
    postTo(url, path, body, token);

const linkTo = async (site: Site, { table }: TalkTable): Promise<string> =>
  (await postOf(site)<{ token: string }>('/tokens', { role: 'spectator', table }, site.admin)).token;

const speak = (post: Post, { table, seat }: TalkTable, text: string): Promise<unknown> =>
  post(`/tables/${table}/speech`, { room: 'Lobby', text }, seat);

/** Speaks at a steady pace. Returns by text when each speech was sent, in milliseconds of the system's clock. */
async function talk(
  post: Post,
  table: TalkTable,
  { acts, perSecond, signal }: Omit<SpeechesOptions, 'followers'>,
): Promise<ReadonlyMap<string, number>> {
  const sent = new Map<string, number>();
  const began = performance.now();
  for (let i = 0; i < acts && !signal.aborted; i++) {
    await delay(Math.max(0, began + (i * 1_000) / perSecond - performance.now()));
    const text = `Speech ${i + 1} of ${acts}`;
    sent.set(text, Date.now());
    await speak(post, table, text);
  }
  return sent;
}

async function untilRead({ url, admin }: Site, { table }: TalkTable, readers: readonly Reader[], signal: AbortSignal): Promise<void> {
  const length = await lengthOf(url, table, admin);
  await pollUntil('every follower to have read everything', async () => readers.every(({ last }) => (last.get('') ?? 0) >= length), {
    signal,
  });
}

/** What the page has noted, once it has all texts or has got none of them for some seconds. */
async function untilNoted(
  read: () => Promise<ReadonlyMap<string, number>>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const noted = await read();
    if (texts.every((text) => noted.has(text)) || performance.now() > deadline) return noted;
    await delay(50);
  }
}

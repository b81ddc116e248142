import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type InProcessSystem, startInProcessSystem } from '@maw/cli/in-process-system.ts';
import type { Store } from '@maw/store/store.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { builtConsole } from '../equipment/servers/built-console.ts';
import { startChromium } from '../equipment/servers/chromium.ts';

export interface PlayHouse {
  readonly url: string;
  readonly admin: string;
  readonly browser: Browser;
  readonly system: InProcessSystem;
  readonly store: Store;
  /** The folder of the built page. */
  readonly consoleDir: string;
  post(path: string, body: object, token?: string): Promise<unknown>;
  get(path: string, token?: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The whole system in this process, with the built page, and a browser. */
export async function startPlayHouse(store = memoryStore()): Promise<PlayHouse> {
  const consoleDir = await builtConsole();
  const [browser, system] = await Promise.all([startChromium(), startSystem(consoleDir, store)]);
  const { web, adminToken } = system;
  const ask = async (method: string, path: string, token: string, body?: object): Promise<unknown> => {
    const response = await fetch(web.at + path, {
      method,
      headers: { 'Authorization': `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    url: web.at,
    admin: adminToken,
    browser,
    system,
    store,
    consoleDir,
    post: (path, body, token = adminToken) => ask('POST', path, token, body),
    get: (path, token = adminToken) => ask('GET', path, token),
    async close() {
      await browser.close();
      await system.close();
    },
  };
}

const startSystem = (consoleDir: string, store: Store): Promise<InProcessSystem> =>
  startInProcessSystem({
    store,
    port: 0,
    consoleDir,
    models: { servers: [], model: undefined, sim: { seed: 1 }, says: '' },
    contests: 'played',
    maxWaitMs: 100,
    logLevel: 'silent',
  });

export interface Seated {
  readonly seat: number;
  readonly token: string;
  readonly brief: string;
}

/** Opens a table for people and seats them all. */
export async function seatPeople(
  house: PlayHouse,
  names: readonly string[],
  options: object,
  terms: object = {},
): Promise<{ table: string; seats: readonly Seated[] }> {
  const count = names.length;
  const opened = await house.post('/tables', {
    rules: 'maw',
    players: count,
    people: count,
    options: { pace: 'machines', ...options },
    ...terms,
  });
  const { table } = opened as { table: string };
  const joined: { readonly seat: number; readonly token: string }[] = [];
  for (const name of names) joined.push(await join(house, table, name));
  const briefs = joined.map(async (each) => {
    const { brief } = (await house.get(`/tables/${table}/view?limit=1`, each.token)) as { brief: string };
    return { ...each, brief };
  });
  return { table, seats: await Promise.all(briefs) };
}

/** Seats a person at a table. */
export const join = (house: PlayHouse, table: string, name: string): Promise<{ readonly seat: number; readonly token: string }> =>
  house.post(`/tables/${table}/seats`, { name }) as Promise<{ readonly seat: number; readonly token: string }>;

/** How long a page is waited for: a busy machine is slow, not wrong. */
const PAGE_MS = 240_000;

/** A profile of the browser without a past. */
export async function newContext({ browser }: PlayHouse, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PAGE_MS);
  return context;
}

/** Ends a game of the village: everybody votes for the werewolf. */
export async function voteOut(
  house: PlayHouse,
  { table, seats }: { readonly table: string; readonly seats: readonly Seated[] },
): Promise<void> {
  const wolf = seats.find(({ brief }) => brief.includes('Werewolf'))!;
  for (const { seat, token } of seats)
    if (seat !== wolf.seat)
      await house.post(`/tables/${table}/acts`, { question: 'round-1/day-1/vote', says: [`seat:${wolf.seat}`] }, token);
}

/** Opens an address of the page in a browser of its own. */
export async function openPage(house: PlayHouse, address: string): Promise<Page> {
  const context = await newContext(house, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Moves the focus with Tab to what has this label, or to one of those that the selector fits. @throws Error when nothing has */
export async function tabTo(page: Page, label: string, selector = '*'): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate((wanted) => {
      const { activeElement: at } = document;
      if (!at?.matches(wanted)) return undefined;
      const labelled = (at as HTMLInputElement | null)?.labels?.[0];
      const caption = labelled?.querySelector('span, strong') ?? labelled;
      return at.getAttribute('aria-label') ?? caption?.textContent ?? at.textContent;
    }, selector);
    if (name?.startsWith(label)) return;
  }
  throw new Error(`Tab never reaches ${label}`);
}

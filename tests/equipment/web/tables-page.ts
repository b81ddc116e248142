import type { Browser, Page } from 'playwright-core';

/** A page that lists running tables, and what it receives of them. */
export interface TablesPage {
  readonly page: Page;
  received(): Promise<Received>;
  /** What the scripts of the page hold between two renderings, after a garbage collection, in bytes. */
  heap(): Promise<number>;
}

export interface Received {
  /** By table: the number of the last event. */
  readonly last: ReadonlyMap<string, number>;
  /** Tables whose clock came. */
  readonly followed: number;
  /** What was missing, repeated or out of order. */
  readonly wrong: readonly string[];
}

/** How often the heap is read: while the page is drawn it holds half a mebibyte more. */
const READINGS = 10;

/** Opens the list of tables of operators in a context of its own. */
export async function openTablesPage(browser: Browser, url: string, admin: string): Promise<TablesPage> {
  const context = await browser.newContext();
  context.setDefaultTimeout(600_000);
  const page = await context.newPage();
  await page.addInitScript(recordEvents);
  await page.goto(`${url}/console/operate#token=${admin}`);
  const devTools = await context.newCDPSession(page);
  return {
    page,
    async received() {
      const { last, clocks, wrong } = await page.evaluate(() => {
        const recorded = (window as unknown as { readonly recorded: Recorded }).recorded;
        return { last: [...recorded.last], clocks: recorded.clocks.size, wrong: recorded.wrong };
      });
      return { last: new Map(last), followed: clocks, wrong };
    },
    async heap() {
      let lowest = Infinity;
      for (let reading = 0; reading < READINGS; reading++) {
        await devTools.send('HeapProfiler.collectGarbage');
        lowest = Math.min(lowest, (await devTools.send('Runtime.getHeapUsage')).usedSize);
      }
      return lowest;
    },
  };
}

interface Recorded {
  readonly last: Map<string, number>;
  readonly clocks: Set<string>;
  readonly wrong: string[];
}

/** Runs in the page, before its scripts: notes from where it opens streams of tables, and what it passes on of them to the other tabs. */
function recordEvents(): void {
  const recorded: Recorded = { last: new Map(), clocks: new Set(), wrong: [] };
  Object.assign(window, { recorded });
  const { last, clocks, wrong } = recorded;
  const send = window.fetch.bind(window);
  window.fetch = (address, init) => {
    const { pathname, searchParams } = new URL(address instanceof Request ? address.url : address, location.href);
    for (const position of pathname === '/events' ? searchParams.get('tables')!.split(',') : []) {
      const [table, n] = position.split(':') as [string, string];
      const before = last.get(table) ?? Number(n);
      if (before !== Number(n)) wrong.push(`${table}: the stream is opened after event ${n} instead of ${before}`);
      last.set(table, Number(n));
    }
    return send(address, init);
  };
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (this: BroadcastChannel, posted: Posted) {
    const { event, data } = posted.message?.frame ?? {};
    if (event === 'clock') clocks.add(data!.table);
    if (event === 'seen') {
      const { table, n } = data!;
      const expected = last.get(table)! + 1;
      if (n !== expected) wrong.push(`${table} in the page: event ${n} instead of ${expected}`);
      last.set(table, n);
    }
    postMessage.call(this, posted);
  };
}

/** What tabs tell each other, as far as it is read here. */
interface Posted {
  readonly message?: { readonly frame?: { readonly event: string; readonly data: { readonly table: string; readonly n: number } } };
}

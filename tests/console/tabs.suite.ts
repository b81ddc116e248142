import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pollUntil } from '@maw/async/poll-until.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type FaultProxy, startFaultProxy } from '../equipment/chaos/network/fault-proxy.ts';
import { pageTests } from './page-tests.suite.ts';
import { join, newContext, type PlayHouse, seatPeople } from './play-house.suite.ts';

const LONG = { dayMs: 600_000, nightMs: 600_000 };

/** How the tabs of a browser follow tables, over connections good and bad. */
export const tabsSuite = (startedHouse: () => PlayHouse): void =>
  describe('the tabs of a browser', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    const proxies: FaultProxy[] = [];
    beforeAll(() => void (house = startedHouse()));
    afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));

    const proxied = async (listen?: Parameters<typeof startFaultProxy>[1]): Promise<FaultProxy> => {
      const proxy = await startFaultProxy(house.url, listen);
      proxies.push(proxy);
      return proxy;
    };
    const at = (proxy: FaultProxy, table: string, token: string): string => `http://127.0.0.1:${proxy.port}/t/${table}#token=${token}`;
    const oneStream = () => {
      const streams = () => metricValue(metrics.streams, { service: 'web' });
      return pollUntil('one stream at the server', async () => (await streams()) === 1);
    };
    const options = (page: Page) => page.locator('section[aria-label=You] fieldset button[aria-pressed]');

    it('share one stream: each of nine may vote, and closing any of them loses nothing', async () => {
      const { table, seats } = await seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG);
      const context = await newContext(house);
      const pages: Page[] = [];
      while (pages.length < 9) {
        const page = await context.newPage();
        await page.goto(`${house.url}/t/${table}${pages.length ? '' : `#token=${seats[0]!.token}`}`);
        await options(page).first().waitFor();
        pages.push(page);
      }
      await oneStream();
      await options(pages[8]!).first().click();
      for (const page of pages) await options(page).and(page.locator('[aria-pressed=true]:enabled')).waitFor();
      for (const closed of [0, 3, 6]) {
        await pages.splice(closed, 1)[0]!.close();
        await house.post(`/tables/${table}/speech`, { room: 'Village', text: `Without ${closed}` }, seats[1]!.token);
        for (const page of pages) await page.getByRole('log').getByText(`Without ${closed}`, { exact: true }).waitFor();
      }
      await oneStream();
    });

    it('follow their tables in one stream, and the lobby in another, whichever tab closes', async () => {
      const context = await newContext(house);
      const tabs: { readonly table: string; readonly page: Page }[] = [];
      while (tabs.length < 3) {
        const { table } = (await house.post('/tables', { rules: 'maw', players: 3, people: 3 })) as { table: string };
        const page = await context.newPage();
        await page.goto(`${house.url}/t/${table}#token=${house.admin}`);
        await page.getByText('live', { exact: true }).waitFor();
        tabs.push({ table, page });
      }
      await oneStream();
      const lobby = await context.newPage();
      await lobby.goto(`${house.url}/#token=${house.admin}`);
      await lobby.locator(`li:has([href="/t/${tabs[0]!.table}"])`).getByText('3 free').waitFor();
      const reads: string[] = [];
      lobby.on('request', (request) => reads.push(request.url()));
      for (const name of ['Ann', 'Bo']) {
        for (const { table, page } of tabs) {
          await join(house, table, name);
          await page.getByRole('button', { name }).waitFor();
          await lobby.locator(`li:has([href="/t/${table}"])`).getByText(name).waitFor();
        }
        await tabs.shift()!.page.close();
      }
      expect(reads).toEqual([]);
    });

    it('freeze clock and buttons when the link is silent for two keep-alives, and go on once it speaks', async () => {
      const { table, seats } = await seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG);
      const proxy = await proxied();
      const page = await (await newContext(house)).newPage();
      await page.clock.install();
      await page.goto(at(proxy, table, seats[0]!.token));
      await options(page).first().and(page.locator(':enabled')).waitFor();
      proxy.stall('all');
      await page.clock.fastForward(33_000);
      await page.getByText('Connection lost. Your text is kept.').waitFor();
      expect(await options(page).first().isDisabled()).toBe(true);
      const clocks = await page.getByRole('timer').allTextContents();
      await page.clock.fastForward(5_000);
      expect(clocks).toHaveLength(3);
      expect(await page.getByRole('timer').allTextContents()).toEqual(clocks);
      proxy.mend();
      await options(page).first().and(page.locator(':enabled')).waitFor();
    });

    it('show why nothing comes while the server is away at first, and show the table once it is back', async () => {
      const { table, seats } = await seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG);
      let isAway = false;
      const proxy: FaultProxy = await proxied(() => ({
        up(bytes) {
          if (isAway || !bytes.toString('latin1').startsWith('GET /me ')) return;
          isAway = true;
          proxy.block();
        },
        down: () => undefined,
      }));
      const page = await (await newContext(house)).newPage();
      await page.goto(at(proxy, table, seats[0]!.token));
      await page.getByRole('alert').getByText('The game cannot be reached at the moment. Trying again.').waitFor();
      proxy.mend();
      await options(page).first().waitFor();
    });
  });

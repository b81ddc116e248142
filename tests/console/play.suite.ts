import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type FaultProxy, startFaultProxy } from '../equipment/chaos/network/fault-proxy.ts';
import { foundInHeap } from './heap-search.suite.ts';
import { pageTests } from './page-tests.suite.ts';
import { join, openPage, type PlayHouse, type Seated, seatPeople, tabTo } from './play-house.suite.ts';

const LONG = { dayMs: 600_000, nightMs: 600_000 };

interface Seen {
  readonly seen: readonly {
    readonly event: {
      readonly type: string;
      readonly answer?: { readonly by: number; readonly says: readonly string[] };
      readonly seat?: number;
      readonly to?: string;
    };
  }[];
}

/** What a person does in a page. */
export const playSuite = (startedHouse: () => PlayHouse): void =>
  describe('a person in a browser', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    let proxies: FaultProxy[] = [];
    beforeAll(() => void (house = startedHouse()));
    afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));

    /** What a seat said and chose, as the tape of the table has it. */
    const saidBy = async (table: string, seat: number): Promise<readonly string[]> => {
      const { seen } = (await house.get(`/tables/${table}/view?as=narrator`)) as Seen;
      return seen.flatMap(({ event: { answer } }) => (answer?.by === seat ? answer.says : []));
    };
    /** Who played seat 0, as the tape of the table has it. */
    const holdersOf = async (table: string): Promise<readonly string[]> => {
      const { seen } = (await house.get(`/tables/${table}/view?as=narrator`)) as Seen;
      return seen.flatMap(({ event: { type, seat, to } }) => (type === 'handed' && seat === 0 ? [to!] : []));
    };
    const speak = (table: string, { token }: Seated, text: string) =>
      house.post(`/tables/${table}/speech`, { room: 'Village', text }, token);
    const proxied = async (listen?: Parameters<typeof startFaultProxy>[1]): Promise<FaultProxy> => {
      const proxy = await startFaultProxy(house.url, listen);
      proxies = [...proxies, proxy];
      return proxy;
    };
    const at = (proxy: FaultProxy, table: string, token: string): string => `http://127.0.0.1:${proxy.port}/t/${table}#token=${token}`;
    const option = (page: Page, n: number) => page.locator('section[aria-label=You] fieldset button[aria-pressed]').nth(n);
    /** The page may act: before its stream is open, keys and buttons do nothing. */
    const isReady = (page: Page) => option(page, 0).and(page.locator(':enabled')).waitFor();
    const line = (page: Page, text: string) => page.getByRole('log').getByText(text, { exact: true });

    it('opens a table with minds, takes a seat, speaks, votes, changes it, leaves, returns and sees the end, by keyboard alone', async () => {
      const page = await openPage(house, `${house.url}/console/open#token=${house.admin}`);
      const { keyboard } = page;
      await page.getByRole('heading', { name: 'Open a table' }).waitFor();
      await tabTo(page, 'Players');
      await keyboard.type('4');
      await tabTo(page, 'Every mind: Recipe');
      await keyboard.type('rules');
      await tabTo(page, 'Differ by seat');
      await keyboard.press('Enter');
      for (const seat of [1, 2, 4]) {
        await tabTo(page, `Seat ${seat}`);
        await keyboard.type('a person');
      }
      await tabTo(page, 'Rules of this table');
      await keyboard.press('Enter');
      for (const [name, value] of Object.entries({
        'Longest day': '10',
        'Longest night': '0.3',
        'Days at most': '1',
        'Pace': 'machines',
      })) {
        await tabTo(page, name);
        await keyboard.type(value);
      }
      await tabTo(page, 'Open the table');
      await keyboard.press('Enter');
      await page.getByText('Sit here yourself').first().waitFor();
      await tabTo(page, 'Sit here yourself');
      await keyboard.press('Enter');
      await page.getByLabel('Your name').waitFor();
      await keyboard.type('Ann');
      await keyboard.press('Enter');
      await page.locator('textarea[name=speech]').waitFor();
      const table = /\/t\/([^/?]+)/.exec(page.url())![1]!;
      const others = [await join(house, table, 'Bo'), await join(house, table, 'Cy')];
      await isReady(page);
      await keyboard.press('t');
      await keyboard.type('I am new here.');
      await keyboard.press('Enter');
      await line(page, 'I am new here.').waitFor();
      await keyboard.press('Escape');
      for (const n of [0, 1]) {
        await keyboard.press(String(n + 1));
        await page.locator('section[aria-label=You] fieldset button[aria-pressed=true]:enabled').and(option(page, n)).waitFor();
      }
      const [text, first, second] = await saidBy(table, 0);
      expect([text, first, second]).toEqual(['I am new here.', 'seat:1', 'seat:2']);

      await keyboard.press('m');
      await page.getByRole('dialog').getByText('A mind plays for you until you take the seat back.').waitFor();
      await keyboard.press('Enter');
      await page.locator('section[aria-label=You] [data-state=mind]').waitFor();
      expect(await option(page, 0).count()).toBe(0);
      await tabTo(page, 'Tables');
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Tables' }).waitFor();
      await tabTo(page, '', `a[href="/t/${table}"]`);
      await keyboard.press('Enter');
      await page.locator('section[aria-label=You] button:enabled').getByText('Take my seat back').waitFor();
      await keyboard.press('m');
      await isReady(page);
      await keyboard.press('2'); // the mind may have voted for another
      await page.locator('section[aria-label=You] fieldset button[aria-pressed=true]:enabled').and(option(page, 1)).waitFor();
      expect(await holdersOf(table)).toEqual(['mind', 'person']);

      // With these votes, of three among four, the day ends; the night is too short for anybody.
      for (const { token } of others) await house.post(`/tables/${table}/acts`, { question: 'round-1/day-1/vote', says: [second] }, token);
      await page.locator('[data-state=won], [data-state=lost], [data-state=draw]').waitFor();
    });

    it('acts once when the answer is lost after the click, and keeps typed text over cuts and reloads', async () => {
      const { table, seats } = await seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG);
      const keys: string[] = [];
      let mustLose = true;
      const proxy: FaultProxy = await proxied(() => {
        let isAct = false;
        return {
          up(bytes) {
            const text = bytes.toString('latin1');
            isAct = text.startsWith('POST ');
            keys.push(...Array.from(text.matchAll(/idempotency-key: (\S+)/gi), ([, key]) => key!));
          },
          down() {
            if (!isAct || !mustLose) return;
            mustLose = false;
            proxy.cut('all'); // before these bytes are forwarded
          },
        };
      });
      const page = await openPage(house, at(proxy, table, seats[0]!.token));
      await isReady(page);
      await page.keyboard.press('t');
      await page.keyboard.type('Only once.');
      await page.keyboard.press('Enter');
      await line(page, 'Only once.').waitFor();
      await page.locator('textarea[name=speech]:not([readonly])').waitFor();
      expect(await saidBy(table, 0)).toEqual(['Only once.']);
      expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1]);

      await page.keyboard.type('half a sentence');
      proxy.block();
      await page.getByText('Connection lost. Your text is kept.').waitFor();
      expect(await option(page, 0).isDisabled()).toBe(true);
      expect(await page.locator('section[aria-label=You] [role=timer]:not([data-frozen])').count()).toBe(0);
      await page.keyboard.type(', and the rest');
      proxy.mend();
      for (let cut = 0; cut < 5; cut++) {
        await speak(table, seats[1]!, `Line ${cut}`);
        await line(page, `Line ${cut}`).waitFor();
        proxy.cut('all');
      }
      const lines = await page
        .getByRole('log')
        .getByText(/^Line \d$/)
        .allTextContents();
      expect(lines).toEqual(['Line 0', 'Line 1', 'Line 2', 'Line 3', 'Line 4']);
      await page.reload();
      await isReady(page);
      expect(await page.locator('textarea[name=speech]').inputValue()).toBe('half a sentence, and the rest');
    });

    it('gets nothing of what another person at the table hides, and covers the own role for every reader', async () => {
      const { table, seats } = await seatPeople(house, ['Ann', 'Bo', 'Cy', 'Dora'], { ...LONG, seer: true });
      const wolf = seats.find(({ brief }) => brief.includes('Werewolf'))!;
      const seer = seats.find(({ brief }) => brief.includes('Seer'))!;
      const [prey] = seats.filter((each) => each !== wolf && each !== seer);
      const sides = await Promise.all(
        [wolf, seer].map(async ({ token }) => {
          let bytes = '';
          const proxy = await proxied(() => ({ up: () => undefined, down: (chunk) => void (bytes += chunk.toString('latin1')) }));
          const page = await openPage(house, at(proxy, table, token));
          await isReady(page);
          return { page, bytes: () => bytes };
        }),
      );
      const [ofWolf, ofSeer] = sides as [(typeof sides)[0], (typeof sides)[0]];
      for (const { token, seat } of seats.filter((each) => each !== prey))
        await house
          .post(`/tables/${table}/acts`, { question: 'round-1/day-1/vote', says: [`seat:${prey!.seat}`] }, token)
          .catch((error: unknown) => seat && error);
      await ofWolf.page.getByText('You may speak in the Hideout.').waitFor();
      await ofWolf.page.keyboard.press('t');
      await ofWolf.page.keyboard.type('quagmire at dawn');
      await ofWolf.page.keyboard.press('Enter');
      await line(ofWolf.page, 'quagmire at dawn').waitFor();
      await ofSeer.page.getByText('It is night.').waitFor();
      const secrets = [/quagmire/, /"wolf"(?!:)/, /Your role: Werewolf/];
      const [wolfKnows, seerKnows] = await Promise.all(
        sides.map(async ({ page, bytes }) => {
          const inPage = await page.evaluate(() => JSON.stringify([document.body.innerText, { ...localStorage }, { ...sessionStorage }]));
          return bytes() + inPage;
        }),
      );
      expect(secrets.map((secret) => [secret.test(wolfKnows!), secret.test(seerKnows!)])).toEqual(secrets.map(() => [true, false]));
      expect([/"seer"(?!:)/, /Your role: Seer/].map((secret) => [secret.test(wolfKnows!), secret.test(seerKnows!)])).toEqual([
        [false, true],
        [false, true],
      ]);
      const heaps = await Promise.all(sides.map(({ page }) => foundInHeap(page, [/quagmire/, /Your role: Werewolf/, /Your role: Seer/])));
      expect(heaps).toEqual([
        [true, true, false],
        [false, false, true],
      ]);
      await ofWolf.page.keyboard.press('Escape');
      await ofWolf.page.keyboard.press('h');
      await ofWolf.page.locator('html[data-hide-private]').waitFor();
      const signs = await ofWolf.page
        .locator('ul[aria-label=Seats] button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      expect(signs.filter((label) => label !== null)).toHaveLength(4);
      expect(signs.join()).not.toMatch(/Werewolf|Seer|votes?\b/);
    });
  });

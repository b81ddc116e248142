import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { linkAddress } from '@maw/contracts/http/link-code.ts';
import { pageTests } from './page-tests.suite.ts';
import { newContext, openPage, type PlayHouse, type Seated, seatPeople, voteOut } from './play-house.suite.ts';

const LONG = { dayMs: 600_000, nightMs: 600_000 };
type Table = Awaited<ReturnType<typeof seatPeople>>;

/** What a page says when it, or something it asked for, was refused. */
const REFUSALS = 'main [role=alert], main input[type=password]';

/** What tokens open in a page, and how they are handed on. */
export const linksSuite = (startedHouse: () => PlayHouse): void =>
  describe('the links of a page', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    let live: Table;
    let over: Table;
    let gathering: string;
    beforeAll(async () => {
      house = startedHouse();
      const open = { people: 3, players: 4, lobbyMs: 3_600_000, rules: 'maw' };
      [live, over] = await Promise.all([seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG), seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG)]);
      gathering = ((await house.post('/tables', open)) as { table: string }).table;
      await voteOut(house, over);
    });
    const issue = async (pass: object): Promise<string> => ((await house.post('/tokens', pass)) as { token: string }).token;
    const settled = (page: Page) => page.locator('main :is(h1, h2, [role=alert], [role=log])').first().waitFor();
    const go = async (page: Page, path: string): Promise<void> => {
      await page.goto(`${house.url}${path}`);
      await settled(page);
    };
    const shownLinks = (page: Page): Promise<string[]> =>
      page.locator('a[href]:not([href="#content"])').evaluateAll((all) =>
        all.map((one) => {
          const { pathname, search, hash } = new URL((one as HTMLAnchorElement).href);
          return pathname + search + hash;
        }),
      );

    /** Where the tokens of a kind are put, by table. */
    const holders: readonly (readonly [string, () => Promise<readonly string[]>])[] = [
      ['an administrator', async () => [`/#token=${house.admin}`]],
      [
        'a player who runs the system',
        async () => [live, over].map(({ table, seats }) => `/t/${table}#token=${seats[0]!.token}&operator=${house.admin}`),
      ],
      ['a player', async () => [live, over].map(({ table, seats }) => `/t/${table}#token=${seats[1]!.token}`)],
      [
        'a spectator',
        async () => Promise.all([live, over].map(async ({ table }) => `/t/${table}#token=${await issue({ role: 'spectator', table })}`)),
      ],
      ['an invited person', async () => [`/t/${gathering}/join#token=${await issue({ role: 'join', table: gathering })}`]],
      ['somebody without a token', async () => ['/#']],
    ];
    for (const [holder, addresses] of holders)
      it(`all open, without a refusal, for ${holder}`, async () => {
        const page = await (await newContext(house)).newPage();
        for (const address of await addresses()) {
          await page.goto('about:blank');
          await go(page, address);
        }
        const tables = [live.table, over.table, gathering].flatMap((table) =>
          ['', '/inside', '/invite', '/join'].map((rest) => `/t/${table}${rest}`),
        );
        const pages = [
          '/',
          '/console/open',
          '/console/leaderboard',
          '/console/record',
          '/console/operate',
          '/console/none',
          '/j',
          ...tables,
        ];
        const shown = new Set<string>();
        for (const path of pages) {
          await go(page, path);
          // What is shown once it is known who is there.
          await page.waitForLoadState('load');
          await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
          for (const link of await shownLinks(page)) shown.add(link);
        }
        const refused: string[] = [];
        let at = '';
        page.on('response', (response) => {
          if ([401, 403].includes(response.status())) refused.push(`${at}: ${response.status()} ${new URL(response.url()).pathname}`);
        });
        for (at of shown) {
          await go(page, at);
          await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
          for (const text of await page.locator(REFUSALS).allTextContents()) refused.push(`${at}: ${text}`);
        }
        expect(refused).toEqual([]);
        const menu = ['/', '/console/open', '/console/leaderboard', '/console/operate'].map((path) => shown.has(path));
        const mayOperate = holder.startsWith('an administrator') || holder.includes('runs the system');
        expect(menu).toEqual(Array(4).fill(mayOperate));
      });

    it('keep the seat of who runs the system, beside the right to everything else', async () => {
      const [{ token }] = live.seats as [Seated];
      const page = await openPage(house, `${house.url}/t/${live.table}#token=${token}&operator=${house.admin}`);
      await page.locator('section[aria-label=You]').waitFor();
      expect(page.url()).toBe(`${house.url}/t/${live.table}`);
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(house.admin);
      await page.getByRole('link', { name: 'Tables' }).click();
      await page.locator(`a[href="/t/${live.table}"]`).click();
      await page.locator('section[aria-label=You]').waitFor();
      expect(await page.getByRole('combobox', { name: 'Seen by' }).count()).toBe(0);
    });

    it('are made by a player, open the same moment for a stranger, and say so when they were taken back', async () => {
      const { table, seats } = await seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG);
      for (const text of ['One.', 'Two.', 'Three.'])
        await house.post(`/tables/${table}/speech`, { room: 'Village', text }, seats[1]!.token);
      const page = await openPage(house, `${house.url}/t/${table}#token=${seats[0]!.token}`);
      await page.getByText('Three.').waitFor();
      await page.evaluate(() =>
        Object.defineProperty(navigator, 'clipboard', {
          value: { writeText: async (text: string) => void ((window as unknown as { copied: string }).copied = text) },
        }),
      );
      await page.getByRole('button', { name: 'Look back' }).click();
      for (let step = 0; step < 2; step++) await page.getByRole('button', { name: 'One back' }).click();
      await page.getByRole('button', { name: 'Copy a link to this moment' }).click();
      await page.getByText('Link copied').waitFor();
      const copied = await page.evaluate(() => (window as unknown as { copied: string }).copied);
      expect(copied).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/j\?as=audience&at=\d+#[0-9A-Z]{10}$/);

      const asked: string[] = [];
      const context = await newContext(house);
      const stranger = await context.newPage();
      stranger.on('request', (request) => asked.push(request.url(), JSON.stringify(request.headers())));
      await stranger.goto(copied);
      await stranger.getByText('One.').waitFor();
      expect([await stranger.getByText('Two.').count(), new URL(stranger.url()).pathname]).toEqual([0, `/t/${table}`]);
      const code = copied.slice(-10);
      expect(asked.join().includes(code)).toBe(false);
      expect(await stranger.evaluate(() => history.length)).toBeLessThanOrEqual(2);

      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('dialog').getByText('Only this machine can open this address.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
      await page.getByText('taken back').waitFor();
      await stranger.goto('about:blank');
      await stranger.goto(linkAddress(house.url, code.toLowerCase()));
      await stranger.getByRole('alert').getByText('This link was taken back: ask whoever sent it for another.').waitFor();
      await stranger.getByLabel('Code').fill('00000 00000');
      await stranger.getByRole('button', { name: 'Open it' }).click();
      await stranger.getByRole('alert').getByText('No link has this code').waitFor();
      const plain = await (await newContext(house)).newPage();
      await plain.goto(`${house.url}/t/${table}?as=audience&at=2`);
      await plain.getByText('This is the address of a table, without a right to it. Ask whoever sent it').waitFor();
    });

    it('invite by a short code, which seats a guest whose own token stays when a link to watch is opened', async () => {
      const { table } = (await house.post('/tables', { rules: 'maw', players: 3, people: 3, lobbyMs: 3_600_000 })) as { table: string };
      const host = await openPage(house, `${house.url}/t/${table}/invite#token=${house.admin}`);
      await host.getByText('Only this machine can open this address.').waitFor();
      const [address] = await host.locator('main li code').allTextContents();
      expect([await host.locator('main li svg').count(), address]).toEqual([3, expect.stringMatching(/\/j#[0-9A-Z]{10}$/)]);
      const guest = await openPage(house, address!);
      await guest.getByLabel('Your name').fill('Dora');
      await guest.getByRole('button', { name: 'Take the seat' }).click();
      await guest.locator('section[aria-label=You]').waitFor();
      const { code } = (await house.post('/tokens', { role: 'spectator', table, isLink: true })) as { code: string };
      const other = await guest.context().newPage();
      await other.goto(linkAddress(house.url, code));
      await other.getByRole('log').waitFor();
      expect(await other.locator('section[aria-label=You]').count()).toBe(0);
      await guest.reload();
      await guest.locator('section[aria-label=You]').waitFor();
      const again = await guest.context().newPage();
      await again.goto(`${house.url}/t/${table}`);
      await again.locator('section[aria-label=You]').waitFor();
    });

    it('lead everybody to the next game with the same people, each to the own seat', async () => {
      const game = await seatPeople(house, ['Wim', 'Xia', 'Yve'], LONG);
      await voteOut(house, game);
      const [host, guest] = await Promise.all(
        [`#token=${game.seats[0]!.token}&operator=${house.admin}`, `#token=${game.seats[1]!.token}`].map((rest) =>
          openPage(house, `${house.url}/t/${game.table}${rest}`),
        ),
      );
      await guest!.getByText(/^Xia on this system: MAW: [01] of 1 won\.$/).waitFor();
      await guest!.getByRole('button', { name: 'Ask for another game' }).click();
      await host!.getByText('Would play again: Xia.').waitFor();
      await host!.getByRole('button', { name: 'Play again', exact: true }).click();
      await Promise.all([host!, guest!].map((page) => page.waitForURL((url) => url.pathname !== `/t/${game.table}`)));
      expect(new URL(guest!.url()).pathname).toBe(new URL(host!.url()).pathname);
      const next = new URL(host!.url()).pathname.slice('/t/'.length);
      const late = await openPage(house, `${house.url}/t/${game.table}#token=${game.seats[2]!.token}`);
      await late.getByRole('button', { name: 'Take your seat in the next game' }).click();
      await late.waitForURL(`**/t/${next}`);
      await late.locator('section[aria-label=You] fieldset').first().waitFor();
      const { players } = (await house.get(`/tables/${next}`)) as { players: readonly { name: string }[] };
      expect(players.map(({ name }) => name)).toEqual(['Wim', 'Xia', 'Yve']);
    });
  });

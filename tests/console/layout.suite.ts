import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pageTests } from './page-tests.suite.ts';
import { openPage, type PlayHouse, type Seated, seatPeople, voteOut } from './play-house.suite.ts';

const TITLE = 'hacked';
const MARKUP = `<img src=x onerror="document.title='${TITLE}'">`;
const HEBREW = ['\u05d3\u05e0\u05d4', '\u05d9\u05d5\u05e1\u05d9'] as const;
const PLAYERS = ['W'.repeat(24), '\u754c'.repeat(24), ...HEBREW, MARKUP, '\u{1f43a}\u{1f469}\u{1f3fd}\u{1f52c}'] as const;
const SAID = [
  'x'.repeat(2_000),
  `</script><script>document.title='${TITLE}'</script>`,
  '\u{1f43a} \u0645\u0631\u062d\u0628\u0627',
] as const;
const vote = (seat: number, whom: number) => ({ step: 'day-1/vote', seat, says: [`seat:${whom}`] });

/** A record comes from anywhere: it may hold names and texts that a table refuses. */
const RECORD = {
  rules: 'maw',
  options: { maxChars: 2_000, maxDays: 1 },
  players: PLAYERS,
  deal: { roles: ['wolf', 'villager', 'villager', 'villager', 'villager', 'wolf'] },
  acts: [
    ...SAID.map((text, seat) => ({ step: 'day-1/talk', seat, says: [text] })),
    vote(2, 3),
    ...[1, 3, 4, 5].map((seat) => vote(seat, 0)),
  ],
};

const chosenFile = (text: string) => ({ name: 'game.json', mimeType: 'application/json', buffer: Buffer.from(text) });

/** How the page lays out what it shows. */
export const layoutSuite = (startedHouse: () => PlayHouse): void =>
  describe('the layout of a page', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    beforeAll(() => void (house = startedHouse()));
    const speak = (table: string, { token }: Seated, text: string) =>
      house.post(`/tables/${table}/speech`, { room: 'Village', text }, token);

    it('plays a record from a file, whose hostile names and texts stay text, fit, and send nothing', async () => {
      const page = await openPage(house, `${house.url}/console/record`);
      const requests: string[] = [];
      const file = page.getByLabel('File');
      await file.waitFor();
      page.on('request', (request) => requests.push(request.url()));
      const sent = (): readonly string[] => requests.filter((url) => !url.startsWith(`${house.url}/assets/`)); // parts of the page
      await file.setInputFiles(chosenFile('{"rules":'));
      await page.getByRole('alert').getByText('game.json: is not JSON').waitFor();
      await file.setInputFiles(chosenFile(JSON.stringify(RECORD)));
      await page.getByRole('slider').press('End');
      await page.getByText('The end', { exact: true }).waitFor();
      const log = page.getByRole('log');
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 3_000 }); // so high that every line is drawn
        for (const text of SAID) await log.getByText(text, { exact: true }).waitFor();
        expect(await widest(page)).toBeLessThanOrEqual(width);
        if (width < 900) await page.getByRole('button', { name: 'Table', exact: true }).click();
        expect(await widest(page, 'ul[aria-label=Seats] button')).toBeLessThanOrEqual(width);
        if (width < 900) await page.getByRole('button', { name: 'Talk', exact: true }).click();
      }
      const voted = log
        .locator('p', { has: page.getByText(HEBREW[1], { exact: true }) })
        .filter({ hasText: 'votes for' })
        .first();
      expect(await voted.locator('bdi').allTextContents()).toEqual(HEBREW);
      const [voter, target] = await voted.locator('bdi').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
      expect(voter).toBeLessThan(target!);
      expect(await page.getByRole('button', { name: MARKUP }).count()).toBe(1);
      expect([await page.locator('img:not([src^="data:image/svg+xml"]), main script').count(), await page.title(), sent()]).toEqual([
        0,
        'MAW',
        [],
      ]);
    });

    it('does not jump while a game is played, on a desk and on a phone, and moves nothing where motion is unwanted', async () => {
      const game = await seatPeople(house, ['Ann', 'Bo', 'Cy', 'Dora'], { dayMs: 600_000, nightMs: 600_000 });
      const { token } = (await house.post('/tokens', { role: 'spectator', table: game.table })) as { token: string };
      const pages = await Promise.all(
        [1280, 360].map(async (width) => {
          const page = await openPage(house, 'about:blank');
          await page.setViewportSize({ width, height: 800 });
          await page.goto(`${house.url}/t/${game.table}#token=${token}`);
          await page.getByText('live', { exact: true }).waitFor();
          await page.evaluate(noteShifts);
          return page;
        }),
      );
      for (const [i, seat] of game.seats.entries())
        await speak(game.table, seat, `Line ${i}. ${'More than fits into one line. '.repeat(6)}`);
      await voteOut(house, game);
      for (const page of pages) {
        await page.getByText('The end', { exact: true }).waitFor();
        expect(await page.evaluate('shifted')).toBeLessThan(0.1);
        expect(await page.evaluate(moving)).toEqual([]);
      }
    });
  });

/** The right edge of what reaches farthest to the right, in pixels. What is clipped does not count. */
const widest = (page: Page, of = '[role=log], [role=log] *, ul[aria-label=Seats]'): Promise<number> =>
  page.evaluate(
    (selector) =>
      Math.max(
        document.documentElement.scrollWidth,
        ...[...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect().right),
      ),
    of,
  );

/** Adds up how much the page jumps, without being touched, from now on. */
function noteShifts(): void {
  const page = window as unknown as { shifted: number };
  page.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) page.shifted += (entry as unknown as { readonly value: number }).value;
  }).observe({ type: 'layout-shift' });
}

/** What may move in the page: names of classes. */
const moving = (): readonly string[] =>
  [...document.querySelectorAll('*')]
    .filter((each) => {
      const { transitionDuration, animationName } = getComputedStyle(each);
      return !/^0s(, 0s)*$/.test(transitionDuration) || animationName !== 'none';
    })
    .map((each) => each.className);

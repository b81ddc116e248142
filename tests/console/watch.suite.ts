import { readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { InProcessSystem } from '@maw/cli/in-process-system.ts';
import { firstFiles, gzippedBytes, laterFiles } from '../equipment/servers/built-console.ts';
import { pageTests } from './page-tests.suite.ts';
import { newContext, type PlayHouse } from './play-house.suite.ts';
import { type LabelsAt, seatLabels, storeGames, toldOf } from './stored-games.suite.ts';

const minds = (count: number) => Array.from({ length: count }, () => ({ kind: 'mind' as const, recipe: 'rules' }));
const people = (count: number) => Array.from({ length: count }, () => ({ kind: 'person' as const }));

/** What a page shows of tables. */
export const watchSuite = (startedHouse: () => PlayHouse): void =>
  describe('a page', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    let system: InProcessSystem;
    let context: BrowserContext;
    const errors: string[] = [];
    const foreign: string[] = [];
    beforeAll(() => {
      house = startedHouse();
      ({ system } = house);
    });
    afterEach(() => {
      expect([errors.splice(0), foreign.splice(0)]).toEqual([[], []]);
    });

    /** Whatever the page does wrong fails the test: an error of a script or of the policy, a request elsewhere. What was not answered is sent again. */
    const watchedContext = async (options: BrowserContextOptions = {}) => {
      context = await newContext(house, options);
      context.on(
        'console',
        (message) => message.type() === 'error' && !message.text().startsWith('Failed to load resource') && errors.push(message.text()),
      );
      context.on('weberror', (error) => errors.push(String(error.error())));
      context.on('request', (request) => !request.url().startsWith(system.web.at) && foreign.push(request.url()));
    };
    const open = async (path: string, token?: string): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(`${system.web.at}${path}${token === undefined ? '' : `#token=${token}`}`);
      return page;
    };
    const issue = async (role: string, table: string, view?: string) =>
      (await system.web.makeToken({ role, table, view } as Parameters<typeof system.web.makeToken>[0])).token;
    const openTable = (seats: readonly { kind: 'mind' | 'person'; recipe?: string }[], options = {}) =>
      system.web.open({ rules: 'maw', players: seats.length, seats, rounds: 1, options, seed: 'console', spectators: 'narrator' });
    const finished = async (): Promise<string> => {
      const { table } = await openTable(minds(5), { dayMs: 2_000, nightMs: 1_000 });
      for await (const update of system.web.follow(table, { as: 'narrator' })) if (update.kind === 'over') break;
      return table;
    };

    it('is built of at most 225 KB, each part that is loaded later of another 20, without inline scripts and addresses elsewhere', () => {
      const folder = house.consoleDir;
      const [first, later] = [firstFiles(folder), laterFiles(folder)];
      expect(new Set(first.map((path) => extname(path)))).toEqual(new Set(['.css', '.html', '.js', '.svg']));
      expect(gzippedBytes(folder, first)).toBeLessThan(225 * 1024);
      // operating, records, stories and faces are each loaded when they are wanted
      for (const part of ['operate', 'record', 'story-view', 'draw', 'invite', 'share', 'again']) {
        const files = later.filter((path) => path.startsWith(`assets/${part}-`));
        expect(files.filter((path) => path.endsWith('.js'))).toHaveLength(1);
        expect(gzippedBytes(folder, files)).toBeLessThan(20 * 1024);
      }
      const html = readFileSync(join(house.consoleDir, 'index.html'), 'utf8');
      expect(html).not.toMatch(/<script(?![^>]*\ssrc="\/assets\/)|https?:/);
    });

    it('shows a game that is over, moves through it by link, and looks through other eyes', async () => {
      const table = await finished();
      const names = (await system.web.table(table)).players.map(({ name }) => name!);
      await watchedContext();
      const page = await open(`/t/${table}`, system.adminToken);
      const seats = page.getByRole('list', { name: 'Seats' }).getByRole('button');
      await expect(seats.first().textContent()).resolves.toBeTruthy();
      const labels = (await seats.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''))).map((label) =>
        label.split(', '),
      );
      expect(labels.map(([name]) => name)).toEqual(names);
      expect(labels.flat().filter((word) => word === 'Werewolf')).toHaveLength(1);
      expect(page.url()).not.toContain('token');

      const tape = [];
      for await (const seen of system.web.tape(table, 'audience')) tape.push(seen);
      const dawn = tape.find(({ event }) => event.type === 'dawned')!;
      await page.goto(`${system.web.at}/t/${table}?as=audience&at=${dawn.n}`);
      await page.getByText('Day 1', { exact: true }).first().waitFor();
      expect(await page.getByRole('slider').inputValue()).toBe(String(dawn.n));
      const hidden = await seats.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
      expect(hidden.join(' ')).not.toMatch(/Werewolf|Villager/);
      await page.getByRole('button', { name: 'Now', exact: true }).click();
      await page.getByText('The end', { exact: true }).waitFor();

      // Playing ends at the end, and begins again at the beginning.
      for (const name of ['Play', 'Now', 'Play', 'Pause']) await page.getByRole('button', { name, exact: true }).click();
      expect(await page.getByRole('slider').inputValue()).not.toBe(await page.getByRole('slider').getAttribute('max'));
      expect(await page.evaluate(writesOfDrag)).toBe(1);
    });

    it('shows what the view says at moments of every game, whatever names and speech hold', async () => {
      const games = await storeGames(house.store);
      await watchedContext({ viewport: { width: 360, height: 740 } });
      const page = await open('/', system.adminToken);
      await page.getByRole('heading', { name: 'Tables' }).waitFor();
      for (const game of games) {
        await page.goto(`${system.web.at}/t/${game.table}`);
        await page.getByRole('slider').waitFor();
        for (const eye of ['narrator', 'audience', 0] as const) {
          const expected = seatLabels(game, eye);
          const shown = await page.evaluate(labelsAt, { eye: typeof eye === 'number' ? `seat:${eye}` : eye, positions: expected });
          expect(shown.map((labels) => labels.map(toldOf))).toEqual(expected.map(({ labels }) => labels));
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        expect(await page.locator('[role=log] img').count()).toBe(0);
      }
    });

    it('saves what the audience saw as one file, which plays without a server and knows no role of the night', async () => {
      const { table } = await openTable([...people(2), ...minds(1)]);
      const invited = system.web.as(await issue('join', table));
      const said = '</script><script>document.title = "hacked"</script>';
      const { token } = await invited.join(table, 'Ann');
      await system.web.as(token).speak(table, 'Lobby', said);
      await watchedContext();
      const page = await open(`/t/${table}`, await issue('spectator', table, 'audience'));
      await page.getByRole('button', { name: 'Save as a file' }).click();
      await page.getByText('no secret line').waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the file' }).click()]);
      const saved = `${await download.path()}.html`;
      await rename(await download.path(), saved);
      await context.close();

      context = await newContext(house, { offline: true });
      const requests: string[] = [];
      context.on('request', (request) => requests.push(request.url()));
      context.on('weberror', (error) => errors.push(String(error.error())));
      context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      const file = await context.newPage();
      await file.goto(`file://${saved}`);
      await file.getByRole('slider').press('End');
      await file.getByText(said).waitFor();
      expect(await file.title()).toBe('MAW');
      expect(await file.getByRole('combobox', { name: 'Seen by' }).count()).toBe(0);
      expect(requests).toEqual([`file://${saved}`]);
      await rm(saved);
    });

    it('says in words that an eye is not permitted, asks for a token where there is none, and says why where it is refused', async () => {
      const { table } = await openTable([...people(1), ...minds(2)]);
      await watchedContext();
      const page = await open(`/t/${table}?as=narrator`, await issue('spectator', table, 'audience'));
      await page.getByRole('alert').getByText('does not permit watching').waitFor();
      await context.clearCookies();
      await page.evaluate(() => (sessionStorage.clear(), localStorage.clear()));
      await page.goto(`${system.web.at}/`);
      await page.getByText('A token is needed').waitFor();
      const refused = await open(`/t/${table}`, 'rubbish');
      await refused.getByText('Your token is not valid, or no longer. The token is not valid here.').waitFor();
    });

    it('says why an invitation is not valid any more: another has its seat, or the game has begun', async () => {
      const { table } = await openTable([...people(2), ...minds(1)]);
      const { token } = await system.web.makeToken({ role: 'join', table, seat: 1 });
      await watchedContext();
      const early = await open(`/t/${table}/join`, token);
      await early.getByRole('textbox').fill('Bo');
      // Ann is seated between the click and the request that it sends.
      await early.route('**/seats', async (route) => {
        await system.web.as(token).join(table, 'Ann');
        await route.continue();
      });
      await early.getByRole('button', { name: 'Take the seat' }).click();
      await early.getByText('This invitation was used already: seat 2 is Ann. Ask for a new one.').waitFor();
      await system.web.as(system.adminToken).join(table, 'Cy');
      const late = await open(`/t/${table}/join`, token);
      await late.getByText('This invitation is no longer valid: the game has begun.').waitFor();
      for (const page of [early, late])
        expect([await page.getByRole('heading').allTextContents(), await page.getByRole('textbox').count()]).toEqual([
          ['No seat for you here'],
          0,
        ]);
    });

    it('says that a page has failed instead of leaving it blank, and goes on at another one', async () => {
      context = await newContext(house); // the error in the console is expected
      await context.route('**/leaderboard', (route) =>
        route.request().resourceType() === 'fetch' ? route.fulfill({ json: {} }) : route.continue(),
      );
      const page = await open('/console/leaderboard', system.adminToken);
      await page.getByRole('alert').getByText('This page has failed').waitFor();
      await page.getByRole('link', { name: 'Open a table' }).click();
      await page.getByRole('heading', { name: 'Open a table' }).waitFor();
    });
  });

/** Runs in the page: goes to moments of a view by their addresses, and reads the labels of the seats. */
async function labelsAt({ eye, positions }: { readonly eye: string; readonly positions: readonly LabelsAt[] }): Promise<string[][]> {
  const slider = document.querySelector('input[type=range]')!;
  const all: string[][] = [];
  for (const { n, position } of positions) {
    history.replaceState(null, '', `?as=${eye}&at=${n}`);
    while (slider.getAttribute('aria-valuetext') !== position) await new Promise((resolve) => setTimeout(resolve, 1));
    all.push(Array.from(document.querySelectorAll('ul[aria-label=Seats] button'), (seat) => seat.getAttribute('aria-label') ?? ''));
  }
  return all;
}

/** Runs in the page: drags the slider, and counts how often the address is written until it names the last moment. */
async function writesOfDrag(): Promise<number> {
  const slider = document.querySelector<HTMLInputElement>('input[type=range]')!;
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
  const write = history.replaceState.bind(history);
  let writes = 0;
  history.replaceState = (...given) => (writes++, write(...given));
  for (let step = 0; step < 60; step++) {
    setValue.call(slider, String(step % 2 ? 2 : 3));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
  while (new URLSearchParams(location.search).get('at') !== '2') await new Promise((resolve) => setTimeout(resolve, 5));
  return writes;
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect } from '@jest/globals';
import { findingsInEveryLook } from '../equipment/servers/axe.ts';
import { pageTests } from './page-tests.suite.ts';
import { newContext, openPage, type PlayHouse, type Seated, seatPeople, voteOut } from './play-house.suite.ts';

const NAMES = ['Ann', 'Bo', 'Cy', 'Dora'];

/** What a page tells of a table that is over, to whom. */
export const storySuite = (startedHouse: () => PlayHouse): void =>
  describe('the story of a table', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    let game: { readonly table: string; readonly seats: readonly Seated[] };
    beforeAll(async () => {
      house = startedHouse();
      game = await seatPeople(house, NAMES, { dayMs: 600_000, nightMs: 600_000 });
      const { table, seats } = game;
      await house.post(`/tables/${table}/speech`, { room: 'Village', text: 'I am the Seer.' }, seats[0]!.token);
    });
    const pathOf = () => `${house.url}/t/${game.table}/story`;

    it('tells nothing before the end, not even to an administrator', async () => {
      const page = await openPage(house, `${pathOf()}#token=${house.admin}`);
      await page.getByText('The story is told when the game is over.').waitFor();
      expect(await page.getByRole('heading').count()).toBe(0);
    });

    it('says who was what, who lied, and whose votes were right, with a picture to save', async () => {
      await voteOut(house, game);
      const wolf = game.seats.find(({ brief }) => brief.includes('Werewolf'))!.seat;
      const context = await newContext(house, { reducedMotion: 'reduce', acceptDownloads: true });
      const page = await context.newPage();
      await page.goto(`${pathOf()}#token=${game.seats[1]!.token}`);
      const others = NAMES.filter((_, seat) => seat !== wolf);
      await page.getByRole('heading', { name: `Won by ${others[0]}, ${others[1]} and ${others[2]}` }).waitFor();
      await page
        .getByText(
          `${NAMES[0]}, a Villager, claimed to be the Seer; nobody was.`.replace('a Villager', wolf ? 'a Villager' : 'the Werewolf'),
        )
        .waitFor();
      expect(await page.getByText('Show all at once').count()).toBe(0);
      expect(await page.getByRole('listitem').filter({ hasText: 'Werewolf' }).innerText()).toContain(NAMES[wolf]!);
      expect(await page.getByText('1 of 1', { exact: true }).count()).toBe(3); // and not what is told of games won
      expect(await findingsInEveryLook(page)).toEqual([]);
      const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the picture' }).click()]);
      expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG');
      await page.getByRole('button', { name: 'See the moment' }).first().click();
      await page.getByText(/Moment \d+ of/).waitFor();
      await page.getByRole('link', { name: 'The story of the game' }).click();
      await page.getByRole('heading', { name: 'Who was what' }).waitFor();
    });

    it('reveals one role after another, until somebody is tired of it', async () => {
      const page = await (await newContext(house, { reducedMotion: 'no-preference' })).newPage();
      await page.addInitScript(standStill);
      await page.goto(`${pathOf()}#token=${house.admin}`);
      await page.getByText('still covered').last().waitFor();
      await page.getByRole('button', { name: 'Show all at once' }).click();
      await page.getByText('still covered').first().waitFor({ state: 'detached' });
    });

    it('opens a saved file, which then plays by itself', async () => {
      const context = await newContext(house, { acceptDownloads: true });
      const page = await context.newPage();
      await page.goto(`${pathOf()}#token=${house.admin}`);
      await page.getByRole('button', { name: 'Save as a file' }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the file' }).click()]);
      const folder = await mkdtemp(join(tmpdir(), 'maw-story-'));
      const saved = join(folder, 'game.html');
      await download.saveAs(saved);
      const file = await (await newContext(house, { offline: true })).newPage();
      await file.goto(`file://${saved}`);
      await file.getByRole('heading', { name: 'Who was what' }).waitFor();
      await file.getByRole('button', { name: 'Play the game' }).click();
      await file.getByText(/Moment (?:[2-9]|\d\d) of/).waitFor();
      await file.getByRole('button', { name: 'The story of the game' }).click();
      await file.getByRole('heading', { name: 'Whose votes were right' }).waitFor();
      await rm(folder, { recursive: true });
    });
  });

/** Runs in the page: what waits between two roles waits for ever. */
function standStill(): void {
  const set = window.setTimeout.bind(window);
  Object.assign(window, { setTimeout: (act: () => void, ms = 0) => set(act, ms === 700 ? 3_600_000 : ms) });
}

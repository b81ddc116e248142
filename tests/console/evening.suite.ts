import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type FaultProxy, startFaultProxy } from '../equipment/chaos/network/fault-proxy.ts';
import { pageTests } from './page-tests.suite.ts';
import { newContext, type PlayHouse } from './play-house.suite.ts';

/** People's pace, in which nobody waits long. */
const TERMS = {
  rules: 'maw',
  seats: [
    ...Array.from({ length: 2 }, () => ({ kind: 'person' })),
    ...Array.from({ length: 5 }, () => ({ kind: 'mind', recipe: 'rules' })),
  ],
  afterwards: 'everybody',
  options: { pace: 'people', dayMs: 30_000, nightMs: 3_000, graceSeconds: 2, shortestDaySeconds: 1, maxDays: 2, parityWin: true },
};
const LAPTOP = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
const PHONE = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce', hasTouch: true, isMobile: true } as const;
const OVER = '[data-state=won], [data-state=lost], [data-state=draw]';
const CLICK_MS = 2_000;

/** Where pictures of each moment go, in both looks. */
const pictures = process.env['MAW_EVENING_PICTURES'];

/** Two people who play, and play again, and show somebody what happened. */
export const eveningSuite = (startedHouse: () => PlayHouse): void =>
  describe('an evening', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    let proxy: FaultProxy;
    beforeAll(async () => {
      house = startedHouse();
      proxy = await startFaultProxy(house.url);
    });
    afterAll(() => proxy?.close());

    it('of two people and five minds goes from an invitation over a lost connection and two games to a link for a stranger', async () => {
      const ann = await (await newContext(house, LAPTOP)).newPage();
      const ben = await (await newContext(house, PHONE)).newPage();
      const both = { ann, ben };
      const { table } = (await house.post('/tables', TERMS)) as { table: string };

      await ann.goto(`${house.url}/t/${table}/invite#token=${house.admin}`);
      const codes = ann.locator('main li code');
      await codes.first().waitFor();
      const [, address] = await codes.allTextContents();
      await keep('invitation', { ann });
      await ann.getByText('Sit here yourself').first().click();
      await sit(ann, 'Ann');
      await ann.locator('section[aria-label=You]').waitFor();
      await ben.goto(`http://127.0.0.1:${proxy.port}/j`);
      await ben.getByLabel('Code').fill(address!.slice(-10).toLowerCase());
      await keep('code', both);
      await ben.getByRole('button', { name: 'Open it' }).tap();
      await ben.getByLabel('Your name').waitFor();
      await keep('seat', { ben });
      await sit(ben, 'Ben');

      await choices(ann).first().and(ann.locator(':enabled')).waitFor();
      await ann.keyboard.press('t');
      await ann.keyboard.type('Good evening. I am a Villager. Who are you?');
      await ann.keyboard.press('Enter');
      for (const page of [ann, ben]) await heard(page, 'Who are you?');
      await ben.locator('textarea[name=speech]').fill('I am a Villager, too');
      proxy.block();
      await ben.getByText('Connection lost. Your text is kept.').waitFor();
      await keep('lost', { ben });
      proxy.mend();
      await ben.locator('section[aria-label=You]:not([data-frozen])').waitFor();
      expect(await ben.locator('textarea[name=speech]').inputValue()).toBe('I am a Villager, too');
      await ben.getByRole('button', { name: 'Say it' }).tap();
      for (const page of [ann, ben]) await heard(page, 'I am a Villager, too');
      await choices(ann).nth(2).click();
      await choices(ben).nth(2).tap();
      for (const page of [ann, ben]) await choices(page).and(page.locator('[aria-pressed=true]:enabled')).first().waitFor();
      await keep('vote', both);
      await Promise.all([playToTheEnd(ann), playToTheEnd(ben)]);
      await keep('end', both);

      for (const page of [ann, ben]) {
        await page.getByRole('link', { name: 'The story of the game' }).click();
        await page.getByRole('heading', { name: 'Who was what' }).waitFor();
        await page.getByText('When it turned').waitFor();
      }
      await keep('story', both, true);
      await ben.getByRole('button', { name: 'Ask for another game' }).tap();
      await ann.getByText('Would play again: Ben.').waitFor();
      await keep('again', both, true);
      await ann.getByRole('button', { name: 'Play again', exact: true }).click();
      for (const page of [ann, ben]) await page.waitForURL((url) => !url.pathname.startsWith(`/t/${table}`));
      const next = new URL(ann.url()).pathname.slice('/t/'.length);
      expect(new URL(ben.url()).pathname).toBe(`/t/${next}`);
      for (const page of [ann, ben]) await page.locator('section[aria-label=You] fieldset').first().waitFor();
      const { players } = (await house.get(`/tables/${next}`)) as { players: readonly { name: string }[] };
      expect(players.slice(0, 2).map(({ name }) => name)).toEqual(['Ann', 'Ben']);
      await keep('next', both);
      await Promise.all([playToTheEnd(ann), playToTheEnd(ben)]);

      await ben.getByRole('button', { name: 'Table', exact: true }).tap();
      await ben.getByRole('button', { name: 'Share' }).tap();
      await ben.getByRole('button', { name: 'Make a link' }).tap();
      const link = await ben.getByRole('dialog').locator('code').textContent();
      await keep('share', { ben });
      const stranger = await (await newContext(house, LAPTOP)).newPage();
      await stranger.goto(`${house.url}/j#${link!.slice(-10)}`);
      await stranger
        .getByRole('log')
        .getByText('The end')
        .or(stranger.getByText('The end', { exact: true }))
        .first()
        .waitFor();
      await keep('stranger', { stranger });
      await stranger.getByRole('link', { name: 'The story of the game' }).click();
      await stranger.getByRole('heading', { name: 'Who was what' }).waitFor();
      await keep('stranger-story', { stranger }, true);
      expect(await stranger.getByRole('navigation').getByRole('link').count()).toBe(0);
      const offered = ['Ask for another game', 'Take your seat in the next game', 'Share', 'Let a mind play'];
      for (const name of offered) expect([name, await stranger.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
      for (const path of ['/', `/t/${table}`]) {
        await stranger.goto(house.url + path);
        await stranger.getByLabel('Token or link').waitFor();
      }
    });
  });

/** What may be chosen. */
const choices = (page: Page) => page.locator('section[aria-label=You] fieldset button[aria-pressed]:not([title])');

const heard = (page: Page, text: string): Promise<void> => page.getByRole('log').getByText(text).first().waitFor();

async function sit(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Take the seat' }).click();
}

/** Says that this player is ready, whenever the page asks, until the game is over. */
async function playToTheEnd(page: Page): Promise<void> {
  const over = page.locator(OVER);
  const ready = page.getByRole('button', { name: 'I am ready' }).and(page.locator(':enabled'));
  while (!(await over.count())) {
    await over.or(ready).first().waitFor();
    // The day may be over by then.
    if (await ready.count()) await ready.click({ timeout: CLICK_MS }).catch(() => undefined);
  }
}

/** Pictures of what each shows at this moment, where they are wanted. */
async function keep(moment: string, pages: { readonly [name: string]: Page }, fullPage = false): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  for (const [name, page] of Object.entries(pages))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(pictures, `${moment}-${name}-${colorScheme}.png`), fullPage });
    }
}

import { pollUntil } from '@maw/async/poll-until.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RECORDING_PAGE, type Recording, recordingFile } from '@maw/console/recording/recording.ts';
import { pageTests } from './page-tests.suite.ts';
import { openPage, type PlayHouse, type Seated, seatPeople, voteOut } from './play-house.suite.ts';

const HOUR = 3_600_000;

/** How a page moves by itself: through the past, and to the end of the talk. */
export const playbackSuite = (startedHouse: () => PlayHouse): void =>
  describe('a page that moves by itself', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    let folder: string;
    let table: string;
    beforeAll(async () => {
      house = startedHouse();
      folder = await mkdtemp(join(tmpdir(), 'maw-playback-'));
      const game = await seatPeople(house, ['Ann', 'Bo', 'Cy'], { dayMs: HOUR });
      ({ table } = game);
      await voteOut(house, game);
    });
    afterAll(() => rm(folder, { recursive: true }));

    const savedFile = async (): Promise<string> => {
      const { seen } = (await house.get(`/tables/${table}/view?as=narrator`)) as Pick<Recording, 'seen'>;
      const page = await readFile(join(house.consoleDir, RECORDING_PAGE), 'utf8');
      const file = join(folder, 'game.html');
      await writeFile(file, recordingFile(page, { name: table, eye: 'narrator', made: 0, seen }));
      return `file://${file}`;
    };
    const speak = (at: string, { token }: Seated, text: string) => house.post(`/tables/${at}/speech`, { room: 'Village', text }, token);
    const isAtEnd = (page: Page): Promise<boolean> =>
      page.getByRole('log').evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2);
    const newest = (page: Page) => page.getByRole('button', { name: 'To the newest' });

    for (const [where, speeds] of [
      ['live', ['1', '4', '8']],
      ['in a saved file', ['4', '8']],
    ] as const)
      it(`plays the past to its end ${where}, although the page is held up for 200 ms at a time`, async () => {
        const pages = await Promise.all(
          speeds.map(async (speed) => {
            const page = await openPage(
              house,
              where === 'live' ? `${house.url}/t/${table}?as=narrator#token=${house.admin}` : await savedFile(),
            );
            // A file opens on its story.
            if (where !== 'live') await page.getByRole('button', { name: 'See the moment' }).first().click();
            await page.getByRole('slider').press('Home');
            await page.getByRole('combobox', { name: 'Speed' }).selectOption(speed);
            await page.evaluate(holdUp);
            await page.getByRole('button', { name: 'Play', exact: true }).click();
            return page;
          }),
        );
        for (const page of pages) {
          const slider = page.getByRole('slider');
          const last = await slider.getAttribute('max');
          await page.waitForFunction((end) => document.querySelector<HTMLInputElement>('input[type=range]')!.value === end, last);
          await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
        }
      });

    it('keeps the end of the talk through bursts, other sizes and questions, until wheel, key, finger or scroll bar take it away', async () => {
      const game = await seatPeople(house, ['Ann', 'Bo', 'Cy', 'Dora', 'Eve', 'Finn'], { dayMs: HOUR });
      const page = await openPage(house, `${house.url}/t/${game.table}#token=${game.seats[0]!.token}`);
      const log = page.getByRole('log');
      const burst = async (of: string): Promise<void> => {
        await Promise.all(
          Array.from({ length: 12 }, (_, n) =>
            speak(game.table, game.seats[n % 6]!, `${of} ${n} ${'is long. '.repeat(n % 3 === 0 ? 30 : 4)}`),
          ),
        );
        for (let n = 9; n < 12; n++) await log.getByText(`${of} ${n} `).waitFor({ state: 'attached' });
      };
      await burst('One');
      await page.setViewportSize({ width: 700, height: 600 });
      await page.setViewportSize({ width: 1280, height: 620 });
      await log.evaluate((list) => (list.scrollTop -= 200)); // nobody did that
      await burst('Two');
      expect([await isAtEnd(page), await newest(page).count()]).toEqual([true, 0]);

      const takes: readonly (readonly [string, () => Promise<void>])[] = [
        ['the wheel', async () => (await log.hover(), page.mouse.wheel(0, -300))],
        ['a key', () => log.press('PageUp')],
        ['a finger', () => log.evaluate(pulled)],
        ['the scroll bar', () => log.evaluate(dragged)],
      ];
      for (const [by, take] of takes) {
        await take();
        await newest(page).waitFor();
        await speak(game.table, game.seats[1]!, `After ${by}.`);
        await page
          .getByRole('list', { name: 'Seats' })
          .getByRole('button', { name: /^Bo.*spoke last/ })
          .waitFor();
        expect([by, await isAtEnd(page)]).toEqual([by, false]);
        await newest(page).click();
        await log.getByText(`After ${by}.`).waitFor();
        await pollUntil(`the end of the talk after ${by}`, () => isAtEnd(page), { timeoutMs: 10_000 });
      }
    });
  });

/** Runs in the page: keeps it busy for 200 ms, again and again. */
function holdUp(): void {
  const hold = (): void => {
    const until = performance.now() + 200;
    while (performance.now() < until);
    setTimeout(hold, 10);
  };
  hold();
}

/** Runs in the page: a finger pulls the lines down. */
function pulled(list: Element): void {
  const touch = (type: string, clientY: number) => {
    const touches = [new Touch({ identifier: 1, target: list, clientY })];
    list.dispatchEvent(new TouchEvent(type, { touches, bubbles: true }));
  };
  touch('touchstart', 100);
  touch('touchmove', 200);
  list.scrollTop -= 100;
}

/** Runs in the page: the scroll bar is pressed and drawn upwards. */
function dragged(list: Element): void {
  const { left, top } = list.getBoundingClientRect();
  const init = { clientX: left + list.clientWidth + 2, clientY: top + 20, buttons: 1, bubbles: true };
  list.dispatchEvent(new PointerEvent('pointerdown', init));
  list.scrollTop -= 200;
}

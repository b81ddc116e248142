import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pollUntil } from '@maw/async/poll-until.ts';
import { pageTests } from './page-tests.suite.ts';
import { newContext, type PlayHouse, type Seated, seatPeople } from './play-house.suite.ts';

const HOUR = 3_600_000;
const NAMES = ['Ann', 'Bob', 'Cosima', 'Dev', 'Eve', 'Finn', 'Gideon', 'Hugo', 'Iris', 'Ludwig', 'Klara', 'Leo', 'Mona', 'Nora', 'Otto'];
const PHONE = { width: 390, height: 844 };
/** With it the Seer of One Night is dealt to a player. */
const SEED = 'b';
/** A desk at twice its size. */
const ZOOMED = { width: 640, height: 400 };
const DESK = { width: 1280, height: 800 };

interface Heavy {
  readonly rules: string;
  readonly players: number;
  readonly options: object;
  /** The end of the name of the question that has most to choose from. */
  readonly question: string;
}

/** The heaviest question of every game, at the usual number of players; of AIWolf at the most of its contest. */
const HEAVIEST: readonly Heavy[] = [
  { rules: 'maw', players: 6, options: { dayMs: HOUR, seer: true, whisper: true }, question: '/inspect' },
  { rules: 'werewolf-7', players: 7, options: { nightMs: 100, turnMs: 100, voteMs: HOUR }, question: '/vote' },
  { rules: 'avalon', players: 6, options: { teamMs: HOUR, turnMs: 100 }, question: '/team' },
  { rules: 'onuw', players: 5, options: { stepMs: 3_000 }, question: '/seer' },
  {
    rules: 'aiwolf',
    players: 15,
    options: { nightMs: 100, whisperMs: 100, talk: 'anytime', talkMs: 100, voteMs: HOUR },
    question: '/vote',
  },
];

/** What a player sees without scrolling. */
export const firstScreenSuite = (startedHouse: () => PlayHouse): void =>
  describe('the first screen of a player', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    beforeAll(() => void (house = startedHouse()));

    /** Opens a table of people, and stops it when somebody is asked that question. */
    const asked = async ({
      rules,
      players,
      options,
      question,
    }: Heavy): Promise<{ table: string; seat: Seated; seats: readonly Seated[] }> => {
      const { table, seats } = await seatPeople(house, NAMES.slice(0, players), options, { rules, seed: SEED });
      const found = await pollUntil('the heaviest question', async () => {
        for await (const { event } of house.system.web.tape(table, 'narrator')) {
          const { id, of } = (event['question'] ?? {}) as { readonly id?: string; readonly of?: readonly number[] };
          if (event.type === 'asked' && id?.endsWith(question)) return seats.find(({ seat }) => of?.[0] === seat); // whose turn is first
        }
        return undefined;
      });
      if (rules === 'onuw') await house.post(`/tables/${table}/pause`, {});
      return { table, seat: found, seats };
    };
    const open = async (table: string, { token }: Seated, viewport: { readonly width: number; readonly height: number }): Promise<Page> => {
      const context = await newContext(house, { viewport, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.goto(`${house.url}/t/${table}#token=${token}`);
      await page.locator('section[aria-label=You] fieldset').first().waitFor();
      return page;
    };
    const threeLines = async (table: string, seats: readonly Seated[]): Promise<void> => {
      for (const [n, { token }] of seats.slice(0, 3).entries())
        await house.post(`/tables/${table}/speech`, { room: 'Village', text: `Line ${n}, and what else there is to say.` }, token);
    };

    const expectInView = async (page: Page): Promise<void> => {
      await page.locator('[role=log] [data-index]').first().waitFor();
      // the page may still be drawing
      await pollUntil('all of it', async () => (await page.evaluate(outOfView)).length === 0, { timeoutMs: 10_000 }).catch(() => undefined);
      expect(await page.evaluate(outOfView)).toEqual([]);
    };

    for (const heavy of HEAVIEST)
      it(`of ${heavy.rules} holds the heaviest question with its choices, the line to speak and the last talk, on a phone`, async () => {
        const { table, seat, seats } = await asked(heavy);
        if (heavy.rules === 'maw') await threeLines(table, seats);
        await expectInView(await open(table, seat, PHONE));
      });

    it('holds them at twice the size of a desk, after a reload too; the line is a few Tab stops away', async () => {
      const { table, seats } = await seatPeople(house, NAMES.slice(0, 6), { dayMs: HOUR });
      await threeLines(table, seats);
      const page = await open(table, seats[0]!, ZOOMED);
      await expectInView(page);
      await page.reload();
      await expectInView(page);
      expect(await page.evaluate('scrollY')).toBe(0);
      let stops = 0;
      const focused = (): Promise<string> => page.evaluate('document.activeElement.name || document.activeElement.textContent');
      for (; stops < 10 && (await focused()) !== 'speech'; stops++) {
        await page.keyboard.press('Tab');
        if (/^To (?:the content|what is asked)/.test(await focused())) await page.keyboard.press('Enter');
      }
      expect([await focused(), stops]).toEqual(['speech', 2]);
    });

    it('holds two questions and an open whisper on a desk, and shows large faces on a large one', async () => {
      const { table, seat, seats } = await asked(HEAVIEST[0]!);
      await threeLines(table, seats);
      const page = await open(table, seat, DESK);
      await page.getByText('You may whisper to one player.').click();
      await page.locator('select[name=whisper-to]').waitFor();
      await expectInView(page);
      await page.setViewportSize({ width: 1920, height: 1080 });
      const faces = page.locator('ul[aria-label=Seats] button > :first-child');
      expect(await faces.evaluateAll((all) => Math.min(...all.map((face) => face.getBoundingClientRect().width)))).toBeGreaterThanOrEqual(
        72,
      );
    });

    it('shows the seats as a strip on a phone, the whole table in place of the talk, and the past when it is wanted', async () => {
      const { table, seats } = await seatPeople(house, NAMES.slice(0, 6), { dayMs: HOUR });
      const page = await open(table, seats[0]!, PHONE);
      const heights = (): Promise<number> =>
        page.getByRole('list', { name: 'Seats' }).evaluate((list) => list.getBoundingClientRect().height);
      expect(await heights()).toBeLessThan(90);
      expect(await page.getByRole('slider').count()).toBe(0);
      await page.getByRole('button', { name: 'Look back' }).click();
      await page.getByRole('slider').waitFor();
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      expect(await page.getByRole('log').count()).toBe(0);
      await page.reload();
      await page.getByRole('button', { name: 'Rules' }).waitFor(); // the whole table still
      expect(await page.getByRole('log').count()).toBe(0);
    });
  });

/** Runs in the page: what of the first screen cannot be seen, because it is beyond an edge or under something else. */
function outOfView(): readonly string[] {
  const lines = [...document.querySelectorAll('[role=log] [data-index]')].slice(-3);
  const wanted = [
    ...document.querySelectorAll('section[aria-label=You] :is(fieldset, form) :is(h2, legend, button, textarea)'),
    ...lines,
    ...document.querySelectorAll('[data-table] [role=timer]'),
  ];
  const isHidden = (each: Element): boolean => {
    if (!each.checkVisibility()) return false;
    const { left, right, top, bottom } = each.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 1) return true; // what is scrolled to its end stands on whole pixels
    return !each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  };
  const hidden = wanted.filter(isHidden).map((each) => each.textContent || each.tagName);
  return lines.length && wanted.length > lines.length ? hidden : ['everything'];
}

import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect } from '@jest/globals';
import { pageTests } from './page-tests.suite.ts';
import { openPage, type PlayHouse } from './play-house.suite.ts';

const textOf = (recipe: string): string => `name: spring
agents:
  - { name: steady, recipe: ${recipe} }
  - { name: guessing, recipe: random }
games: [{ rules: onuw, options: { hurry: true, talkRounds: 1 } }]
schedule: { kind: sides, deals: 1000 }
play: tables
atOnce: 2
`;

/** What an administrator does with contests. */
export const contestsSuite = (startedHouse: () => PlayHouse): void =>
  describe('the page of contests', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    beforeAll(() => void (house = startedHouse()));

    it('opens a contest once its mistakes are mended, follows it, stops it with a reason, and shows and saves its report', async () => {
      const page = await openPage(house, `${house.url}/console/operate?show=contests#token=${house.admin}`);
      await page.setViewportSize({ width: 360, height: 800 });
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && !/^Failed to load/.test(message.text()) && errors.push(message.text()));
      await page.getByRole('button', { name: 'Open a contest' }).click();
      const file = page.getByLabel('File');
      await file.setInputFiles({ name: 'big.yaml', mimeType: 'text/yaml', buffer: Buffer.alloc(100_000, ' ') });
      await page.getByRole('alert').getByText('big.yaml has more than 60 KB').waitFor();
      await file.setInputFiles({ name: 'spring.yaml', mimeType: 'text/yaml', buffer: Buffer.from(textOf('chess')) });
      const submit = page.getByRole('button', { name: 'Open the contest' });
      await submit.click();
      await page.getByRole('alert').getByText('contest.yaml:3: agents.0.recipe: there is no recipe chess').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.getByLabel('contest.yaml').fill(textOf('rules'));
      await submit.click();

      const ranking = page.getByRole('region', { name: 'Ranking so far' });
      await ranking
        .getByRole('row', { name: 'steady' })
        .getByText(/^\d+\.\d %$/)
        .waitFor();
      await page.getByRole('region', { name: 'Tables that run' }).getByRole('link', { name: /^spring-[\w-]{12}$/ }).first().waitFor(); // prettier-ignore
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByLabel('Why, for the record').fill('the servers are needed');
      await page.getByRole('button', { name: 'Stop this contest' }).click();
      await page.getByText('stopped', { exact: true }).waitFor();
      await page.getByText('the servers are needed').waitFor();
      expect(await house.get('/contests/spring')).toMatchObject({ summary: { state: 'stopped', why: 'the servers are needed' } });

      await page.getByRole('button', { name: 'Make the report' }).click();
      const title = page.frameLocator('iframe').getByRole('heading', { name: 'spring', level: 1 });
      // The report keeps its own style, which the policy of the page must know, and can run nothing.
      expect(await title.evaluate((heading) => [getComputedStyle(heading).fontSize, window.origin])).toEqual(['27.2px', 'null']);
      const opens = page.frameLocator('iframe').locator('a[target=_top]').first();
      expect(await opens.getAttribute('href')).toMatch(new RegExp(`^${house.url}/t/spring-[\\w-]{12}$`));
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
      expect([download.suggestedFilename(), (await readFile(await download.path(), 'utf8')).split('\n')[0]]).toEqual([
        'spring.csv',
        'game,deal,rules,agent,seat,role,side,won,points,winner',
      ]);
      await page.getByRole('button', { name: 'All contests' }).click();
      await page.getByRole('row', { name: 'spring' }).getByText('stopped', { exact: true }).waitFor();
      expect(errors).toEqual([]);
    });
  });

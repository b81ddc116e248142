import { beforeAll, describe, expect } from '@jest/globals';
import { followTables } from '../equipment/web/followed-tables.ts';
import { openTablesPage } from '../equipment/web/tables-page.ts';
import { ADMIN, inProcessWeb } from '../equipment/web/in-process-web.ts';
import { pageTests } from './page-tests.suite.ts';
import type { PlayHouse } from './play-house.suite.ts';

const TABLES = 200;

/** As many tables as a page can follow; `./maw bench watching` does the same for ten minutes. */
export const manyTablesSuite = (startedHouse: () => PlayHouse): void =>
  describe('a page with 200 tables', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    beforeAll(() => void (house = startedHouse()));

    it('shows them all, gets all their events in order, and holds no more after 400 of them', async () => {
      const system = await inProcessWeb({ consoleDir: house.consoleDir, perToken: 1e6, tokenBurst: 1e6 });
      try {
        const { page, ...rest } = await openTablesPage(house.browser, system.url, ADMIN);
        const { wrong, pageGrowth } = await followTables(
          { url: system.url, admin: ADMIN, memory: async () => ({ resident: 0, heap: 0 }) },
          {
            watchers: 1,
            tables: TABLES,
            perSecond: 1_000,
            seconds: 0.8,
            openPage: async () => ({ page, ...rest }),
            signal: new AbortController().signal,
          },
        );
        expect(wrong).toEqual([]);
        expect(pageGrowth).toBeLessThan(350_000);
        const { tables } = (await system.get(`/tables?over=false&limit=${TABLES}`, ADMIN)).body;
        const rows = page.locator('tbody tr th a');
        await page
          .getByText('gathering')
          .nth(TABLES - 1)
          .waitFor();
        const shown = await rows.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
        expect(shown).toEqual(tables.map(({ table }: { table: string }) => `/t/${table}`));
      } finally {
        await system.close();
      }
    });
  });

import { it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PlayHouse } from './play-house.suite.ts';

/** `it` for a test with pages, which are closed after it. The error of a failed one says what they showed. */
export const pageTests =
  (startedHouse: () => PlayHouse) =>
  (title: string, run: () => Promise<void> | void): void =>
    it(title, async () => {
      const { browser } = startedHouse();
      try {
        await run();
      } catch (error) {
        const pages = browser.contexts().flatMap((context) => context.pages());
        const shown = await Promise.all(pages.map(textOf));
        throw new Error([error instanceof Error ? error.message : error, ...shown].join('\n\n'), { cause: error });
      } finally {
        await Promise.all(browser.contexts().map((context) => context.close()));
      }
    });

const textOf = async (page: Page): Promise<string> => {
  const text = await page.innerText('body', { timeout: 10_000 }).catch(String);
  return `${page.url()} showed:\n${text.slice(0, 3_000)}`;
};

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** What axe finds wrong with a page, a line per rule and element; nothing when it is accessible. @param rules only these */
async function axeFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const isThere = await page.evaluate(`'axe' in window`);
  if (!isThere) await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  return page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
  );
}

/** What depends on the theme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** By day and by night, on a desk and on a phone: each differs from the one before in one thing, so that switching is cheap. */
const LOOKS = [
  ['light', 1280],
  ['light', 360],
  ['dark', 360, COLOURS],
  ['dark', 1280, COLOURS],
] as const;

/** What axe finds in each look of a page, which is loaded once. A page that is wider than its window is a finding, too. */
export async function findingsInEveryLook(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [colorScheme, width, rules] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    const findings = [...(await axeFindings(page, rules)), ...(await page.evaluate(overflow))];
    found.push(...findings.map((finding) => `${colorScheme} ${width} ${finding}`));
  }
  return found;
}

/** Runs in the page: what makes it wider than its window. */
function overflow(): readonly string[] {
  const pixels = document.documentElement.scrollWidth - innerWidth;
  if (pixels <= 0) return [];
  const widest = Array.from(document.querySelectorAll('body *')).findLast((each) => each.getBoundingClientRect().right > innerWidth + 0.5);
  return [`${pixels} pixels too wide: ${widest?.outerHTML.slice(0, 200)}`];
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@maw/testing/source/repository.ts';
import { chromium, type Browser, type Page } from 'playwright-core';

const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

/** Why suites in a browser are left out here; undefined where there is one. */
export const missingBrowser = chromiumPath === undefined ? 'Chromium is not installed' : undefined;

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath! });

/** What axe finds wrong with a page, a line per rule and element; nothing when it is accessible. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
  );
}

/** The folder of the built page. A process of its own builds it: the bundler takes no objects of Jest's realm. */
export async function builtConsole(): Promise<string> {
  const script = `import { buildConsole } from '${join(root, 'apps/console/build.ts')}'; console.log(await buildConsole());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
  return stdout.trim().split('\n').at(-1)!;
}

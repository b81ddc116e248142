import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryGatewayKeys } from '@maw/tests/equipment/memory-store/budget-usage.ts';
import { findingsInEveryLook } from '@maw/tests/equipment/servers/axe.ts';
import { chromiumPath, startChromium } from '@maw/tests/equipment/servers/chromium.ts';
import type { Browser, Page } from 'playwright-core';
import { fakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { ADMIN, httpGateway, type HttpGateway } from './http-server.suite.ts';

(chromiumPath === undefined ? describe.skip : describe)('the page for keys in Chromium', () => {
  const opened: { close(): Promise<unknown> }[] = [];
  const problems: string[] = [];
  let gateway: HttpGateway;
  let page: Page;
  beforeAll(async () => {
    const server = await fakeOllama();
    server.answerAll('Hello.');
    gateway = await httpGateway({ servers: [serverAt(server.url)], store: { gatewayKeys: memoryGatewayKeys() } });
    const browser: Browser = await startChromium();
    opened.push(server, gateway, browser);
    // For axe alone the policy is off; the last test looks at it.
    page = await browser.newPage({ bypassCSP: true });
    page.on('pageerror', ({ message }) => void problems.push(message));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${gateway.url}/admin/`);
  }, 600_000);
  afterAll(async () => {
    for (const one of opened.toReversed()) await one.close();
  }, 600_000);
  const enter = async (key: string): Promise<void> => {
    await page.getByLabel('An administrator’s key').fill(key);
    await page.getByRole('button', { name: 'Show the keys' }).click();
  };

  it('lists, creates and revokes, shows a new key once, and keeps no key', async () => {
    await enter('a-wrong-key-0123456789');
    await page.getByText('this gateway knows no such key').waitFor();
    await enter(ADMIN);
    await page.getByRole('cell', { name: 'home/boss (administrator)' }).waitFor();
    await page.getByLabel('Agent', { exact: true }).fill('guest');
    await page.getByLabel('Models').fill('m, n');
    await page.getByLabel('Requests a minute').fill('30');
    await page.getByLabel('Tokens a day').fill('100000');
    await page.getByLabel('Priority at most').selectOption('background');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = (await page.locator('output code').textContent())!;
    expect((await gateway.chat('x', {}, { key })).status).toBe(200);
    const row = page.getByRole('row', { name: /default\/guest/ });
    await row.getByText('30 requests a minute, 100,000 tokens a day, 100,000 left today, at most background').waitFor();
    expect(await findingsInEveryLook(page)).toEqual([]);

    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await gateway.chat('x', {}, { key })).status).toBe(401);
    expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual(['', 0, 0]);
    await page.reload();
    expect(await page.getByLabel('An administrator’s key').inputValue()).toBe('');
    expect(await page.getByRole('table').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  }, 600_000);

  it('runs no other script, sends nothing elsewhere and is in no frame', async () => {
    const { headers, text } = await gateway.ask('/admin', undefined, { key: null });
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/\son\w+=|style="|src=/);
    const strict = await page.context().browser()!.newPage();
    const refused: string[] = [];
    strict.on('console', (line) => void refused.push(line.text()));
    await strict.goto(`${gateway.url}/admin`);
    await strict.getByLabel('An administrator’s key').fill(ADMIN);
    await strict.getByRole('button', { name: 'Show the keys' }).click();
    await strict.getByRole('cell', { name: 'home/boss (administrator)' }).waitFor();
    expect(refused).toEqual([]);
  }, 600_000);
});

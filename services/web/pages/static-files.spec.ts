import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestWeb, type TestWeb } from '../web.suite.ts';
import { loadStaticFiles } from './static-files.ts';

const PAGE = `<!doctype html><title>Console</title>${'<p>text</p>'.repeat(200)}`;
let folder: string;
let here: TestWeb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'assets/index-BxY3k9_q.js'), 'export {};\n');
  await writeFile(join(folder, 'icon.png'), Buffer.alloc(4_000, 1));
  here = await startTestWeb({ consoleDir: folder, isOpen: true });
});
afterAll(async () => {
  await here.close();
  await rm(folder, { recursive: true });
});

const page = (path: string, headers: Record<string, string> = {}) =>
  here.raw('GET', path, undefined, { 'Accept': 'text/html', 'Accept-Encoding': 'identity', ...headers });

describe('the console', () => {
  it('is the page at its addresses, and programs still get JSON at the root', async () => {
    for (const path of ['/', '/t/t1', '/t/t1/inside?seat=3', '/console', '/console/tables']) expect((await page(path)).text).toBe(PAGE);
    expect((await page('/', { Accept: 'application/json' })).body).toMatchObject({ name: 'MAW' });
    expect((await page('/', { Accept: '*/*' })).body).toMatchObject({ name: 'MAW' });
    for (const path of ['/nothing', '/t', '/assets/..%2Findex.html', '/%zz', '/index.html/']) expect((await page(path)).status).toBe(404);
    expect((await here.raw('POST', '/console')).status).toBe(404);
    expect((await here.raw('HEAD', '/t/t1')).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('runs scripts of this origin only', async () => {
    const policy = (await page('/')).headers.get('content-security-policy')!;
    // The one other style is that of reports, which the page frames.
    expect(policy.replace(/sha256-[^']+/, 'sha256-…')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-…'; frame-src blob:; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect((await page('/assets/index-BxY3k9_q.js')).headers.get('content-security-policy')).toBe(policy);
  });

  it('is sent in the encoding that the client takes, each with its own validator', async () => {
    const tags = new Set<string>();
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, identity', null],
    ] as const) {
      const { text, headers } = await page('/', { 'Accept-Encoding': accepted });
      expect([text, headers.get('content-encoding')]).toEqual([PAGE, encoding]);
      tags.add(headers.get('etag')!);
    }
    expect(tags.size).toBe(3);
    const { headers } = await page('/icon.png', { 'Accept-Encoding': 'br' });
    expect([headers.get('content-encoding'), headers.get('content-type')]).toEqual([null, 'image/png']);
  });

  it('is kept by browsers: for ever under a hashed name, until it changes otherwise', async () => {
    const { headers } = await page('/');
    expect(headers.get('cache-control')).toBe('no-cache');
    const has = (etag: string) => page('/', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' });
    const again = await has(headers.get('etag')!);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await has('"other"')).status).toBe(200);
    const script = await page('/assets/index-BxY3k9_q.js');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });
});

describe('loadStaticFiles', () => {
  it('says which folder has no page', async () => {
    await expect(loadStaticFiles(join(folder, 'assets'))).rejects.toThrow(`there is no index.html in ${folder}/assets: build the console`);
    await expect(loadStaticFiles(join(folder, 'none'))).rejects.toThrow(`cannot read the folder ${folder}/none`);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ADMIN, inProcessWeb, type InProcessWeb } from '@maw/tests/equipment/web/in-process-web.ts';
import { runMaw } from '../command.suite.ts';
import type { CliConfig } from '../config.ts';
import { listTokens, makeToken, printAudit, revokeTokens } from './tokens.ts';

const config = {} as CliConfig;
let here: InProcessWeb;
let data: string;
let table: string;
beforeAll(async () => {
  here = await inProcessWeb();
  data = await mkdtemp(join(tmpdir(), 'maw-tokens-'));
  table = (await here.post('/tables', { rules: 'maw', players: 3, people: 3 }, ADMIN)).body.table;
});
afterAll(async () => {
  await here.close();
  await rm(data, { recursive: true });
});
afterEach(() => void jest.restoreAllMocks());

/** What a command prints on its output; what it says beside it is not that. */
async function printed(does: (where: { at: string; token: string; data: string; json: boolean }) => Promise<void>, isJson = false) {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => (lines.push(String(text)), true));
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    await does({ at: here.url, token: ADMIN, data, json: isJson });
  } finally {
    jest.restoreAllMocks();
  }
  return lines.join('').trimEnd();
}
const looks = async (token: string) => (await here.get(`/tables/${table}/view`, token)).status;
const listed = async () =>
  (await printed((where) => listTokens(where, config), true))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('maw tokens', () => {
  it('issues tokens that permit their scope, lists and revokes them', async () => {
    const ann = await printed((where) => makeToken({ ...where, role: 'seat', table, seat: 0, name: 'Ann', hours: 1 }, config));
    const bo = await printed((where) => makeToken({ ...where, role: 'spectator', table }, config));
    expect([await looks(ann), await looks(bo)]).toEqual([200, 200]);
    expect(await listed()).toMatchObject([
      { role: 'spectator', table, isRevoked: false },
      { role: 'seat', table, seat: 0, name: 'Ann', by: 'admin', isRevoked: false },
    ]);
    const [{ id }] = await listed();
    expect(await printed((where) => revokeTokens(id, where, config))).toBe(`token ${id} is revoked`);
    expect([await looks(ann), await looks(bo)]).toEqual([200, 401]);
    expect(await printed((where) => revokeTokens(undefined, { ...where, table, seat: 0 }, config))).toBe(
      `all tokens of table ${table}, seat 0, are revoked`,
    );
    expect(await looks(ann)).toBe(401);
    const text = await printed((where) => listTokens({ ...where, table }, config));
    expect(text.split('\n')[0]).toMatch(/^id +role +where +for +until$/);
    expect(text.match(/ revoked$/gm)).toHaveLength(2);
    expect(text).not.toContain(ann.split('.')[2]);
  });

  it('issues an administrator token; the audit log shows its name', async () => {
    const made = JSON.parse(await printed((where) => makeToken({ ...where, role: 'admin', name: 'Cy' }, config), true));
    await here.post('/tokens', { role: 'join', table }, made.token);
    const [act] = (await printed((where) => printAudit({ ...where, limit: 1 }, config), true)).split('\n');
    expect(JSON.parse(act!)).toMatchObject({ who: 'Cy', token: made.id, what: 'POST /tokens', outcome: 'done', about: { role: 'join' } });
    const text = await printed((where) => printAudit({ ...where, limit: 3 }, config));
    expect(text.split('\n')).toHaveLength(4);
    expect(text).toMatch(/Cy +127\.0\.0\.1 +POST \/tokens +done +\{/);
    const first = JSON.parse(act!).n;
    const next = await printed((where) => printAudit({ ...where, limit: 1, before: first }, config), true);
    expect(JSON.parse(next)).toMatchObject({ n: first - 1, who: 'admin' });
  });

  it.each([
    [{ role: 'king' }, 'there is no role king'],
    [{ role: 'seat', table: 't' }, 'a token of seat needs --seat'],
    [{ role: 'join' }, 'a token of join needs --table'],
    [{ role: 'admin' }, 'a token of admin needs --name'],
    [{ role: 'join', table: 'nowhere' }, 'unknown-game'],
  ])('issues no token for %j', async (options, why) => {
    await expect(makeToken({ at: here.url, token: ADMIN, data, json: false, ...options }, config)).rejects.toThrow(why);
  });

  it('revokes only the named token, once', async () => {
    const revoke = (id: string | undefined, more: object = {}) =>
      revokeTokens(id, { at: here.url, token: ADMIN, data, json: false, ...more }, config);
    await expect(revoke(undefined)).rejects.toThrow('one of them');
    await expect(revoke('x', { table })).rejects.toThrow('one of them');
    await expect(revoke('x', { seat: 1 })).rejects.toThrow('--seat is for --table TABLE');
    await expect(revoke('x')).rejects.toThrow('unknown-token');
  });
});

describe('on the command line', () => {
  it('they are commands', async () => {
    const [list, wrong, audit] = await Promise.all([
      runMaw(['tokens', 'list', '--json', '--at', here.url, '--token', ADMIN], { cwd: data }),
      runMaw(['tokens', 'make', '--role', 'king', '--at', here.url, '--token', ADMIN], { cwd: data }),
      runMaw(['audit', '--json', '--limit', '1', '--at', here.url], { cwd: data }),
    ]);
    expect(list.code).toBe(0);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('admin, seat, spectator, join')]);
    expect([audit.code, audit.err]).toEqual([
      1,
      expect.stringContaining('administrators issue tokens; give one with --token or MAW_TOKEN'),
    ]);
  }, 600_000);
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linkAddress, readLinkAddress, readLinkCode } from '@maw/contracts/http/link-code.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { WebOptions } from '../defaults.ts';
import { ADMIN, SECRET, startTestWeb, type TestWeb } from '../web.suite.ts';

const KEY = '7f0f5a52-0c5e-4a3a-8d53-2f8f2c9f5a01';
const WRONG = '0123456789';
let tokens = memoryTokens();
const opened: TestWeb[] = [];
let now = Date.now();
let stored: unknown[] = [];
let lines: string[] = [];

async function begin(options: Partial<WebOptions> = {}): Promise<TestWeb> {
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  const kept = { ...tokens, issue: (permit: Parameters<typeof tokens.issue>[0]) => (stored.push(permit), tokens.issue(permit)) };
  const audit = memoryAuditLog();
  const noted = { ...audit, write: (entry: Parameters<typeof audit.write>[0]) => (stored.push(entry), audit.write(entry)) };
  const one = await startTestWeb({ revocationPollMs: 5, proxies: 1, ...options }, { log, tokens: kept, audit: noted, now: () => now });
  one.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
  one.addTable('t2', { rules: 'maw', spectators: 'narrator', seats: [{ kind: 'person' }] });
  opened.push(one);
  return one;
}
let here: TestWeb;
beforeEach(async () => {
  [now, stored, lines, tokens] = [Date.now(), [], [], memoryTokens()];
  here = await begin();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const make = async (body: object, by = ADMIN, table = 't1', key?: string) =>
  here.post('/tokens', { ...body, table, isLink: true }, by, key === undefined ? {} : { 'Idempotency-Key': key });
const made = async (...given: Parameters<typeof make>): Promise<{ id: string; code: string; until: number }> => (await make(...given)).body;
const open = (code: string, from = '192.0.2.1', at = here) => at.post('/links/open', { code }, undefined, { 'X-Forwarded-For': from });
const seatToken = (seat: number, table = 't1') => here.mint({ role: 'seat', table, seat });

describe('a code', () => {
  it('has ten letters that nobody takes for others, and is read as people type it', () => {
    expect(readLinkCode('k7q2m-9xtrb')).toBe('K7Q2M9XTRB');
    expect([' o1i l2-3456o', 'oOiIlL2345'].map(readLinkCode)).toEqual(['0111234560', '0011112345']);
    for (const wrong of ['', 'K7Q2M9XTR', 'K7Q2M9XTRBB', 'K7Q2M9XTRU', 'K7Q2M9XTR!', 'К7Q2M9XTRB', '😀23456789'])
      expect(readLinkCode(wrong)).toBe(undefined);
    expect(readLinkAddress(linkAddress('http://192.168.1.5:80', 'K7Q2M9XTRB'))).toEqual({ at: 'http://192.168.1.5', code: 'K7Q2M9XTRB' });
    for (const typed of ['10.0.0.2:8080/j#k7q2m-9xtrb', '10.0.0.2:8080 k7q2m 9xtrb', 'http://10.0.0.2:8080/j#K7Q2M9XTRB'])
      expect(readLinkAddress(typed)).toEqual({ at: 'http://10.0.0.2:8080', code: 'K7Q2M9XTRB' });
    for (const wrong of [
      'K7Q2M9XTRB',
      '/j#K7Q2M9XTRB',
      'http://a/t/x#token=ey.x',
      'http://a/j#K7Q2M9XTR',
      'javascript:alert(1)/j#K7Q2M9XTRB',
    ])
      expect(readLinkAddress(wrong)).toBe(undefined);
  });

  it('stands for a token of the table, and is nowhere in the database, the audit log or the log', async () => {
    const links = [
      await made({ role: 'join' }),
      await made({ role: 'seat', seat: 0 }),
      await made({ role: 'spectator' }),
      await made({ role: 'spectator', view: 'narrator' }, ADMIN, 't2'),
    ];
    for (const { code } of links) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(new Set(links.map(({ code }) => code)).size).toBe(4);
    const answers = await Promise.all(links.map(({ code }) => open(`${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase())));
    expect(answers.map(({ status, body: { role, table, seat, view } }) => [status, role, table, seat, view])).toEqual([
      [201, 'join', 't1', undefined, undefined],
      [201, 'seat', 't1', 0, undefined],
      [201, 'spectator', 't1', undefined, undefined],
      [201, 'spectator', 't2', undefined, 'narrator'],
    ]);
    const who = await Promise.all(answers.map(({ body }) => here.get('/me', body.token)));
    expect(who.map(({ body }) => body.role)).toEqual(['join', 'seat', 'spectator', 'spectator']);
    const listed = (await here.get('/tokens', ADMIN)).text;
    const kept = `${JSON.stringify(stored)}${lines.join('')}${listed}`.toUpperCase();
    expect(stored.length).toBeGreaterThan(7);
    for (const { code } of links) expect(kept).not.toContain(code);
    expect(listed).not.toContain('digest');
  });

  it('comes again for the same request, also from a replica, and no more once it was revoked', async () => {
    const first = await made({ role: 'join' }, ADMIN, 't1', KEY);
    const replica = await begin();
    const again = await replica.post('/tokens', { role: 'join', table: 't1', isLink: true }, ADMIN, { 'Idempotency-Key': KEY });
    expect(again.body).toEqual(first);
    expect((await made({ role: 'join' })).code).not.toBe(first.code);
    await here.delete(`/tokens/${first.id}`, ADMIN);
    expect((await make({ role: 'join' }, ADMIN, 't1', KEY)).body).toMatchObject({ reason: 'unknown-token' });
  });

  it('stays good when the secret is rotated, and for no other system', async () => {
    const { code } = await made({ role: 'spectator' });
    const rotated = await begin({ secret: 'b'.repeat(32), oldSecrets: [SECRET] });
    const other = await begin({ secret: 'c'.repeat(32) });
    expect([(await open(code, '192.0.2.1', rotated)).status, (await open(code, '192.0.2.1', other)).status]).toEqual([201, 404]);
  });
});

describe('links of seats', () => {
  it('let others watch as the audience, and permit nothing else', async () => {
    const ann = await seatToken(0);
    const watch = await open((await made({ role: 'spectator' }, ann)).code);
    expect((await here.get('/tables/t1/view', watch.body.token)).body.eye).toBe('audience');
    for (const [body, table] of [
      [{ role: 'join' }, 't1'],
      [{ role: 'seat', seat: 0 }, 't1'],
      [{ role: 'spectator', view: 'narrator' }, 't1'],
      [{ role: 'spectator' }, 't2'],
    ] as const)
      expect((await make(body, ann, table)).status).toBe(403);
    for (const pass of [
      { role: 'spectator', table: 't1' },
      { role: 'join', table: 't1' },
    ] as const)
      expect((await make({ role: 'spectator' }, await here.mint(pass))).status).toBe(403);
    expect((await here.post('/tokens', { role: 'spectator', table: 't1' }, ann)).status).toBe(403);
    expect((await here.post('/tokens', { role: 'spectator', table: 't1', isLink: true })).status).toBe(401);
    expect((await here.post('/tokens', { role: 'admin', name: 'Ann', isLink: true }, ADMIN)).status).toBe(400);
  });

  it('are a hundred for each seat at most', async () => {
    const [ann, bo] = [await seatToken(0), await seatToken(1)];
    for (let n = 0; n < 100; n++) expect((await make({ role: 'spectator' }, ann)).status).toBe(201);
    expect((await make({ role: 'spectator' }, ann)).body).toMatchObject({ status: 429, reason: 'limited' });
    expect((await make({ role: 'spectator' }, bo)).status).toBe(201);
  });

  it('are listed for their maker however many other tokens there are', async () => {
    const [ann, bo] = [await seatToken(0), await seatToken(1)];
    const own = [await made({ role: 'spectator' }, ann), await made({ role: 'spectator' }, ann)].map(({ id }) => id).toReversed();
    await made({ role: 'spectator' }, bo);
    for (let n = 0; n < 3; n++) await made({ role: 'join' });
    const list = async (query: string) => (await here.get(`/tokens${query}`, ann)).body.tokens as { id: string; n: number }[];
    expect((await list('?limit=2')).map(({ id }) => id)).toEqual(own);
    const [last] = await list('?limit=1');
    expect((await list(`?limit=1&before=${last!.n}`)).map(({ id }) => id)).toEqual([own[1]]);
    expect(await list('?table=t2')).toEqual([]);
  });

  it('are listed and revoked by their maker and by administrators alone, which ends what was opened with them', async () => {
    const [ann, bo] = [await seatToken(0), await seatToken(1)];
    const [own, other] = [await made({ role: 'spectator' }, ann), await made({ role: 'join' })];
    const { body } = await open(own.code);
    const idsFor = async (by: string) => (await here.get('/tokens?table=t1', by)).body.tokens.map(({ id }: { id: string }) => id);
    expect([(await idsFor(ADMIN)).slice(0, 2), await idsFor(ann), await idsFor(bo)]).toEqual([[other.id, own.id], [own.id], []]);
    const revoke = async (id: string, by: string) => (await here.delete(`/tokens/${id}`, by)).status;
    expect([await revoke(own.id, bo), await revoke(other.id, ann)]).toEqual([404, 404]);
    expect((await here.get('/tables/t1/view', body.token)).status).toBe(200);
    expect(await revoke(own.id, ann)).toBe(200);
    expect((await here.get('/tables/t1/view', body.token)).status).toBe(401);
    expect((await open(own.code)).body).toMatchObject({
      status: 404,
      reason: 'unknown-token',
      detail: expect.stringContaining('taken back'),
    });
    await here.post('/tables/t1/revoke', {}, ADMIN);
    expect((await open(other.code)).body.detail).toContain('taken back');
  });
});

describe('POST /links/open', () => {
  it('refuses a code that has expired or never was, in words', async () => {
    const { code, until } = await made({ role: 'spectator', ttlMs: 60_000 });
    now = until - 1;
    expect((await open(code)).status).toBe(201);
    now = until;
    expect((await open(code)).body).toMatchObject({ status: 404, detail: expect.stringContaining('has expired') });
    for (const wrong of [WRONG, '', 'x']) expect((await open(wrong)).body).toMatchObject({ status: 404, reason: 'unknown-token' });
    expect((await here.post('/links/open', { code: 'x'.repeat(41) })).status).toBe(400);
    expect((await here.post('/links/open', {})).status).toBe(400);
    const foreign = { 'Origin': 'http://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await here.post('/links/open', { code }, undefined, foreign)).status).toBe(403);
  });

  it('lets an address wait after ten wrong codes, whether its next one is right or not', async () => {
    const { code } = await made({ role: 'spectator' });
    const statuses = (await Promise.all(Array.from({ length: 30 }, () => open(WRONG)))).map(({ status }) => status);
    expect([statuses.filter((status) => status === 404).length, statuses.filter((status) => status === 429).length]).toEqual([10, 20]);
    const refused = await open(code);
    expect([refused.status, refused.body.detail, refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringContaining('10 wrong codes came from your address: wait 6 s'),
      '6',
    ]);
    expect((await open(code, '192.0.2.2')).status).toBe(201);
    now += 6_000;
    expect([(await open(WRONG)).status, (await open(code)).status]).toEqual([404, 429]);
    now += 60_000;
    for (let n = 0; n < 30; n++) expect((await open(code)).status).toBe(201);
  });
});

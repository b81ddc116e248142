import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import type { AuditEntry } from '@maw/store/ports/audit-log.ts';
import { logger } from '@maw/telemetry/log.ts';
import { ADMIN, startTestWeb, type TestWeb, openStream } from '../web.suite.ts';
import type { WebOptions } from '../defaults.ts';

const opened: TestWeb[] = [];
const lines: string[] = [];
async function begin(options: Partial<WebOptions> = {}, more: Parameters<typeof startTestWeb>[1] = {}): Promise<TestWeb> {
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  const one = await startTestWeb({ revocationPollMs: 5, ...options }, { log, ...more });
  one.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
  one.addTable('t2', { rules: 'maw', spectators: 'narrator', seats: [{ kind: 'person' }] });
  opened.push(one);
  return one;
}
let here: TestWeb;
beforeEach(async () => {
  lines.length = 0;
  here = await begin();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const KEY = '7f0f5a52-0c5e-4a3a-8d53-2f8f2c9f5a01';
const give = async (body: object, by = ADMIN, at = here) => {
  const made = await at.post('/tokens', body, by);
  expect(made.status).toBe(201);
  return made.body as { readonly id: string; readonly name: string; readonly token: string; readonly until: number };
};
const seat = (n: number, more: object = {}) => ({ role: 'seat', table: 't1', seat: n, ...more });
const looks = async (token: string, at = here, table = 't1') => (await at.get(`/tables/${table}/view`, token)).status;

describe('POST /tokens', () => {
  it('issues administrator tokens by name, for a day by default', async () => {
    const before = Date.now();
    const ann = await give({ role: 'admin', name: 'Ann' });
    expect(ann.name).toBe('Ann');
    expect(ann.until).toBeGreaterThan(before + 86_399_000); // whole seconds
    expect(ann.until).toBeLessThanOrEqual(Date.now() + 86_400_000);
    expect((await here.post('/tables', { rules: 'maw', players: 3 }, ann.token)).status).toBe(201);
    for (const name of [undefined, '', ' Ann', 'A\u0000nn', 'A\u202enn', 'x'.repeat(61)])
      expect((await here.post('/tokens', { role: 'admin', name }, ADMIN)).status).toBe(400);
    for (const ttlMs of [999, 2_592_000_001]) expect((await here.post('/tokens', seat(0, { ttlMs }), ADMIN)).status).toBe(400);
    expect((await give(seat(0, { ttlMs: 2_592_000_000 }))).until - before).toBeGreaterThan(2_591_000_000);
  });

  it('issues narrator views only where the table permits them', async () => {
    expect((await here.post('/tokens', { role: 'spectator', table: 't1', view: 'narrator' }, ADMIN)).body).toMatchObject({
      status: 422,
      reason: 'not-an-option',
    });
    const narrator = await give({ role: 'spectator', table: 't2', view: 'narrator' });
    expect((await here.get('/tables/t2/view', narrator.token)).body.eye).toBe('narrator');
  });

  it('issues one token per Idempotency-Key', async () => {
    const made = async (key: string) => (await here.post('/tokens', seat(0), ADMIN, { 'Idempotency-Key': key })).body;
    const one = await made(KEY);
    expect(await made(KEY)).toEqual(one);
    expect((await made(KEY.replace('7', '8'))).id).not.toBe(one.id);
  });
});

describe('GET /tokens', () => {
  it('lists issued tokens without their text, revoked ones marked', async () => {
    const [one, two] = [await give(seat(0, { name: 'Ann' })), await give({ role: 'join', table: 't2' })];
    await here.delete(`/tokens/${one.id}`, ADMIN);
    const listed = await here.get('/tokens', ADMIN);
    expect(listed.body.tokens).toMatchObject([
      { id: two.id, role: 'join', table: 't2', name: 't2/join', by: 'admin', isRevoked: false, until: two.until },
      { id: one.id, role: 'seat', table: 't1', seat: 0, name: 'Ann', by: 'admin', isRevoked: true },
    ]);
    for (const { token } of [one, two]) expect(listed.text).not.toContain(token.split('.')[2]);
    expect((await here.get('/tokens?table=t2', ADMIN)).body.tokens).toHaveLength(1);
    expect((await here.get(`/tokens?limit=1&before=${listed.body.tokens[0].n}`, ADMIN)).body.tokens).toMatchObject([{ id: one.id }]);
  });
});

describe('DELETE /tokens/:id', () => {
  it('refuses the token at once, and no other', async () => {
    const [ann, again] = [await give(seat(0)), await give(seat(0))];
    expect((await here.delete(`/tokens/${ann.id}`, ADMIN)).body).toEqual({ id: ann.id });
    const refused = await here.get('/tables/t1/view', ann.token);
    expect(refused.body).toMatchObject({ status: 401, reason: 'bad-token', detail: expect.stringContaining('revoked') });
    expect(refused.headers.get('www-authenticate')).toContain('invalid_token');
    expect((await here.post('/tables/t1/acts', { question: 'q', says: ['x'] }, ann.token)).status).toBe(401);
    expect(here.heard('table.act')).toEqual([]);
    expect(await looks(again.token)).toBe(200);
    expect((await here.delete(`/tokens/${ann.id}`, ADMIN)).status).toBe(200);
  });

  it('needs the id of an issued token that has not expired', async () => {
    for (const id of ['nobody', 'a%00b', 'x'.repeat(101)])
      expect((await here.delete(`/tokens/${id}`, ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-token' });
  });

  it('ends the streams of that token only', async () => {
    const [ann, bo] = [await give(seat(0)), await give(seat(1))];
    const [mine, other] = [
      await openStream(here.url, '/tables/t1/events', ann.token),
      await openStream(here.url, '/tables/t1/events', bo.token),
    ];
    await Promise.all([mine.has('asked', 1), other.has('asked', 1)]);
    await here.delete(`/tokens/${ann.id}`, ADMIN);
    await mine.ended();
    here.write('t1', [0, 1], { type: 'dawned', day: 1 });
    await here.ring('t1');
    await other.has('seen', 1);
    expect(mine.numbers()).toEqual([]);
    await expect(openStream(here.url, '/tables/t1/events', ann.token)).rejects.toThrow('401');
    await other.cut();
  });

  it('takes effect at other replicas, streams included', async () => {
    const tokens = memoryTokens();
    const [one, two] = [await begin({}, { tokens }), await begin({}, { tokens })];
    const ann = await give(seat(0), ADMIN, one);
    const reader = await openStream(two.url, '/tables/t1/events', ann.token);
    await reader.has('asked', 1);
    await one.delete(`/tokens/${ann.id}`, ADMIN);
    await reader.ended();
    expect(await looks(ann.token, two)).toBe(401);
    const late = await begin({ revocationPollMs: 3_600_000 }, { tokens });
    expect(await looks(ann.token, late)).toBe(401);
  });
});

describe('POST /tables/:table/revoke', () => {
  it('revokes earlier tokens of a seat or table, not later ones', async () => {
    const [ann, bo, join] = [await give(seat(0)), await give(seat(1)), await give({ role: 'join', table: 't1' })];
    const elsewhere = await give({ role: 'seat', table: 't2', seat: 0 });
    expect((await here.post('/tables/t1/revoke', { seat: 0 }, ADMIN)).body).toEqual({ table: 't1', seat: 0 });
    const next = await give(seat(0));
    expect([await looks(ann.token), await looks(bo.token), await looks(next.token)]).toEqual([401, 200, 200]);
    expect((await here.post('/tables/t1/revoke', {}, ADMIN)).body).toEqual({ table: 't1' });
    expect([await looks(bo.token), await looks(next.token), await looks(elsewhere.token, here, 't2')]).toEqual([401, 401, 200]);
    expect((await here.post('/tables/t1/seats', { name: 'Cy' }, join.token)).status).toBe(401);
    expect(await looks((await give(seat(1))).token)).toBe(200);
  });

  it('needs an existing table and seat', async () => {
    expect((await here.post('/tables/t9/revoke', {}, ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-game' });
    expect((await here.post('/tables/t1/revoke', { seat: 2 }, ADMIN)).body).toMatchObject({ status: 422, reason: 'not-an-option' });
    expect((await here.post('/tables/t1/revoke', { seats: [0] }, ADMIN)).status).toBe(400);
  });
});

describe('POST /tokens/renew', () => {
  it('renews with a later expiry and the same id, revoked together', async () => {
    const ann = await give(seat(0, { ttlMs: 60_000 }));
    const renewed = await here.post('/tokens/renew', {}, ann.token);
    expect(renewed).toMatchObject({ status: 201, body: { role: 'seat', table: 't1', seat: 0, id: ann.id } });
    expect(renewed.body.until).toBeGreaterThan(ann.until + 3_600_000);
    expect([await looks(ann.token), await looks(renewed.body.token)]).toEqual([200, 200]);
    await here.delete(`/tokens/${ann.id}`, ADMIN);
    expect([await looks(ann.token), await looks(renewed.body.token)]).toEqual([401, 401]);
    expect((await here.post('/tokens/renew', {}, renewed.body.token)).status).toBe(401);
  });

  it('counts the streams of both tokens as one', async () => {
    const one = await begin({ maxStreamsPerToken: 1 });
    const ann = await give(seat(0), ADMIN, one);
    const { token } = (await one.post('/tokens/renew', {}, ann.token)).body;
    const reader = await openStream(one.url, '/tables/t1/events', ann.token);
    expect((await one.get('/tables/t1/events', token)).status).toBe(429);
    await reader.cut();
  });

  it('needs an issued token of a seat', async () => {
    for (const each of [
      { role: 'join', table: 't1' },
      { role: 'spectator', table: 't1' },
      { role: 'admin', name: 'Ann' },
    ])
      expect((await here.post('/tokens/renew', {}, (await give(each)).token)).body).toMatchObject({ status: 403, reason: 'forbidden' });
    expect((await here.post('/tokens/renew', {})).body).toMatchObject({ status: 401, reason: 'no-token' });
    expect((await here.post('/tokens/renew', {}, await here.mint({ role: 'seat', table: 't1', seat: 0 }))).body).toMatchObject({
      status: 401,
      reason: 'bad-token',
    });
  });
});

describe('while the database fails', () => {
  it('known tokens work, and issuing and revoking are unavailable', async () => {
    const tokens = memoryTokens();
    let isAway = false;
    const away = new Proxy(tokens, {
      get: (target, name: keyof typeof tokens) =>
        isAway ? () => Promise.reject(new Error('connect ECONNREFUSED postgres://u:opensesame@db')) : target[name],
    });
    const one = await begin({}, { tokens: away });
    const [ann, bo] = [await give(seat(0), ADMIN, one), await give(seat(1), ADMIN, one)];
    await one.delete(`/tokens/${bo.id}`, ADMIN);
    expect(one.site.remark()).toBeUndefined();
    isAway = true;
    await pollUntil('word that it is away', () => one.site.remark() !== undefined);
    expect([await looks(ann.token, one), await looks(bo.token, one)]).toEqual([200, 401]);
    for (const refused of [
      await one.post('/tokens', seat(0), ADMIN),
      await one.post('/tables/t1/revoke', {}, ADMIN),
      await one.delete(`/tokens/${ann.id}`, ADMIN),
      await one.post('/tokens/renew', {}, ann.token),
      await one.get('/tokens', ADMIN),
    ]) {
      expect(refused).toMatchObject({ status: 503, body: { reason: 'unavailable' } });
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(refused.text).not.toMatch(/opensesame|ECONNREFUSED/);
    }
    expect(await looks(ann.token, one)).toBe(200);
    isAway = false;
    await pollUntil('word that it is back', () => one.site.remark() === undefined);
    // They were begun, and whether they were done nobody knows.
    const acts = (await one.get('/audit', ADMIN)).body.acts as readonly AuditEntry[];
    expect(acts.slice(0, 3).map(({ what, outcome }) => `${what}: ${outcome}`)).toEqual([
      'DELETE /tokens/:id: unavailable',
      'POST /tables/:table/revoke: unavailable',
      'POST /tokens: unavailable',
    ]);
    expect(lines.join('')).not.toContain('opensesame');
  });
});

describe('GET /audit', () => {
  it('lists acts with their outcome, without tokens, secrets or seeds', async () => {
    const ann = await give({ role: 'admin', name: 'Ann' });
    const { table } = (await here.post('/tables', { rules: 'maw', players: 3, people: 1, seed: 'the-very-seed' }, ann.token)).body;
    await here.post('/tokens', { role: 'join', table: 't9' }, ann.token);
    await here.post('/tables', { rules: 7 }, ann.token);
    const { id, token } = await give(seat(0, { name: 'Bo' }), ann.token);
    await here.delete(`/tokens/${id}`, ann.token);
    await here.post('/tables/t1/seats', { name: 'Cy' }, ADMIN);
    await here.get('/tables/t1/view', ann.token);
    await here.post('/tables/t1/acts', { question: 'q', says: ['x'] }, ADMIN);
    const said = await here.get('/audit', ann.token);
    const [byAnn, byBoss] = [
      { who: 'Ann', token: ann.id, from: '127.0.0.1' },
      { who: 'admin', token: 'admin' },
    ];
    expect(said.body.acts).toMatchObject([
      { ...byBoss, what: 'POST /tables/:table/acts', about: { table: 't1' }, outcome: 'forbidden' },
      { ...byBoss, what: 'POST /tables/:table/seats', about: { table: 't1', seat: 0, name: 'Cy' }, outcome: 'done' },
      { ...byAnn, what: 'DELETE /tokens/:id', about: { id }, outcome: 'done' },
      { ...byAnn, what: 'POST /tokens', about: { role: 'seat', table: 't1', seat: 0, for: 'Bo', id }, outcome: 'done' },
      { ...byAnn, what: 'POST /tables', about: {}, outcome: 'unreadable' },
      { ...byAnn, what: 'POST /tokens', about: { role: 'join', table: 't9' }, outcome: 'unknown-game' },
      { ...byAnn, what: 'POST /tables', about: { rules: 'maw', players: 3, people: 1, table }, outcome: 'done' },
      { ...byBoss, what: 'POST /tokens', about: { role: 'admin', for: 'Ann', id: ann.id }, outcome: 'done' },
    ]);
    for (const secret of [token, ann.token, ADMIN, 'the-very-seed']) {
      expect(said.text).not.toContain(secret);
      expect(lines.join('')).not.toContain(secret);
    }
    expect(lines.filter((line) => line.includes('an administrator acted'))).toHaveLength(8);
    const [, second] = said.body.acts;
    expect((await here.get(`/audit?limit=1&before=${second.n}`, ADMIN)).body.acts).toMatchObject([{ what: 'DELETE /tokens/:id' }]);
  });

  it('has an act before it is done, and its outcome after it', async () => {
    const audit = memoryAuditLog();
    const one = await begin({}, { audit });
    const release = one.hold();
    const making = one.post('/tokens', seat(0), ADMIN);
    await pollUntil('the question whether there is such a table', () => one.heard('table.view').length > 0);
    const during = (await one.get('/audit', ADMIN)).body.acts;
    expect(during).toMatchObject([{ who: 'admin', what: 'POST /tokens', about: {}, outcome: 'outcome unknown' }]);
    release();
    expect((await making).status).toBe(201);
    const after = (await one.get('/audit', ADMIN)).body.acts;
    expect(after).toMatchObject([{ id: during[0].id, at: during[0].at, about: { role: 'seat', seat: 0 }, outcome: 'done' }]);
  }, 600_000);

  it('stops administrators only while it cannot be written', async () => {
    let isAway = false;
    const kept = memoryAuditLog();
    const audit = { ...kept, write: (act: AuditEntry) => (isAway ? Promise.reject(new Error('away')) : kept.write(act)) };
    const one = await begin({}, { audit });
    const ann = await give(seat(0), ADMIN, one);
    isAway = true;
    const heard = one.heard('table.view').length;
    for (const refused of [await one.delete(`/tokens/${ann.id}`, ADMIN), await one.post('/tokens', seat(1), ADMIN)]) {
      expect(refused).toMatchObject({ status: 503, body: { reason: 'unavailable' } });
      expect(refused.headers.get('retry-after')).toBe('5');
    }
    expect(one.heard('table.view')).toHaveLength(heard);
    expect(await looks(ann.token, one)).toBe(200);
    expect((await one.get('/tokens', ADMIN)).body.tokens).toHaveLength(1);
    isAway = false;
    expect((await one.delete(`/tokens/${ann.id}`, ADMIN)).status).toBe(200);
    expect(await looks(ann.token, one)).toBe(401);
    await pollUntil('the end of the wait', () => one.site.remark() === undefined);
    const acts = (await one.get('/audit', ADMIN)).body.acts as readonly AuditEntry[];
    expect(acts.map(({ what, outcome }) => `${what}: ${outcome}`).toSorted()).toEqual(['DELETE /tokens/:id: done', 'POST /tokens: done']);
  });
});

describe('tokens and audit log', () => {
  it.each([
    ['GET', '/tokens'],
    ['GET', '/audit'],
    ['POST', '/tokens'],
    ['DELETE', '/tokens/x'],
    ['POST', '/tables/t1/revoke'],
  ])('%s %s needs an administrator', async (method, path) => {
    expect((await here.raw(method, path)).status).toBe(401);
    const { token } = await give({ role: 'spectator', table: 't1' });
    expect((await here.raw(method, path, undefined, { Authorization: `Bearer ${token}` })).body).toMatchObject({ status: 403 });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

const ROUTES = [
  ['/tables/t1/pause', {}],
  ['/tables/t1/resume', {}],
  ['/tables/t1/abort', { why: 'The model is gone.' }],
  ['/tables/t1/seats/0/mind', { model: 'llama3.1' }],
] as const;

let here: TestWeb;
const begin = async (options: Parameters<typeof startTestWeb>[0] = {}) => {
  here = await startTestWeb(options);
  here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'mind' }] });
};
beforeEach(() => begin());
afterEach(() => here.close());

describe('what operators do to a table', () => {
  it('is for administrators, and for anybody where the service is open', async () => {
    const seat = await here.mint({ role: 'seat', table: 't1', seat: 0 });
    for (const [path, body] of ROUTES) {
      expect([path, (await here.post(path, body, ADMIN)).status]).toEqual([path, 200]);
      expect((await here.post(path, body, seat)).body).toMatchObject({ status: 403, detail: 'only an administrator may do this' });
      expect((await here.post(path, body)).status).toBe(401);
    }
    expect(here.heard('table.abort').map(({ data }) => data)).toEqual([{ why: 'The model is gone.' }]);
    await here.close();
    await begin({ isOpen: true });
    for (const [path, body] of ROUTES) expect([path, (await here.post(path, body)).status]).toEqual([path, 200]);
  });

  it.each([
    ['/tables/t1/pause', { hours: 2 }, 400, 'unreadable'],
    ['/tables/t1/abort', { why: 'a\nb' }, 400, 'unreadable'],
    ['/tables/nowhere/abort', {}, 404, 'unknown-game'],
    ['/tables/t1/seats/x/mind', { model: 'llama3.1' }, 422, 'not-an-option'],
    ['/tables/t1/seats/0/mind', { modle: 'llama3.1' }, 400, 'unreadable'],
    ['/tables/t1/seats/0/mind', { model: 'nothing' }, 422, 'bad-option'],
  ])('refuses POST %s with %j', async (path, body, status, reason) => {
    expect((await here.post(path, body, ADMIN)).body).toMatchObject({ status, reason });
  });
});

describe('the stuck tables', () => {
  it('are told to administrators alone', async () => {
    const seat = await here.mint({ role: 'seat', table: 't1', seat: 0 });
    expect((await here.get('/stuck', seat)).body).toMatchObject({ status: 403, reason: 'forbidden' });
    expect((await here.get('/stuck')).status).toBe(401);
    const { status, body } = await here.get('/stuck', ADMIN);
    expect([status, body]).toEqual([200, { stuck: [{ table: 't1', since: expect.any(Number), phase: 'round' }] }]);
  });
});

describe('an invitation for one seat', () => {
  it('takes that seat, and is not issued for the seat of a mind or one that is not there', async () => {
    const opening = { seats: [{ kind: 'person' }, { kind: 'mind' }] };
    here.write('t1', ['narrator'], { type: 'opened', opening });
    const made = await here.post('/tokens', { role: 'join', table: 't1', seat: 0 }, ADMIN);
    expect(made.body).toMatchObject({ role: 'join', table: 't1', seat: 0, name: 't1/join:0' });
    expect((await here.post('/tables/t1/seats', { name: 'Ann' }, made.body.token)).status).toBe(201);
    expect(here.heard('table.join').map(({ data }) => data)).toEqual([{ name: 'Ann', seat: 0 }]);
    for (const [seat, detail] of [
      [1, 'seat 1 is for a mind: invite people to seats for people'],
      [2, 'the table has seats 0 to 1'],
    ] as const)
      expect((await here.post('/tokens', { role: 'join', table: 't1', seat }, ADMIN)).body).toMatchObject({
        reason: 'not-an-option',
        detail,
      });
    await here.post('/tables/t1/revoke', { seat: 0 }, ADMIN);
    expect((await here.post('/tables/t1/seats', { name: 'Bo' }, made.body.token)).status).toBe(401);
  });
});

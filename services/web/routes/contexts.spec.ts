import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
const AT = '/tables/t1/seats/1/context';
const context = { context: 1, table: 't1', seat: 1, mind: { notes: { long: 'x'.repeat(100_000) } } };

beforeEach(async () => {
  here = await startTestWeb();
  here.addTable('t1', { rules: 'maw', seats: [{ kind: 'mind' }, { kind: 'person' }] });
});
afterEach(() => here.close());

describe('the context of a seat', () => {
  it('is saved, loaded and cut by administrators and the holder of the seat', async () => {
    for (const token of [ADMIN, await here.mint({ role: 'seat', table: 't1', seat: 1 })]) {
      expect((await here.get(AT, token)).body).toMatchObject({ context: 1, table: 't1' });
      expect((await here.post(AT, context, token)).status).toBe(200);
      expect((await here.post(`${AT}/truncate`, { tokens: 50 }, token)).status).toBe(200);
    }
    expect(here.heard('mind.load').map(({ subject, data }) => [subject, data])).toEqual([0, 1].map(() => ['t1', { seat: 1, context }]));
    expect(here.heard('mind.truncate')[0]!.data).toEqual({ seat: 1, tokens: 50 });
    const { acts } = (await here.get('/audit', ADMIN)).body as { readonly acts: readonly { what: string; about: object }[] };
    expect(acts.map(({ what, about }) => [what, about])).toEqual([
      ['POST /tables/:table/seats/:seat/context/truncate', { table: 't1', seat: '1', tokens: 50 }],
      ['POST /tables/:table/seats/:seat/context', { table: 't1', seat: '1' }],
    ]);
  });

  it('is nobody else’s, and only of seats that exist', async () => {
    const others = [
      await here.mint({ role: 'seat', table: 't1', seat: 0 }),
      await here.mint({ role: 'seat', table: 't2', seat: 1 }),
      await here.mint({ role: 'spectator', table: 't1', view: 'narrator' }),
      await here.mint({ role: 'join', table: 't1' }),
    ];
    for (const token of others)
      expect([(await here.get(AT, token)).status, (await here.post(AT, context, token)).status]).toEqual([403, 403]);
    expect((await here.get(AT)).status).toBe(401);
    expect([...here.heard('mind.context'), ...here.heard('mind.load')]).toEqual([]);
    expect((await here.get('/tables/t1/seats/2/context', ADMIN)).body.detail).toBe('t1 has no seat 2; its seats are 0 to 1');
    expect((await here.get('/tables/t9/seats/1/context', ADMIN)).body.reason).toBe('unknown-game');
    expect((await here.post(`${AT}/truncate`, { tokens: -1 }, ADMIN)).status).toBe(400);
  });

  it('is saved of a table that is over, but neither loaded nor cut', async () => {
    Object.assign(here.addTable('t3', { rules: 'maw', seats: [{ kind: 'mind' }] }).summary, { stage: 'over' });
    const at = '/tables/t3/seats/0/context';
    expect((await here.get(at, ADMIN)).status).toBe(200);
    expect((await here.post(at, context, ADMIN)).body.detail).toBe('t3 is over: its minds do not think again');
    expect((await here.post(`${at}/truncate`, { tokens: 50 }, ADMIN)).body.reason).toBe('phase-over');
  });
});

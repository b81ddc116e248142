import { afterEach, describe, expect, it } from '@jest/globals';
import type { WebOptions } from './defaults.ts';
import { ADMIN, startTestWeb, type TestWeb } from './web.suite.ts';

const start = Date.now();
let now = start;
const opened: TestWeb[] = [];
async function limited(options: Partial<WebOptions>): Promise<TestWeb> {
  now = start;
  const web = await startTestWeb(options, { now: () => now });
  web.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }] });
  opened.push(web);
  return web;
}
afterEach(async () => {
  for (const web of opened.splice(0)) await web.close();
});

describe('requestLimits', () => {
  it('limits each token, with Retry-After, and no administrator', async () => {
    const web = await limited({ perToken: 1, tokenBurst: 3 });
    const [ann, bo] = [await web.mint({ role: 'seat', table: 't1', seat: 0 }), await web.mint({ role: 'spectator', table: 't1' })];
    const statuses = async (token: string, times: number) => {
      const all = [];
      for (let i = 0; i < times; i++) all.push((await web.get('/tables/t1/view', token)).status);
      return all;
    };
    expect(await statuses(ann, 4)).toEqual([200, 200, 200, 429]);
    const refused = await web.get('/tables/t1/view', ann);
    expect([refused.body.reason, refused.headers.get('retry-after')]).toEqual(['too-fast', '1']);
    expect([await statuses(bo, 1), await statuses(ADMIN, 6)]).toEqual([[200], Array(6).fill(200)]);
    now += 1_000;
    expect(await statuses(ann, 2)).toEqual([200, 429]);
  });

  it('limits two tokens of one spectator pass separately', async () => {
    const web = await limited({ perToken: 1, tokenBurst: 1 });
    const [ann, bo] = [await web.mint({ role: 'spectator', table: 't1' }), await web.mint({ role: 'spectator', table: 't1' })];
    const statusOf = async (token: string) => (await web.get('/tables/t1/view', token)).status;
    expect([await statusOf(ann), await statusOf(ann), await statusOf(bo), await statusOf(bo)]).toEqual([200, 429, 200, 429]);
  });

  it('limits requests without a valid token by address', async () => {
    const web = await limited({ perAddress: 1, addressBurst: 2 });
    const statuses = async () => [(await web.get('/tables')).status, (await web.get('/tables', 'rubbish')).status];
    expect([await statuses(), await statuses()]).toEqual([
      [401, 401],
      [429, 429],
    ]);
    expect((await web.get('/tables/t1/view', await web.mint({ role: 'seat', table: 't1', seat: 0 }))).status).toBe(200);
    now += 1_000;
    expect((await web.get('/tables')).status).toBe(401);
  });

  it('trusts X-Forwarded-For from its own proxies only', async () => {
    const ask = async (web: TestWeb, address: string) =>
      (await web.raw('GET', '/tables', undefined, { 'X-Forwarded-For': address })).status;
    const behind = await limited({ perAddress: 1, addressBurst: 1, proxies: 1 });
    expect([await ask(behind, '10.0.0.1'), await ask(behind, '10.0.0.1'), await ask(behind, '10.0.0.2')]).toEqual([401, 429, 401]);
    expect(await ask(behind, '10.0.0.9, 10.0.0.2')).toBe(429);
    const direct = await limited({ perAddress: 1, addressBurst: 1 });
    expect([await ask(direct, '10.0.0.1'), await ask(direct, '10.0.0.2')]).toEqual([401, 429]);
  });
});

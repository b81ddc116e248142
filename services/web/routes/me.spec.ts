import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
beforeEach(async () => {
  here = await startTestWeb({ isOpen: true });
});
afterEach(() => here.close());

it('says who sends the request', async () => {
  const me = async (token?: string) => (await here.get('/me', token)).body;
  const about = { isOpen: true, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) };
  expect(await me()).toEqual({ role: 'anybody', name: 'anybody', ...about });
  expect(await me(ADMIN)).toEqual({ role: 'admin', name: 'admin', ...about });
  const until = expect.any(Number);
  const seat = { role: 'seat', table: 't1', seat: 2 } as const;
  expect(await me(await here.mint(seat))).toEqual({ ...seat, name: 't1/seat:2', until, ...about });
  const narrator = { role: 'spectator', table: 't1', view: 'narrator' } as const;
  expect(await me(await here.mint(narrator))).toEqual({ ...narrator, name: 't1/spectator', until, ...about });
  expect((await here.raw('GET', '/me', undefined, { Authorization: 'Bearer wrong' })).body.reason).toBe('bad-token');
});

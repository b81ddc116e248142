import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
beforeEach(async () => {
  here = await startTestWeb();
});
afterEach(() => here.close());

it('GET /leaderboard shows the rows of all rules or some to any token', async () => {
  const seat = await here.mint({ role: 'seat', table: 't1', seat: 0 });
  expect((await here.get('/leaderboard', seat)).body.rows[0]).toMatchObject({ recipe: 'react', wins: 3 });
  await here.get('/leaderboard?rules=maw', ADMIN);
  expect(here.heard('table.leaderboard').map(({ data }) => data)).toEqual([{}, { rules: 'maw' }]);
  expect((await here.get('/leaderboard')).status).toBe(401);
  expect((await here.get('/leaderboard?rules=&table=t1', ADMIN)).body.errors).toHaveLength(2);
  here.refuse('unknown-rules', 'there are no rules chess');
  expect((await here.get('/leaderboard?rules=chess', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-rules' });
});

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
beforeEach(async () => {
  here = await startTestWeb();
});
afterEach(() => here.close());

const contest = { name: 'spring 1.0', agents: [{ name: 'a', recipe: 'react', model: 'llama3.1' }] };

it('opens, shows and stops contests for administrators, and for anybody where the service is open', async () => {
  const opened = await here.post('/contests', { contest }, ADMIN);
  expect([opened.status, opened.headers.get('location')]).toEqual([201, '/contests/spring-1-0']);
  expect((await here.post('/contests', { id: 'mine', contest }, ADMIN)).headers.get('location')).toBe('/contests/mine');
  expect(here.heard('contest.open').map(({ subject, data }) => [subject, data])).toEqual([
    ['spring-1-0', { contest }],
    ['mine', { contest }],
  ]);
  expect((await here.get('/contests?limit=5', ADMIN)).body.contests).toHaveLength(1);
  expect((await here.get('/contests/mine', ADMIN)).body).toMatchObject({ summary: { pairings: 700 } });
  expect((await here.get('/contests/mine/results?after=7&limit=2&records=true&skip=3', ADMIN)).body).toMatchObject({ more: true });
  await here.get('/contests/mine/results?after=-1', ADMIN);
  expect(here.heard('contest.results').map(({ data }) => data)).toEqual([
    { after: 7, limit: 2, records: true, skip: 3 },
    { after: -1, limit: 100, skip: 0 },
  ]);
  expect((await here.post('/contests/mine/stop', { why: 'enough' }, ADMIN)).body).toMatchObject({ state: 'stopping' });
  expect(here.heard('contest.stop').map(({ data }) => data)).toEqual([{ why: 'enough' }]);
  await here.close();
  here = await startTestWeb({ isOpen: true });
  expect((await here.get('/contests')).status).toBe(200);
  expect((await here.get('/contests/mine')).status).toBe(200);
});

it('tells nobody the seed of a contest that runs, and without a token no results of it', async () => {
  for (const path of ['', '/results', '/report', '/report?format=json', '/report?format=csv']) {
    const { status, text } = await here.get(`/contests/spring${path}`, ADMIN);
    expect([path, status, /secret/.test(text)]).toEqual([path, 200, false]);
  }
  await here.close();
  here = await startTestWeb({ isOpen: true });
  for (const path of ['/results', '/report', '/report?format=csv'])
    expect(await here.get(`/contests/spring${path}`)).toMatchObject({
      status: 401,
      body: { detail: expect.stringMatching(/until it is over/) },
    });
});

it('reports a contest as a page that may run nothing and load nothing', async () => {
  const response = await fetch(`${here.url}/contests/spring/report`, { headers: { authorization: `Bearer ${ADMIN}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'$/);
  const page = await response.text();
  expect(page).toContain('<p>Is 1 &lt; 2?</p>');
  expect(page.trimEnd()).toMatch(/<\/html>$/);
  expect(here.heard('contest.results').map(({ data }) => data.after)).toEqual([-1, 0]);
});

it('reports the numbers and the games, too, and reads no records for the games', async () => {
  const reported = async (format: string) => {
    const response = await fetch(`${here.url}/contests/spring/report?format=${format}`, { headers: { authorization: `Bearer ${ADMIN}` } });
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
  const csv = await reported('csv');
  expect([csv.type, csv.text.split('\n')[0]]).toEqual([
    'text/csv; charset=utf-8',
    'game,deal,rules,agent,seat,role,side,won,points,winner',
  ]);
  expect(here.heard('contest.results').some(({ data }) => data.records)).toBe(false);
  const { type, text } = await reported('json');
  expect([type, JSON.parse(text)]).toEqual(['application/json; charset=utf-8', expect.objectContaining({ results: expect.anything() })]);
  expect(here.heard('contest.results').at(-1)).toMatchObject({ data: { records: true } });
  expect((await here.get('/contests/spring/report?format=pdf', ADMIN)).status).toBe(400);
});

it('opens a contest from the text of its file, which goes on to name the lines of mistakes', async () => {
  const text = 'name: spring 1.0\nagents: [{ name: a, recipe: react, model: llama3.1 }]\n';
  expect((await here.post('/contests', { contest: text }, ADMIN)).headers.get('location')).toBe('/contests/spring-1-0');
  expect(here.heard('contest.open').map(({ data }) => data)).toEqual([{ contest, text }]);
  const unknown = await here.post('/contests', { contest: text.replace('llama3.1', 'nothing') }, ADMIN);
  expect(unknown.body.detail).toMatch(/^agents\.0\.model: there is no model nothing/);
  for (const [wrong, says] of [
    ['name: a\nagents: [', /^contest\.yaml:2: it is not YAML: /],
    ['just words', /^contest\.yaml:1: a contest has fields: name, agents, games and schedule$/],
  ] as const)
    expect((await here.post('/contests', { contest: wrong }, ADMIN)).body).toMatchObject({
      status: 422,
      detail: expect.stringMatching(says),
    });
  expect(here.heard('contest.open')).toHaveLength(1);
});

it('tells nothing of contests to others: their results and seeds tell roles of tables that run', async () => {
  const seat = await here.mint({ role: 'seat', table: 't1', seat: 0 });
  const statuses = async (token?: string) => [
    (await here.post('/contests', { contest }, token)).status,
    (await here.get('/contests', token)).status,
    (await here.get('/contests/mine', token)).status,
    (await here.get('/contests/mine/results', token)).status,
    (await here.get('/contests/mine/report', token)).status,
    (await here.post('/contests/mine/stop', {}, token)).status,
  ];
  expect([await statuses(), await statuses(seat)]).toEqual([Array(6).fill(401), Array(6).fill(403)]);
});

it('refuses what is wrong in words', async () => {
  const wrong = { ...contest, agents: [{ name: 'a', recipe: 'react', model: 'nothing' }] };
  expect((await here.post('/contests', { contest: wrong }, ADMIN)).body).toMatchObject({
    status: 422,
    detail: expect.stringMatching(/^agents\.0\.model: there is no model nothing/),
  });
  expect((await here.post('/contests', { id: 'a/b', contest }, ADMIN)).status).toBe(400);
  expect((await here.post('/contests', {}, ADMIN)).status).toBe(400);
  const about = (bytes: number) => ({ contest: { ...contest, about: 'x'.repeat(bytes) } });
  expect((await here.post('/contests', about(200_000), ADMIN)).status).toBe(201);
  expect((await here.post('/contests', about(300_000), ADMIN)).body).toMatchObject({
    status: 413,
    detail: 'a body has at most 262144 bytes',
  });
  expect((await here.get('/contests/a.b', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-contest' });
  here.refuse('bad-contest', 'games.0: there are no rules chess');
  expect((await here.post('/contests', { contest }, ADMIN)).body).toMatchObject({ status: 422, title: 'The contest is wrong' });
});

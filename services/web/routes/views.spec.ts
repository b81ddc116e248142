import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
beforeEach(async () => {
  here = await startTestWeb();
  for (const [table, spectators] of [
    ['t1', 'audience'],
    ['t2', 'narrator'],
  ] as const) {
    here.addTable(table, { rules: 'maw', spectators, seats: [{ kind: 'person' }, { kind: 'person' }] });
    here.write(table, [0, 1, 'audience', 'narrator'], { type: 'began', round: 1 }, 'Round 1 begins.');
    here.write(table, [1, 'narrator'], { type: 'dealt', roles: ['villager', 'wolf'] });
  }
  here.tables.get('t1')!.brief = 'Your role: Villager.';
});
afterEach(() => here.close());

const minted = {
  'seat 0': () => here.mint({ role: 'seat', table: 't1', seat: 0 }),
  'spectator': () => here.mint({ role: 'spectator', table: 't1' }),
  'narrator of an open table': () => here.mint({ role: 'spectator', table: 't2', view: 'narrator' }),
  'narrator of a closed table': () => here.mint({ role: 'spectator', table: 't1', view: 'narrator' }),
  'administrator': () => Promise.resolve(ADMIN),
  'nobody': () => Promise.resolve(undefined),
} as const;

const PATHS = [
  ['view', async (path: string, token?: string) => here.get(path, token)],
  ['tape', async (path: string, token?: string) => here.get(path, token)],
] as const;

/** Who, at which table, as what, sees: the eye, or the status. The whole table is in auth/authorize.spec.ts. */
const RIGHTS = [
  ['seat 0', 't1', '', 0],
  ['seat 0', 't1', 'seat:1', 403],
  ['seat 0', 't2', '', 403],
  ['spectator', 't1', 'narrator', 403],
  ['narrator of an open table', 't2', '', 'narrator'],
  ['narrator of a closed table', 't1', '', 403],
  ['administrator', 't1', 'seat:7', 422],
  ['nobody', 't1', '', 401],
] as const;

describe.each(PATHS)('GET /tables/:table/%s', (path, get) => {
  it.each(RIGHTS)('shows %s at %s as "%s": %s', async (who, table, as, eye) => {
    const seen = await get(`/tables/${table}/${path}${as && `?as=${as}`}`, await minted[who]());
    if (typeof eye === 'number' && eye >= 400) expect(seen.status).toBe(eye);
    else {
      expect(seen.status).toBe(200);
      expect(seen.text.includes('wolf')).toBe(eye === 'narrator');
      if (path === 'view') expect(seen.body.eye).toBe(eye);
    }
  });
});

describe.each(RIGHTS)('GET /tables/:table/events', (who, table, as, eye) => {
  it(`shows ${who} at ${table} as "${as}": ${eye}`, async () => {
    const token = await minted[who]();
    const controller = new AbortController();
    const response = await fetch(`${here.url}/tables/${table}/events${as && `?as=${as}`}`, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      signal: controller.signal,
    });
    expect(response.status).toBe(typeof eye === 'number' && eye >= 400 ? eye : 200);
    controller.abort();
  });
});

describe('GET /tables/:table/view', () => {
  it('returns pages with what the seat may answer', async () => {
    const seat1 = await here.mint({ role: 'seat', table: 't1', seat: 1 });
    const first = (await here.get('/tables/t1/view?limit=1', seat1)).body;
    expect(first).toMatchObject({
      eye: 1,
      more: true,
      last: 2,
      brief: 'Your role: Villager.',
      asked: [],
      alive: [true, true],
      life: 'Awake',
      holder: 'person',
      seen: [{ n: 1, text: 'Round 1 begins.' }],
    });
    expect((await here.get('/tables/t1/view?after=1&limit=1', seat1)).body).toMatchObject({
      more: false,
      seen: [{ n: 2, event: { type: 'dealt' } }],
    });
  });

  it('returns up to the limit in as many reads as that takes', async () => {
    for (let i = 0; i < 300; i++) here.write('t1', ['narrator'], { type: 'dawned', day: i });
    const long = (await here.get('/tables/t1/view?after=3&limit=120', ADMIN)).body;
    expect(long.seen.map(({ n }: { n: number }) => n)).toEqual(Array.from({ length: 120 }, (_, i) => i + 4));
    expect([long.more, long.last]).toEqual([true, 302]);
    expect((await here.get('/tables/t1/view', ADMIN)).body).toMatchObject({ more: false, last: 302, seen: { length: 302 } });
  });

  it('refuses other than whole numbers', async () => {
    for (const query of ['after=x', 'after=1.5', 'limit=0', 'limit=1001', 'after=', 'after=9999999999999999'])
      expect((await here.get(`/tables/t1/view?${query}`, ADMIN)).status).toBe(400);
  });

  it('is 404 for an unknown table', async () => {
    expect((await here.get('/tables/t7/view', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-game' });
  });
});

describe('GET /tables/:table/tape', () => {
  it('streams every event of the view as JSON lines', async () => {
    for (let i = 0; i < 450; i++) here.write('t1', ['narrator'], { type: 'dawned', day: i });
    const tape = await here.get('/tables/t1/tape', ADMIN);
    expect(tape.headers.get('content-type')).toContain('application/x-ndjson');
    expect(tape.text.endsWith('\n')).toBe(true);
    expect(
      tape.text
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row).n),
    ).toEqual(Array.from({ length: 452 }, (_, i) => i + 1));
  });

  const rowsOf = (text: string) => text.split('\n').filter(Boolean);

  it('ends with event `until`, and says whether anything has changed since', async () => {
    const upTo = async (query: string, headers: Record<string, string> = {}) =>
      here.raw('GET', `/tables/t1/tape${query}`, undefined, { Authorization: `Bearer ${ADMIN}`, ...headers });
    const whole = await upTo('');
    expect([rowsOf((await upTo('?until=1')).text).length, rowsOf((await upTo('?until=9')).text).length]).toEqual([1, 2]);
    const etag = whole.headers.get('etag')!;
    const again = await upTo('', { 'If-None-Match': `"other", ${etag}` });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    for (const other of ['?until=1', '?as=audience']) expect((await upTo(other, { 'If-None-Match': etag })).status).toBe(200);
    here.write('t1', ['narrator'], { type: 'dawned', day: 1 });
    expect(rowsOf((await upTo('', { 'If-None-Match': etag })).text)).toHaveLength(3);
    expect(rowsOf((await upTo('?until=2', { 'If-None-Match': etag })).text)).toEqual([]); // 304: what there was then has not changed
    expect((await upTo('?until=x')).body.errors).toEqual([{ field: 'until', says: 'a whole number' }]);
  });

  it.each(['br', 'gzip', 'identity'])('is sent as %s to a client that takes only that', async (coding) => {
    for (let i = 0; i < 200; i++) here.write('t1', ['narrator'], { type: 'dawned', day: i });
    const headers = { 'Authorization': `Bearer ${ADMIN}`, 'Accept-Encoding': coding };
    const tape = await here.raw('GET', '/tables/t1/tape', undefined, headers);
    expect([tape.headers.get('content-encoding') ?? 'identity', tape.headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
    expect(rowsOf(tape.text)).toHaveLength(202);
  });
});

describe('what led to an event', () => {
  const wanted = () => here.heard('table.view').map(({ data }) => [data.eye, data.causes ?? false]);

  it('is asked for only for the narrator, and for those who may read thoughts', async () => {
    await here.get('/tables/t1/view', ADMIN);
    await here.get('/tables/t1/view?as=seat:0', ADMIN);
    await here.get('/tables/t2/tape', await minted['narrator of an open table']());
    expect(wanted()).toEqual([['narrator', true], [0, false], ['audience', false], ['narrator', false]]); // prettier-ignore
  });

  it('is asked for by a seat once the table is over and shows it', async () => {
    Object.assign(here.tables.get('t1')!.summary, { stage: 'over' });
    await here.get('/tables/t1/view?as=narrator', await minted['seat 0']());
    expect(wanted().at(-1)).toEqual(['narrator', true]);
  });
});

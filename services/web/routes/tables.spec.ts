import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
const KEY = '7f0f5a52-0c5e-4a3a-8d53-2f8f2c9f5a01';
beforeEach(async () => {
  here = await startTestWeb();
  here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
  here.addTable('t2', { rules: 'maw', seats: [{ kind: 'person' }] });
});
afterEach(() => here.close());

describe('POST /tables', () => {
  it('opens a table with seats for people and minds', async () => {
    const body = {
      rules: 'maw',
      players: 3,
      people: 1,
      recipe: 'rules',
      model: 'llama3.1',
      rounds: 2,
      options: { dayMs: 1000 },
      seed: 's',
      lobbyMs: 5,
      pauseMs: 6,
      spectators: 'narrator',
      afterwards: 'everybody',
      insight: 'live',
    };
    const made = await here.post('/tables', body, ADMIN);
    const { table } = made.body;
    const at = `/tables/${table}`;
    expect(made).toMatchObject({
      status: 201,
      body: {
        seats: [
          { seat: 0, kind: 'person' },
          { seat: 1, kind: 'mind' },
          { seat: 2, kind: 'mind' },
        ],
        links: { table: at, seats: `${at}/seats`, view: `${at}/view`, events: `${at}/events`, tape: `${at}/tape` },
      },
    });
    expect(made.headers.get('location')).toBe(at);
    const [message] = here.heard('table.open');
    const mind = { recipe: 'rules', model: 'llama3.1' };
    expect(message).toMatchObject({ subject: table, source: 'web' });
    expect(message!.data).toEqual({
      rules: 'maw',
      rounds: 2,
      options: { pace: 'people', dayMs: 1000 },
      seed: 's',
      lobbyMs: 5,
      pauseMs: 6,
      spectators: 'narrator',
      afterwards: 'everybody',
      insight: 'live',
      seats: [
        { kind: 'person', ...mind },
        { kind: 'mind', ...mind },
        { kind: 'mind', ...mind },
      ],
    });
  });

  it('leaves a table of minds the pace of machines, and any table the pace that is given', async () => {
    const paceOf = async (body: object) => {
      await here.post('/tables', { rules: 'maw', ...body }, ADMIN);
      return here.heard('table.open').at(-1)!.data.options;
    };
    expect(await paceOf({ players: 3 })).toEqual({});
    expect(await paceOf({ players: 3, people: 1, options: { pace: 'machines' } })).toEqual({ pace: 'machines' });
  });

  it('refuses a model that no server has, naming those that there are', async () => {
    const seats = [{ kind: 'person' }, { kind: 'mind', model: 'LLAMA3.1:latest' }, { kind: 'mind', model: 'gpt-9' }];
    expect((await here.post('/tables', { rules: 'maw', seats }, ADMIN)).body).toMatchObject({
      status: 422,
      reason: 'bad-option',
      detail: 'seats.2.model: there is no model gpt-9; the model servers have llama3.1',
    });
    expect((await here.post('/tables', { rules: 'maw', seats: seats.slice(0, 2) }, ADMIN)).status).toBe(201);
    here.servers.push({ server: 'gpu:1', isUp: false, slots: 0, busy: 0, models: [] }); // nobody knows what it has
    expect((await here.post('/tables', { rules: 'maw', seats }, ADMIN)).status).toBe(201);
  });

  it('takes seats one by one, each with its own recipe and model', async () => {
    const seats = [{ kind: 'mind', recipe: 'x', name: 'Bo' }, { kind: 'person' }];
    expect(await here.post('/tables', { rules: 'maw', seats, recipe: 'usual' }, ADMIN)).toMatchObject({
      status: 201,
      body: { seats: [{ kind: 'mind' }, { kind: 'person' }] },
    });
    expect(here.heard('table.open')[0]!.data.seats).toEqual([
      { kind: 'mind', recipe: 'x', name: 'Bo' },
      { kind: 'person', recipe: 'usual' },
    ]);
  });

  it.each([
    [{ rules: 'maw' }, 'players'],
    [{ rules: 'maw', players: 2, seats: [{ kind: 'mind' }] }, 'players'],
    [{ rules: 'maw', people: 1, seats: [{ kind: 'mind' }] }, 'people'],
    [{ rules: 'maw', players: 2, people: 3 }, 'people'],
  ])('refuses the ambiguous body %j', async (body, field) => {
    expect((await here.post('/tables', body, ADMIN)).body).toMatchObject({ status: 400, errors: [{ field }] });
  });

  it('needs an administrator', async () => {
    const nobody = await here.post('/tables', { rules: 'maw', players: 3 });
    expect(nobody).toMatchObject({ status: 401, body: { reason: 'no-token' } });
    expect(nobody.headers.get('www-authenticate')).toBe('Bearer realm="maw"');
    for (const of of [
      { role: 'seat', table: 't1', seat: 0 },
      { role: 'join', table: 't1' },
      { role: 'spectator', table: 't1' },
    ] as const)
      expect(await here.post('/tables', { rules: 'maw', players: 3 }, await here.mint(of))).toMatchObject({
        status: 403,
        body: { reason: 'forbidden' },
      });
    expect(await here.post('/tables', { rules: 'maw', players: 3 }, await here.mint({ role: 'admin' }))).toMatchObject({ status: 201 });
    const bad = await here.post('/tables', { rules: 'maw', players: 3 }, 'rubbish');
    expect(bad).toMatchObject({ status: 401, body: { reason: 'bad-token' } });
    expect(bad.headers.get('www-authenticate')).toContain('invalid_token');
  });

  it('opens one table per Idempotency-Key', async () => {
    const body = { rules: 'maw', players: 3 };
    const [one, two] = [
      await here.post('/tables', body, ADMIN, { 'Idempotency-Key': KEY }),
      await here.post('/tables', body, ADMIN, { 'Idempotency-Key': KEY }),
    ];
    expect(one.body).toEqual(two.body);
    const other = await here.post('/tables', { ...body, players: 4 }, ADMIN, { 'Idempotency-Key': KEY });
    const without = await here.post('/tables', body, ADMIN);
    expect(new Set([one, other, without].map((each) => each.body.table)).size).toBe(3);
  });

  it('refuses an Idempotency-Key that is easy to guess', async () => {
    for (const key of ['1', 'x'.repeat(15), 'x'.repeat(201), 'has a space in it somewhere'])
      expect(await here.post('/tables', { rules: 'maw', players: 3 }, ADMIN, { 'Idempotency-Key': key })).toMatchObject({
        status: 400,
        body: { reason: 'unreadable' },
      });
  });
});

describe('GET /tables', () => {
  it('refuses a search while several run, and no other list', async () => {
    const release = here.hold();
    const running = Array.from({ length: 4 }, () => here.get('/tables?search=a', ADMIN));
    await pollUntil('the searches', () => here.heard('table.list').length === 4);
    const refused = await here.get('/tables?search=a', ADMIN);
    expect([refused.status, refused.body.reason, refused.headers.get('retry-after')]).toEqual([429, 'limited', '1']);
    const list = here.get('/tables', ADMIN);
    release();
    expect((await Promise.all([...running, list])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await here.get('/tables?search=a', ADMIN)).status).toBe(200);
  });

  it('lists tables and passes the filters on', async () => {
    expect((await here.get('/tables?limit=5&before=9&over=true', ADMIN)).body.tables.map(({ table }: { table: string }) => table)).toEqual([
      't1',
      't2',
    ]);
    expect(here.heard('table.list')[0]!.data).toEqual({ limit: 5, before: 9, isOver: true });
    await here.get('/tables?before=9&beforeTable=t1', ADMIN);
    expect(here.heard('table.list')[1]!.data).toEqual({ limit: 100, before: 9, beforeTable: 't1' });
    expect(await here.get('/tables?beforeTable=t1', ADMIN)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('beforeTable') },
    });
    expect((await here.get('/tables?limit=0', ADMIN)).status).toBe(400);
    expect((await here.get('/tables?limit=1&limit=2', ADMIN)).status).toBe(400);
  });

  it('shows one table, and 404 for an unknown one', async () => {
    expect((await here.get('/tables/t1', ADMIN)).body).toEqual(here.tables.get('t1')!.summary);
    expect(await here.get('/tables/t9', ADMIN)).toMatchObject({ status: 404, body: { reason: 'unknown-game' } });
    expect((await here.get('/tables/t1', 'rubbish')).status).toBe(401);
  });
});

describe('POST /tables/:table/seats', () => {
  const join = async (name: unknown, headers = {}, table = 't1') =>
    here.post(`/tables/${table}/seats`, { name }, await here.mint({ role: 'join', table: 't1' }), headers);

  it('seats a person and returns the token of that seat', async () => {
    const ann = await join('Ann');
    expect(ann).toMatchObject({ status: 201, body: { seat: 0, name: 'Ann', until: expect.any(Number) } });
    expect((await join('Bo')).body.seat).toBe(1);
    expect((await here.get('/tables/t1/view', ann.body.token)).body.eye).toBe(0);
    expect(await join('Cy')).toMatchObject({ status: 409, body: { reason: 'table-full' } });
  });

  it('gives one seat per Idempotency-Key', async () => {
    const [one, two] = [await join('Ann', { 'Idempotency-Key': KEY }), await join('Ann', { 'Idempotency-Key': KEY })];
    expect([one.status, two.status, one.body.seat, two.body.seat]).toEqual([201, 201, 0, 0]);
    expect(await join('Ann')).toMatchObject({ status: 409, body: { reason: 'name-taken' } });
  });

  it.each(['\u0000Ann', 'Ann\nBo', '<b>Ann</b>', 'A\u001bnn', '  ', 'Gamemaster', '"><script>'])(
    'passes the name %j to the gamemaster, which refuses it',
    async (name) => {
      expect(await join(name)).toMatchObject({ status: 422, body: { reason: 'bad-name' } });
    },
  );

  it('needs a name', async () => {
    for (const name of [undefined, 7, '', 'x'.repeat(201)])
      expect((await join(name)).body).toMatchObject({ status: 400, errors: [{ field: 'name' }] });
  });

  it('needs an invitation to that table', async () => {
    expect((await here.post('/tables/t1/seats', { name: 'Ann' })).status).toBe(401);
    expect((await join('Ann', {}, 't2')).body).toMatchObject({ status: 403, reason: 'forbidden' });
    for (const of of [
      { role: 'seat', table: 't1', seat: 0 },
      { role: 'spectator', table: 't1' },
    ] as const)
      expect((await here.post('/tables/t1/seats', { name: 'Ann' }, await here.mint(of))).status).toBe(403);
    expect((await here.post('/tables/t1/seats', { name: 'Ann' }, ADMIN)).status).toBe(201);
    expect(here.heard('table.join')).toHaveLength(1);
  });
});

describe('POST /tokens', () => {
  it('issues tokens with the permissions of their role', async () => {
    const give = async (body: unknown) => (await here.post('/tokens', body, ADMIN)).body;
    const spectator = await give({ role: 'spectator', table: 't1' });
    expect(spectator).toEqual({
      role: 'spectator',
      table: 't1',
      id: expect.any(String),
      name: 't1/spectator',
      token: expect.any(String),
      until: expect.any(Number),
    });
    expect((await here.get('/tables/t1/view', spectator.token)).body.eye).toBe('audience');
    expect((await here.get('/tables/t1/view', (await give({ role: 'seat', table: 't1', seat: 1 })).token)).body.eye).toBe(1);
    expect((await here.post('/tables/t1/seats', { name: 'Ann' }, (await give({ role: 'join', table: 't1' })).token)).status).toBe(201);
    const before = Date.now();
    const { until } = await give({ role: 'join', table: 't1', ttlMs: 60_000 });
    expect(until).toBeGreaterThan(before + 59_000); // whole seconds
    expect(until).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it('issues none for unknown tables and seats', async () => {
    expect((await here.post('/tokens', { role: 'join', table: 't9' }, ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-game' });
    expect((await here.post('/tokens', { role: 'seat', table: 't1', seat: 2 }, ADMIN)).body).toMatchObject({
      status: 422,
      reason: 'not-an-option',
    });
    for (const body of [{ role: 'admin' }, { role: 'seat', table: 't1' }, { role: 'join', table: 't1', seat: -1 }, {}])
      expect((await here.post('/tokens', body, ADMIN)).status).toBe(400);
  });

  it('needs an administrator', async () => {
    expect((await here.post('/tokens', { role: 'join', table: 't1' })).status).toBe(401);
    expect(
      (await here.post('/tokens', { role: 'join', table: 't1' }, await here.mint({ role: 'seat', table: 't1', seat: 0 }))).status,
    ).toBe(403);
  });
});

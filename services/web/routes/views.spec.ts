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
  'another table’s seat': () => here.mint({ role: 'seat', table: 't9', seat: 0 }),
  'spectator': () => here.mint({ role: 'spectator', table: 't1' }),
  'narrator of an open table': () => here.mint({ role: 'spectator', table: 't2', view: 'narrator' }),
  'narrator of a closed table': () => here.mint({ role: 'spectator', table: 't1', view: 'narrator' }),
  'spectator of an open table': () => here.mint({ role: 'spectator', table: 't2' }),
  'invited': () => here.mint({ role: 'join', table: 't1' }),
  'administrator': () => Promise.resolve(ADMIN),
  'nobody': () => Promise.resolve(undefined),
} as const;

const PATHS = [
  ['view', async (path: string, token?: string) => here.get(path, token)],
  ['tape', async (path: string, token?: string) => here.get(path, token)],
] as const;

/** Who, at which table, as what, sees: the eye it gets, or the status. */
const RIGHTS = [
  ['seat 0', 't1', '', 0],
  ['seat 0', 't1', 'seat', 0],
  ['seat 0', 't1', 'seat:0', 0],
  ['seat 0', 't1', 'seat:1', 403],
  ['seat 0', 't1', 'audience', 403],
  ['seat 0', 't1', 'narrator', 403],
  ['seat 0', 't2', '', 403],
  ['another table’s seat', 't1', '', 403],
  ['spectator', 't1', '', 'audience'],
  ['spectator', 't1', 'audience', 'audience'],
  ['spectator', 't1', 'narrator', 403],
  ['spectator', 't1', 'seat:1', 403],
  ['spectator', 't1', 'seat', 403],
  ['spectator', 't2', '', 403],
  ['narrator of an open table', 't2', 'narrator', 'narrator'],
  ['narrator of an open table', 't2', '', 'narrator'],
  ['narrator of an open table', 't2', 'audience', 'audience'],
  ['narrator of an open table', 't2', 'seat:0', 403],
  ['narrator of an open table', 't1', '', 403],
  ['narrator of a closed table', 't1', '', 403],
  ['narrator of a closed table', 't1', 'narrator', 403],
  ['narrator of a closed table', 't1', 'audience', 'audience'],
  ['spectator of an open table', 't2', 'narrator', 403],
  ['spectator of an open table', 't2', '', 'audience'],
  ['spectator of an open table', 't2', 'seat:0', 403],
  ['spectator of an open table', 't1', 'narrator', 403],
  ['invited', 't1', '', 403],
  ['invited', 't1', 'audience', 403],
  ['administrator', 't1', '', 'narrator'],
  ['administrator', 't1', 'seat:1', 1],
  ['administrator', 't1', 'audience', 'audience'],
  ['administrator', 't1', 'seat', 400],
  ['administrator', 't1', 'seat:7', 422],
  ['nobody', 't1', '', 401],
  ['nobody', 't2', 'audience', 401],
] as const;

describe.each(PATHS)('GET /tables/:table/%s', (path, get) => {
  it.each(RIGHTS)('shows %s at %s as "%s": %s', async (who, table, as, eye) => {
    const seen = await get(`/tables/${table}/${path}${as && `?as=${as}`}`, await minted[who]());
    if (typeof eye === 'number' && eye >= 400) expect(seen.status).toBe(eye);
    else {
      expect(seen.status).toBe(200);
      expect(seen.text.includes('wolf')).toBe(eye === 1 || eye === 'narrator');
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

describe('the view', () => {
  it('comes in pages, with what the seat may answer', async () => {
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

  it('is as long as it was asked to be, however many questions that takes', async () => {
    for (let i = 0; i < 300; i++) here.write('t1', ['narrator'], { type: 'dawned', day: i });
    const long = (await here.get('/tables/t1/view?after=3&limit=120', ADMIN)).body;
    expect(long.seen.map(({ n }: { n: number }) => n)).toEqual(Array.from({ length: 120 }, (_, i) => i + 4));
    expect([long.more, long.last]).toEqual([true, 302]);
    expect((await here.get('/tables/t1/view', ADMIN)).body).toMatchObject({ more: false, last: 302, seen: { length: 302 } });
  });

  it('takes whole numbers', async () => {
    for (const query of ['after=x', 'after=1.5', 'limit=0', 'limit=1001', 'after=', 'after=9999999999999999'])
      expect((await here.get(`/tables/t1/view?${query}`, ADMIN)).status).toBe(400);
  });

  it('is not there for a table that is not', async () => {
    expect((await here.get('/tables/t7/view', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-game' });
  });
});

describe('the tape', () => {
  it('is every event of the view, one JSON value a line, however many pages that takes', async () => {
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
});

describe('looking around in a room', () => {
  it('is for the seat, under the room’s full name, encoded or not', async () => {
    const seat0 = await here.mint({ role: 'seat', table: 't1', seat: 0 });
    for (const room of ['round-1%2Fday-1%2FVillage', 'round-1/day-1/Village'])
      expect((await here.get(`/tables/t1/rooms/${room}/who`, seat0)).body).toMatchObject({ isOpen: true, members: [{ seat: 0 }] });
    expect(here.heard('room.who').map(({ data }) => data)).toEqual(
      Array.from({ length: 2 }, () => ({ room: 'round-1/day-1/Village', seat: 0 })),
    );
    expect((await here.get('/tables/t1/rooms/Village/who?as=seat:1', ADMIN)).status).toBe(200);
    expect((await here.get('/tables/t1/rooms/Village/who', ADMIN)).status).toBe(403);
    expect((await here.get('/tables/t1/rooms/Village/who', await minted.spectator())).status).toBe(403);
    expect((await here.get('/tables/t1/rooms/Village/who')).status).toBe(401);
  });
});

describe('what the house has', () => {
  it('are rules, for whoever bears a token, with options as the address gives them', async () => {
    expect((await here.get('/rules', ADMIN)).body.sets[0].name).toBe('maw');
    expect((await here.get('/rules/maw?players=5&option.seer=true&option.dayMs=1000', ADMIN)).body.name).toBe('maw');
    expect(here.heard('table.rules')[1]!.data).toEqual({ rules: 'maw', players: 5, options: { seer: 'true', dayMs: '1000' } });
    expect((await here.get('/rules/chess', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-rules' });
    expect((await here.get('/rules/maw?players=0&colour=red', ADMIN)).body.errors).toHaveLength(2);
  });

  it('are models, for administrators', async () => {
    expect((await here.get('/models', ADMIN)).body).toMatchObject({ default: 'llama3.1' });
    expect((await here.get('/models')).status).toBe(401);
    expect((await here.get('/models', await minted.spectator())).status).toBe(403);
  });
});

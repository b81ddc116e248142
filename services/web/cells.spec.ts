import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tableId } from '@maw/contracts/messages/schemas.ts';
import { tokenSigner } from './auth/token.ts';
import { readCellUrls } from './cells.ts';
import { ADMIN, mint, openStream, SECRET, startTestWeb, type TestWeb } from './web.suite.ts';

const CELLS = 'eu1=https://eu1.example,us1=https://us1.example';
const KEY = '7f0f5a52-0c5e-4a3a-8d53-2f8f2c9f5a01';
const person = { rules: 'maw', seats: [{ kind: 'person' as const }] };

let here: TestWeb;
const begin = async (options: Parameters<typeof startTestWeb>[0] = {}) => {
  here = await startTestWeb({ cell: 'eu1', cellUrls: readCellUrls(CELLS), ...options });
  for (const table of ['eu1-t1', 'us1-t1', 't1']) here.addTable(table, person);
};
afterEach(() => here.close());

describe('a web of a cell', () => {
  beforeEach(() => begin());

  it('gives tables ids that begin with its name', async () => {
    const open = async () => (await here.post('/tables', { rules: 'maw', players: 3 }, ADMIN, { 'Idempotency-Key': KEY })).body;
    const { table, links } = await open();
    expect(table).toMatch(/^eu1-./);
    expect(tableId.safeParse(table).success).toBe(true);
    expect([(await open()).table, links.view]).toEqual([table, `/tables/${table}/view`]);
    expect(here.heard('table.open').map(({ subject }) => subject)).toEqual([table, table]);
    expect((await here.get(`/tables/${table}`, ADMIN)).status).toBe(200);
  });

  const UNNAMED = 'this is the cell eu1, and ids of its tables begin with eu1-: ask where the id comes from';
  const NAMED = 'ids that begin with us1- are of the cell us1, and this is eu1: ask at https://us1.example, with a token of that cell';
  it.each([
    ['of a table in another cell', 'us1-t1', NAMED],
    ['of no table there', 'us1-t9', NAMED],
    ['that is no id', 'us1-..%2F..%2Fx%3Cb%3E', NAMED],
    ['of a cell that is not listed', 'eu10-t1', UNNAMED],
    ['of a cell whose name is part of this one', 'eu-t1', UNNAMED],
    ['of a name that every object has', 'constructor-t1', UNNAMED],
    ['without a cell', 't1', UNNAMED],
  ])('answers an id %s by what it says alone, whoever asks', async (_, table, detail) => {
    const body = {
      type: 'urn:maw:reason:other-cell',
      title: 'The id is not of a table of this cell',
      status: 404,
      detail,
      reason: 'other-cell',
      ...(detail === NAMED ? { address: 'https://us1.example' } : {}),
    };
    for (const token of [undefined, 'rubbish', await here.mint({ role: 'admin' }), ADMIN])
      for (const answer of [
        await here.get(`/tables/${table}`, token),
        await here.get(`/tables/${table}/events`, token),
        await here.post(`/tables/${table}/speech`, { room: 'Lobby', text: 'I am a wolf' }, token),
      ]) {
        expect(answer).toMatchObject({ status: 404, body });
        expect(answer.body).toEqual(body);
        expect(answer.headers.get('location')).toBeNull();
      }
    expect(here.heard('table.view')).toEqual([]);
  });

  it('refuses an id of its own that is none as always', async () => {
    expect((await here.get('/tables/eu1-..%2Fx', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-game' });
    expect((await here.get('/tables/eu1-t1', ADMIN)).body).toMatchObject({ table: 'eu1-t1' });
  });

  it('issues no token for a table of another cell, and streams the others', async () => {
    const refused = await here.post('/tokens', { role: 'join', table: 'us1-t1' }, ADMIN);
    expect(refused.body).toMatchObject({ reason: 'other-cell', detail: NAMED });
    expect((await here.get('/tokens', ADMIN)).body).toEqual({ tokens: [] });
    Object.assign(here.tables.get('eu1-t1')!.summary, { stage: 'over', winners: [0] });
    const reader = await openStream(here.url, '/events?tables=us1-t1,eu1-t1', ADMIN);
    await reader.has('problem', 1);
    expect(reader.of('problem')[0]!.data).toMatchObject({ table: 'us1-t1', reason: 'other-cell', address: 'https://us1.example' });
    await reader.has('over', 1);
    expect(reader.of('over')[0]!.data).toEqual({ table: 'eu1-t1', winners: [0] });
    await reader.cut();
  });

  it('takes the tokens that it issues, and none of another cell with the same secret', async () => {
    const own = await here.post('/tokens', { role: 'seat', table: 'eu1-t1', seat: 0 }, ADMIN);
    expect((await here.get('/tables/eu1-t1/view', own.body.token)).body).toMatchObject({ eye: 0 });
    const other = tokenSigner({ secret: Buffer.from(SECRET), cell: 'us1', now: Date.now });
    const { token } = await mint(other, { role: 'seat', table: 'eu1-t1', seat: 0 }, Date.now());
    expect(await here.get('/tables/eu1-t1/view', token)).toMatchObject({ status: 401, body: { reason: 'bad-token' } });
  });
});

it('counts requests about tables of other cells by address', async () => {
  await begin({ perAddress: 1, addressBurst: 2 });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await here.get('/tables/us1-t1', ADMIN)).status);
  expect(statuses).toEqual([404, 404, 429]);
});

it('takes every id where there are no cells', async () => {
  await begin({ cell: undefined, cellUrls: undefined });
  for (const table of ['eu1-t1', 'us1-t1', 't1']) expect((await here.get(`/tables/${table}`, ADMIN)).status).toBe(200);
  expect((await here.post('/tables', { rules: 'maw', players: 3 }, ADMIN)).body.table).toMatch(/^[0-9a-f-]{36}$/);
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
let ann: string;
let table: ReturnType<TestWeb['addTable']>;
const KEY = '7f0f5a52-0c5e-4a3a-8d53-2f8f2c9f5a01';
const asked = { id: '', options: [], pick: 1, until: 1, final: false, maxChars: 500 };
const talk = { ...asked, id: 'round-1/day-1/talk', verb: 'say' as const, room: 'round-1/day-1/Village' };
const whisper = {
  ...asked,
  id: 'round-1/day-1/whisper',
  verb: 'tell' as const,
  room: 'round-1/day-1/Whisper-0',
  options: [
    { is: 'seat:1', named: 'Bo' },
    { is: 'seat:2', named: 'Cy' },
  ],
};

beforeEach(async () => {
  here = await startTestWeb();
  table = here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }, { kind: 'person' }] });
  table.asked.set(0, [talk, whisper]);
  here.addTable('t2', { rules: 'maw', seats: [{ kind: 'person' }] });
  ann = await here.mint({ role: 'seat', table: 't1', seat: 0 });
});
afterEach(() => here.close());

const DEEDS = [
  ['acts', { question: 'round-1/day-1/vote', says: ['seat:1'] }],
  ['speech', { room: 'Village', text: 'Hello.' }],
  ['whispers', { to: 1, text: 'Psst.' }],
  ['leave', {}],
  ['return', {}],
] as const;

describe.each(DEEDS)('POST /tables/:table/%s', (deed, body) => {
  it('acts for the seat of the token', async () => {
    expect((await here.post(`/tables/t1/${deed}`, body, ann)).status).toBe(200);
  });

  it('needs the token of a seat at that table', async () => {
    const before = here.heard('table.act').length + here.heard('room.speak').length + here.heard('table.hand').length;
    const nobody = await here.post(`/tables/t1/${deed}`, body);
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="maw"']);
    expect((await here.post(`/tables/t1/${deed}`, body, 'rubbish')).status).toBe(401);
    const others = [
      ADMIN,
      await here.mint({ role: 'join', table: 't1' }),
      await here.mint({ role: 'spectator', table: 't1' }),
      await here.mint({ role: 'seat', table: 't2', seat: 0 }),
    ];
    for (const token of others)
      expect(await here.post(`/tables/t1/${deed}`, body, token)).toMatchObject({ status: 403, body: { reason: 'forbidden' } });
    expect(here.heard('table.act').length + here.heard('room.speak').length + here.heard('table.hand').length).toBe(before);
  });

  it('refuses a seat in the body', async () => {
    expect((await here.post(`/tables/t1/${deed}`, { ...body, seat: 1 }, ann)).body).toMatchObject({
      status: 400,
      errors: [{ field: 'seat' }],
    });
  });

  it('acts once per Idempotency-Key', async () => {
    const ids = async (key: string) => {
      await here.post(`/tables/t1/${deed}`, body, ann, { 'Idempotency-Key': key });
      return [...here.heard('table.act'), ...here.heard('room.speak'), ...here.heard('table.hand')].map(({ id }) => id);
    };
    await ids(KEY);
    expect(new Set(await ids(KEY)).size).toBe(1);
    expect(new Set(await ids(KEY.replace('7', '8'))).size).toBe(2);
  });

  it('passes on the refusal', async () => {
    here.refuse('phase-over', 'the day is over');
    expect((await here.post(`/tables/t1/${deed}`, body, ann)).body).toMatchObject({
      status: 409,
      reason: 'phase-over',
      detail: 'the day is over',
    });
  });
});

describe('acts', () => {
  it('answers the question', async () => {
    expect((await here.post('/tables/t1/acts', { question: 'q', says: ['seat:1', 'seat:2'] }, ann)).body).toMatchObject({ at: 1 });
    expect(here.heard('table.act')[0]).toMatchObject({ subject: 't1', data: { seat: 0, question: 'q', says: ['seat:1', 'seat:2'] } });
  });

  it('takes up to twenty texts, and none from a seat that is ready', async () => {
    expect((await here.post('/tables/t1/acts', { question: 'q', says: [] }, ann)).status).toBe(200);
    for (const says of ['seat:1', [1], Array.from({ length: 21 }, () => 'x')])
      expect((await here.post('/tables/t1/acts', { question: 'q', says }, ann)).status).toBe(400);
  });
});

describe('speech', () => {
  it('goes to the open room of that short or full name', async () => {
    const said = await here.post('/tables/t1/speech', { room: 'Village', text: 'Hello.' }, ann);
    expect(said.body).toEqual({ at: 1, line: expect.any(Number), room: 'round-1/day-1/Village' });
    await here.post('/tables/t1/speech', { room: 'round-1/night-1/Hideout', text: 'Hi.' }, ann);
    expect(here.heard('room.speak').map(({ data }) => [data.room, data.seat, data.text])).toEqual([
      ['round-1/day-1/Village', 0, 'Hello.'],
      ['round-1/night-1/Hideout', 0, 'Hi.'],
    ]);
  });

  it('is refused elsewhere, with the rooms that are open', async () => {
    const nowhere = await here.post('/tables/t1/speech', { room: 'Hideout', text: 'Hi.' }, ann);
    expect(nowhere.body).toMatchObject({ status: 409, reason: 'room-closed', detail: expect.stringContaining('round-1/day-1/Village') });
    expect((await here.post('/tables/t1/speech', { room: 'Whisper-0', text: 'Hi.' }, ann)).status).toBe(409);
    expect(here.heard('room.speak')).toEqual([]);
  });

  it('is answered again on a retry after the room has closed', async () => {
    const say = (key: string) => here.post('/tables/t1/speech', { room: 'Village', text: 'Hello.' }, ann, { 'Idempotency-Key': key });
    const first = await say(KEY);
    table.asked.set(0, []);
    expect(await say(KEY)).toMatchObject({ status: 200, body: first.body });
    expect(await say(`${KEY}-2`)).toMatchObject({
      status: 409,
      body: { reason: 'room-closed', detail: 'this seat may speak in no room now' },
    });
    expect(here.heard('room.speak')).toHaveLength(1);
  });

  it('reaches the chatroom unchanged', async () => {
    const text = '<script>alert(1)</script> \u0007 “ä” 🐺';
    await here.post('/tables/t1/speech', { room: 'Village', text }, ann);
    expect(here.heard('room.speak')[0]!.data.text).toBe(text);
  });
});

describe('whispers', () => {
  it('go to a seat by number or by name', async () => {
    for (const to of [1, '1', 'seat:1', 'Bo', 7, 'nobody of that name']) await here.post('/tables/t1/whispers', { to, text: 'Psst.' }, ann);
    expect(here.heard('table.act').map(({ data }) => [data.question, ...data.says])).toEqual([
      [whisper.id, 'seat:1', 'Psst.'],
      [whisper.id, 'seat:1', 'Psst.'],
      [whisper.id, 'seat:1', 'Psst.'],
      [whisper.id, 'seat:1', 'Psst.'],
      [whisper.id, 'seat:7', 'Psst.'],
      [whisper.id, 'nobody of that name', 'Psst.'], // which the gamemaster refuses
    ]);
  });

  it('are answered again on a retry after the question has closed', async () => {
    const psst = (key: string) => here.post('/tables/t1/whispers', { to: 1, text: 'Psst.' }, ann, { 'Idempotency-Key': key });
    const first = await psst(KEY);
    table.asked.set(0, []);
    expect(await psst(KEY)).toMatchObject({ status: 200, body: first.body });
    expect(await psst(`${KEY}-2`)).toMatchObject({ status: 409, body: { reason: 'phase-over' } });
  });

  it('are refused when no question asks for one', async () => {
    const bo = await here.mint({ role: 'seat', table: 't1', seat: 1 });
    expect((await here.post('/tables/t1/whispers', { to: 0, text: 'Psst.' }, bo)).body).toMatchObject({
      status: 409,
      reason: 'phase-over',
    });
  });
});

describe('leave and return', () => {
  it('hand the seat to a mind and back', async () => {
    expect((await here.raw('POST', '/tables/t1/leave', undefined, { Authorization: `Bearer ${ann}` })).body).toEqual({
      seat: 0,
      holder: 'mind',
    });
    expect((await here.post('/tables/t1/return', {}, ann)).body).toEqual({ seat: 0, holder: 'person' });
    expect(here.heard('table.hand').map(({ data }) => data)).toEqual([
      { seat: 0, to: 'mind' },
      { seat: 0, to: 'person' },
    ]);
  });
});

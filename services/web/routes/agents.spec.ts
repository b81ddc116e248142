import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN, openStream, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
let fox: string;
let table: ReturnType<TestWeb['addTable']>;
const asked = {
  pick: 1,
  until: 1,
  final: true,
  maxChars: 5,
  options: [
    { is: 'seat:1', named: 'Bo' },
    { is: 'seat:2', named: 'Cy' },
  ],
};
const vote = { ...asked, id: 'round-1/vote', verb: 'choose' as const };
const team = { ...asked, id: 'round-1/team', verb: 'choose' as const, pick: 2 };
const talk = { ...asked, id: 'round-1/talk', verb: 'say' as const, options: [], room: 'round-1/Village' };
const terms = { ...talk, id: 'round-1/terms', options: [{ is: 'Over', named: 'Over' }] };
const whisper = { ...asked, id: 'round-1/whisper', verb: 'tell' as const };

beforeEach(async () => {
  here = await startTestWeb();
  table = here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }, { kind: 'person' }] });
  table.summary.agents = [{ seat: 1, agent: 'fox' }];
  fox = (await here.post('/tokens', { role: 'agent', name: 'fox' }, ADMIN)).body.token;
});
afterEach(() => here.close());

describe('the key of a program', () => {
  it('has a name that can be a name at tables', async () => {
    expect((await here.get('/me', fox)).body).toMatchObject({ role: 'agent', name: 'fox' });
    for (const name of ['', 'two words', '-fox', 'x'.repeat(21), 'a/b', '🦊', undefined])
      expect((await here.post('/tokens', { role: 'agent', name }, ADMIN)).status).toBe(400);
    expect((await here.post('/tokens', { role: 'agent', name: 'narrator' }, ADMIN)).body).toMatchObject({ reason: 'bad-name' });
  });

  it('lists the seats that are kept for it, and nobody else may ask', async () => {
    expect((await here.get('/seats', fox)).body).toEqual({ seats: [{ table: 't1', seat: 1, rules: 'maw' }] });
    expect(here.heard('table.list').at(-1)!.data).toMatchObject({ agent: 'fox', isOver: false });
    for (const token of [ADMIN, await here.mint({ role: 'seat', table: 't1', seat: 1 })])
      expect((await here.get('/seats', token)).status).toBe(403);
  });

  it('takes a seat of its own, once, and gets a token for it again after a restart', async () => {
    const joined = (await here.post('/tables/t1/seats', { name: 'x' }, fox)).body;
    expect(joined).toMatchObject({ seat: 1 });
    expect(here.heard('table.join').at(-1)!.data).toEqual({ name: 'fox', seat: 1, agent: 'fox' });
    expect((await here.get('/me', joined.token)).body).toMatchObject({ role: 'seat', table: 't1', seat: 1 });
    for (const body of [{ name: 'x' }, { name: 'x', seat: 1 }])
      expect((await here.post('/tables/t1/seats', body, fox)).body).toMatchObject({ seat: 1, name: joined.name });
    expect(here.heard('table.join')).toHaveLength(1);
    // Limits of requests and streams count by token: a program that comes again and again has one token, not many.
    const others = await Promise.all(Array.from({ length: 5 }, () => here.post('/tables/t1/seats', { name: 'x' }, fox)));
    expect(new Set(others.map(({ body }) => body.id))).toEqual(new Set([joined.id]));
    // Whoever takes it away takes it from the key too.
    await here.delete(`/tokens/${joined.id}`, ADMIN);
    const gone = (await here.post('/tables/t1/seats', { name: 'x' }, fox)).body;
    expect((await here.get('/me', gone.token)).body).toMatchObject({ reason: 'bad-token' });
    fox = (await here.post('/tokens', { role: 'agent', name: 'fox' }, ADMIN)).body.token;
    const { token, id } = (await here.post('/tables/t1/seats', { name: 'x' }, fox)).body;
    expect([(await here.get('/me', token)).body.seat, id === joined.id]).toEqual([1, false]);
    expect((await here.post('/tables/t1/seats', { name: 'x', seat: 0 }, fox)).body).toMatchObject({ reason: 'forbidden' });
    here.addTable('t2', { rules: 'maw', seats: [{ kind: 'person' }] });
    expect((await here.post('/tables/t2/seats', { name: 'x' }, fox)).body).toMatchObject({ reason: 'forbidden' });
  });

  it('permits neither watching nor acting by itself', async () => {
    for (const path of ['/tables/t1/view', '/tables/t1/events', '/tables/t1/tape', '/tokens', '/contests'])
      expect([path, (await here.get(path, fox)).status]).toEqual([path, 403]);
    expect((await here.post('/tables/t1/actions', { question: 'q', answer: 'x' }, fox)).status).toBe(403);
    expect((await here.post('/tables', { rules: 'maw', players: 3 }, fox)).status).toBe(403);
  });
});

describe('POST /tables with programs', () => {
  it('keeps seats for keys, at the pace of machines', async () => {
    const seats = [{ kind: 'agent', agent: 'fox' }, { kind: 'mind' }];
    expect((await here.post('/tables', { rules: 'maw', seats }, ADMIN)).body.seats).toEqual([
      { seat: 0, kind: 'agent' },
      { seat: 1, kind: 'mind' },
    ]);
    const { seats: opened, options } = here.heard('table.open')[0]!.data;
    expect(opened[0]).toMatchObject({ kind: 'person', agent: 'fox' });
    expect(options).toEqual({});
  });

  it('refuses one without a name, and names at other seats', async () => {
    for (const seat of [{ kind: 'agent' }, { kind: 'mind', agent: 'fox' }, { kind: 'person', agent: 'fox' }])
      expect((await here.post('/tables', { rules: 'maw', seats: [seat] }, ADMIN)).body.errors).toMatchObject([{ field: 'seats.0.agent' }]);
  });
});

describe('what a program is asked', () => {
  let seat: string;
  beforeEach(async () => {
    table.asked.set(1, [vote, team, talk, terms, whisper]);
    seat = (await here.post('/tables/t1/seats', { name: 'x' }, fox)).body.token;
  });

  it('says which answers are legal, as JSON schemas, in views and events alike, when that is wanted', async () => {
    const { body } = await here.get('/tables/t1/view?schemas=true', seat);
    const option = { enum: ['seat:1', 'seat:2'] };
    const text = { type: 'string', minLength: 1, maxLength: 5 };
    expect(body.asked.map(({ answer }: { answer: object }) => answer)).toEqual([
      option,
      { type: 'array', items: option, minItems: 2, maxItems: 2, uniqueItems: true },
      text,
      { anyOf: [{ enum: ['Over'] }, text] },
      { type: 'object', properties: { to: option, text }, required: ['to', 'text'], additionalProperties: false },
    ]);
    const stream = await openStream(here.url, '/tables/t1/events?schemas=true', seat);
    await stream.has('asked', 1);
    expect(stream.of('asked')[0]!.data.asked).toEqual(body.asked);
    await stream.cut();
    expect((await here.get('/tables/t1/view', seat)).body.asked[0]).not.toHaveProperty('answer');
  });

  it('is answered by one kind of request, whatever it is', async () => {
    const act = (question: string, answer: unknown) => here.post('/tables/t1/actions', { question, answer }, seat);
    for (const [question, answer] of [
      ['round-1/vote', 'seat:1'],
      ['round-1/team', ['seat:1', 'seat:2']],
      ['round-1/whisper', { to: 'seat:2', text: 'Hm.' }],
      ['round-1/talk', 'Hello'],
    ] as const)
      expect((await act(question, answer)).status).toBe(200);
    expect(here.heard('table.act').map(({ data }) => [data.seat, data.question, data.says])).toEqual([
      [1, 'round-1/vote', ['seat:1']],
      [1, 'round-1/team', ['seat:1', 'seat:2']],
      [1, 'round-1/whisper', ['seat:2', 'Hm.']],
    ]);
    expect(here.heard('room.speak')[0]!.data).toEqual({ seat: 1, room: 'round-1/Village', text: 'Hello' });
  });

  it('answered illegally is refused with what is legal, and speech is counted by the gamemaster too', async () => {
    here.refuse('too-long', '9 characters; at most 5');
    const { status, body } = await here.post('/tables/t1/actions', { question: 'round-1/talk', answer: 'Too long.' }, seat);
    expect([status, body.reason]).toEqual([422, 'too-long']);
    expect(here.heard('table.act')).toHaveLength(0); // the view was refused too: without it nobody knows the question
    expect(body).not.toHaveProperty('legal');
  });

  it('is refused as unreadable when it is no answer at all', async () => {
    for (const answer of [undefined, 1, null, {}, { to: 'seat:1' }, [1], Array.from({ length: 21 }, () => 'x'), 'x'.repeat(8001)])
      expect((await here.post('/tables/t1/actions', { question: 'round-1/vote', answer }, seat)).status).toBe(400);
    expect((await here.post('/tables/t1/actions', { question: 'round-1/vote', answer: [] }, seat)).body.reason).toBe(
      'wrong-number-of-choices',
    );
    expect((await here.post('/tables/t1/actions', { question: 'round-1/vote', answer: 'x'.repeat(70_000) }, seat)).status).toBe(413);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { openStream } from '@maw/web/web.suite.ts';
import { ADMIN, inProcessWeb, type InProcessWeb } from '../equipment/web/in-process-web.ts';
import { httpPerson, type HttpPerson } from '../equipment/web/http-person.ts';

let here: InProcessWeb;
beforeEach(async () => {
  here = await inProcessWeb();
});
afterEach(() => here.close());

/** The days and nights are long: only what the players do moves the game. */
const LONG = { dayMs: 600_000, nightMs: 600_000, pace: 'machines' };
const numbersTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

async function seated(terms: object, names = ['Ann', 'Bo', 'Cy']) {
  const opened = await here.post(
    '/tables',
    { rules: 'maw', players: names.length, people: names.length, options: LONG, lobbyMs: 600_000, pauseMs: 1, ...terms },
    ADMIN,
  );
  expect(opened.status).toBe(201);
  const { table } = opened.body;
  const invitation = (await here.post('/tokens', { role: 'join', table }, ADMIN)).body.token;
  const people: HttpPerson[] = [];
  for (const name of names) {
    const joined = await here.post(`/tables/${table}/seats`, { name }, invitation);
    expect(joined).toMatchObject({ status: 201, body: { name } });
    people.push(await httpPerson(here, table, joined.body));
  }
  return { table: table as string, people, invitation };
}

/** Who a round has made the wolf, as each of them was told by its own brief. */
async function rolesOf(people: readonly HttpPerson[], round: number) {
  await pollUntil(`the roles of round ${round}`, () =>
    people.every((each) => each.sees('dealt').length === round && each.question('vote') && each.brief()),
  );
  const wolf = people.find((each) => each.brief().includes('Your role: Werewolf'))!;
  const villagers = people.filter((each) => each !== wolf);
  expect(villagers.map((each) => each.brief())).toEqual(villagers.map(() => 'Your role: Villager.'));
  return { wolf, villagers: villagers as [HttpPerson, HttpPerson] };
}

describe('three people who use only the HTTP API', () => {
  it('play a whole game; each sees exactly their own events, once, in order', async () => {
    const { table, people, invitation } = await seated({ rounds: 2 });
    expect((await here.post(`/tables/${table}/seats`, { name: 'Dan' }, invitation)).status).toBe(409);
    const audience = await openStream(
      here.url,
      `/tables/${table}/events`,
      (await here.post('/tokens', { role: 'spectator', table }, ADMIN)).body.token,
    );

    // Round 1, day 1: they talk, and two of three execute a villager.
    const { wolf, villagers } = await rolesOf(people, 1);
    const [first, second] = villagers;
    for (const each of people)
      expect(await each.act('speech', { room: 'Village', text: `I am ${each.name}.` })).toMatchObject({
        status: 200,
        body: { room: 'round-1/day-1/Village' },
      });
    await pollUntil('what all three have said', () => people.every((each) => each.sees('answered').length === 3));
    expect(await first.act('speech', { room: 'Hideout', text: 'Is anybody here?' })).toMatchObject({
      status: 409,
      body: { reason: 'room-closed' },
    });
    expect(await first.choose(first.question('vote')!.id, `seat:${first.seat}`)).toMatchObject({
      status: 422,
      body: { reason: 'not-an-option' },
    });
    await first.choose('round-1/day-1/vote', `seat:${second.seat}`);
    await first.comesBack();
    expect((await second.choose('round-1/day-1/vote', `seat:${first.seat}`)).status).toBe(200);
    expect((await wolf.choose('round-1/day-1/vote', `seat:${first.seat}`)).status).toBe(200);

    // Night 1: the wolf is alone in the Hideout, and murders the other one.
    await pollUntil('the night', () => wolf.question('hunt') !== undefined && people.every((each) => each.sees('dusked').length === 1));
    await pollUntil('what the night makes of them', () => first.life() === 'Dead' && second.life() === 'Asleep' && wolf.life() === 'Awake');
    expect(await wolf.act('speech', { room: 'Hideout', text: 'Tonight it is the other one.' })).toMatchObject({
      status: 200,
      body: { room: 'round-1/night-1/Hideout' },
    });
    expect(await first.act('speech', { room: 'round-1/night-1/Hideout', text: 'Boo.' })).toMatchObject({
      status: 403,
      body: { reason: 'not-a-member' },
    });
    expect(await second.choose('round-1/night-1/hunt', `seat:${wolf.seat}`)).toMatchObject({ status: 409, body: { reason: 'phase-over' } });
    expect(await first.choose('round-1/night-1/hunt', `seat:${wolf.seat}`)).toMatchObject({ status: 409, body: { reason: 'dead' } });
    expect((await here.get(`/tables/${table}/rooms/round-1/night-1/Hideout/who`, wolf.token)).body).toMatchObject({
      isOpen: true,
      members: [{ seat: wolf.seat, maySpeak: true }],
    });
    expect((await here.get(`/tables/${table}/rooms/round-1/night-1/Hideout/who`, second.token)).status).toBe(403);
    await second.comesBack();
    expect((await wolf.choose('round-1/night-1/hunt', `seat:${second.seat}`)).status).toBe(200);

    // Round 2: roles are dealt afresh, and the wolf is found on the first day.
    const again = await rolesOf(people, 2);
    await wolf.comesBack();
    for (const each of again.villagers) expect((await each.choose('round-2/day-1/vote', `seat:${again.wolf.seat}`)).status).toBe(200);
    await pollUntil('the end', () => people.every((each) => each.isOver()) && audience.of('over').length === 1);

    for (const each of people) {
      const { seen, seat } = each;
      expect(seen().map(({ id }) => Number(id))).toEqual(numbersTo(seen().length));
      const page = (await here.get(`/tables/${table}/view`, each.token)).body;
      expect(seen().map(({ data }) => data)).toEqual(page.seen);
      expect(page.last).toBe(seen().length);
      // Of the cards a seat knows its own; nobody is its partner at a table of three.
      for (const { roles } of each.sees('dealt') as { roles: string[] }[])
        expect(roles.flatMap((role, of) => (role === 'hidden' ? [] : [of]))).toEqual([seat]);
    }
    for (const each of villagers) expect(JSON.stringify(each.seen())).not.toContain('Tonight it is the other one.');
    expect(JSON.stringify(audience.sent)).not.toContain('Tonight it is the other one.');
    expect(JSON.stringify(wolf.seen())).toContain('Tonight it is the other one.');
    expect(audience.of('seen').map(({ id }) => Number(id))).toEqual(numbersTo(audience.of('seen').length));
    for (const roles of audience.of('seen').flatMap(({ data }) => (data.event.type === 'dealt' ? [data.event.roles] : [])))
      expect(new Set(roles)).toEqual(new Set(['hidden']));

    const { body: summary } = await here.get(`/tables/${table}`, ADMIN);
    expect(summary).toMatchObject({ stage: 'over', round: 2, winners: expect.any(Array) });
    expect(summary.players.map(({ name }: { name: string }) => name)).toEqual(['Ann', 'Bo', 'Cy']);
    const tape = (await here.get(`/tables/${table}/tape`, ADMIN)).text
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(tape.map(({ n }) => n)).toEqual(numbersTo(tape.length));
    expect(tape.filter(({ event }) => event.type === 'scored')).toHaveLength(2);
    expect((await here.get(`/tables/${table}/tape`, ADMIN)).text).toContain('Tonight it is the other one.');
    await audience.cut();
    await Promise.all(people.map((each) => each.leaves()));
    expect(here.dead).toEqual([]);
  }, 600_000);

  it('hand a seat to a mind and take it back, unseen by the others', async () => {
    const { people } = await seated({});
    const [ann, bo] = people as [HttpPerson, HttpPerson, HttpPerson];
    await rolesOf(people, 1);
    expect(await ann.act('leave', {})).toMatchObject({ status: 200, body: { seat: ann.seat, holder: 'mind' } });
    await pollUntil('word that a mind plays', () => ann.sees('handed').length === 1);
    expect(await ann.choose('round-1/day-1/vote', `seat:${bo.seat}`)).toMatchObject({ status: 403, body: { reason: 'forbidden' } });
    expect(await ann.act('return', {})).toMatchObject({ status: 200, body: { holder: 'person' } });
    await pollUntil('word that she is back', () => ann.sees('handed').length === 2);
    expect((await ann.choose('round-1/day-1/vote', `seat:${bo.seat}`)).status).toBe(200);
    await pollUntil('the vote', () => bo.sees('answered').length === 1);
    expect(bo.sees('handed')).toEqual([]);
    await Promise.all(people.map((each) => each.leaves()));
  }, 600_000);

  it('whisper to each other, unheard by the others', async () => {
    const { people } = await seated({ options: { ...LONG, whisper: true } });
    const [ann, bo, cy] = people as [HttpPerson, HttpPerson, HttpPerson];
    await rolesOf(people, 1);
    expect((await ann.act('whispers', { to: 'Bo', text: 'I trust you alone.' })).status).toBe(200);
    await pollUntil('the whisper', () => bo.sees('answered').length === 1 && ann.sees('answered').length === 1);
    await cy.act('speech', { room: 'Village', text: 'Who whispers?' });
    await pollUntil('what Cy says', () => cy.sees('answered').length === 1);
    expect(JSON.stringify(cy.all())).not.toContain('I trust you alone.');
    expect(await ann.act('whispers', { to: ann.seat, text: 'To myself.' })).toMatchObject({
      status: 422,
      body: { reason: 'not-an-option' },
    });
    await Promise.all(people.map((each) => each.leaves()));
  }, 600_000);

  it('speak once per Idempotency-Key, however often it is sent', async () => {
    const { table, people } = await seated({});
    const [ann, bo] = people as [HttpPerson, HttpPerson, HttpPerson];
    await rolesOf(people, 1);
    const say = (text: string) =>
      fetch(`${here.url}/tables/${table}/speech`, {
        method: 'POST',
        headers: {
          'Authorization': `Bearer ${ann.token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': '2f1c7f58-54b0-4b8b-9a2c-3f1d1f8a9b10',
        },
        body: JSON.stringify({ room: 'round-1/day-1/Village', text }),
      }).then(async (response) => [response.status, await response.json()]);
    const [one, two] = [await say('Once.'), await say('Once.')];
    expect(one).toEqual(two);
    await say('Twice.');
    await pollUntil('two lines', () => bo.sees('answered').length === 2);
    expect(bo.seen().flatMap(({ data }) => (data.event.type === 'answered' ? [data.text] : []))).toEqual(['Once.', 'Twice.']);
    await Promise.all(people.map((each) => each.leaves()));
  }, 600_000);

  it('get the reason for an invalid name, option or table', async () => {
    const { table } = (await here.post('/tables', { rules: 'maw', players: 3, people: 3 }, ADMIN)).body;
    for (const name of ['<b>Ann</b>', 'Ann\u0000', 'A\u001bnn', 'Narrator'])
      expect((await here.post(`/tables/${table}/seats`, { name }, ADMIN)).body).toMatchObject({ status: 422, reason: 'bad-name' });
    expect((await here.post('/tables', { rules: 'chess', players: 3 }, ADMIN)).body).toMatchObject({
      status: 404,
      reason: 'unknown-rules',
    });
    expect((await here.post('/tables', { rules: 'maw', players: 3, options: { dayMs: 1, colour: 'red' } }, ADMIN)).body).toMatchObject({
      status: 422,
      reason: 'bad-option',
    });
    expect((await here.get('/tables/nowhere', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-game' });
    expect((await here.get('/rules/maw?players=5&option.seer=true', ADMIN)).body.text).toContain('the Seer');
    expect((await here.get('/rules/maw?option.seer=perhaps', ADMIN)).body).toMatchObject({ status: 422, reason: 'bad-option' });
    expect((await here.get('/tables', ADMIN)).body.tables.map((each: { table: string }) => each.table)).toEqual([table]);
  });
});

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ADMIN, inProcessWeb, type InProcessWeb } from '../equipment/web/in-process-web.ts';

let here: InProcessWeb;
beforeEach(async () => {
  here = await inProcessWeb();
});
afterEach(() => here.close());

const TERMS = {
  rules: 'maw',
  options: { seer: true, dayMs: 600_000, nightMs: 600_000 },
  lobbyMs: 600_000,
  spectators: 'narrator',
  seats: [
    { kind: 'person' },
    { kind: 'mind', recipe: 'rules', name: 'Mo' },
    { kind: 'person' },
    { kind: 'mind', recipe: 'random', name: 'Ny' },
  ],
};

/** A table of two people and two minds that is over. */
async function finished() {
  const { table } = (await here.post('/tables', TERMS, ADMIN)).body as { table: string };
  const people: { seat: number; token: string }[] = [];
  for (const name of ['Ann', 'Bo']) people.push((await here.post(`/tables/${table}/seats`, { name }, ADMIN)).body);
  const [ann, bo] = people as unknown as [{ token: string }, { token: string }];
  const end = () => here.post(`/tables/${table}/abort`, {}, ADMIN);
  return { table, ann: ann.token, bo: bo.token, end };
}
const again = (table: string, body: object = {}, by = ADMIN) => here.post(`/tables/${table}/again`, body, by);
const state = async (table: string, by = ADMIN) => (await here.get(`/tables/${table}/again`, by)).body;
const sit = (table: string, by: string) => here.post(`/tables/${table}/again/seat`, {}, by);
const openingOf = async (table: string) => (await here.get(`/tables/${table}/view?limit=1`, ADMIN)).body.seen[0].event.opening;

it('opens the same game with the same people and minds once, however often and by whomever it is opened', async () => {
  const { table, ann, bo, end } = await finished();
  expect((await again(table)).body).toMatchObject({ reason: 'not-an-option', detail: expect.stringContaining('is not over') });
  await end();
  expect([(await again(table, {}, ann)).status, (await again('nowhere')).status]).toEqual([403, 404]);
  const opened = await Promise.all(Array.from({ length: 4 }, (_, n) => again(table, { isShuffled: n % 2 === 1 })));
  const next = opened[0]!.body.table;
  expect(opened.map(({ body }) => body.table)).toEqual(Array(4).fill(next));
  expect([next === table, (await again(table)).status]).toEqual([false, 200]);
  const [before, after] = [await openingOf(table), await openingOf(next)];
  const { seed, seats, lobbyMs, ...terms } = before;
  const { seed: other, seats: _, lobbyMs: shorter, ...sameTerms } = after;
  expect([sameTerms, other === seed, lobbyMs, shorter]).toEqual([terms, false, 600_000, 120_000]);
  const planOf = ({ name }: { name?: string }) => name;
  expect(after.seats.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))).toEqual([
    { kind: 'person', name: 'Ann' },
    { kind: 'person', name: 'Bo' },
    { ...seats[1], name: 'Mo' },
    { ...seats[3], name: 'Ny' },
  ]);
  // Each comes back to the own seat by the token of the old one, once and for all.
  for (const [token, name] of [
    [ann, 'Ann'],
    [bo, 'Bo'],
  ] as const) {
    const [first, second] = await Promise.all([sit(table, token), sit(table, token)]);
    expect([first.status, second.body.token]).toEqual([200, first.body.token]);
    const me = (await here.get('/me', first.body.token)).body;
    expect(me).toMatchObject({ role: 'seat', table: next, name, seat: after.seats.map(planOf).indexOf(name) });
    expect((await here.get(`/tables/${next}/view?limit=1`, first.body.token)).body.eye).toBe(me.seat);
  }
});

it('keeps the seats unless others are asked for, and leads from table to table', async () => {
  const { table, ann, end } = await finished();
  await end();
  const { table: second } = (await again(table)).body;
  expect((await openingOf(second)).seats.map(({ name }: { name: string }) => name)).toEqual(['Ann', 'Mo', 'Bo', 'Ny']);
  const { token } = (await sit(table, ann)).body;
  await here.post(`/tables/${second}/abort`, {}, ADMIN);
  const { table: third } = (await again(second)).body;
  expect(new Set([table, second, third]).size).toBe(3);
  expect((await sit(second, token)).body).toMatchObject({ next: third, token: expect.any(String) });
});

it('tells everybody at the table who asks for another game, and gives no seat to anybody else', async () => {
  const { table, ann, bo, end } = await finished();
  expect((await sit(table, bo)).status).toBe(422);
  await end();
  expect((await sit(table, bo)).body).toEqual({ asks: ['Bo'] });
  await sit(table, bo);
  expect(await state(table, ann)).toEqual({ asks: ['Bo'] });
  const issue = async (pass: object) => (await here.post('/tokens', pass, ADMIN)).body.token as string;
  const { table: next } = (await again(table)).body;
  expect(await state(table, bo)).toEqual({ asks: ['Bo'], next });
  const strangers = [
    await issue({ role: 'spectator', table }),
    await issue({ role: 'join', table: next }),
    await issue({ role: 'seat', table: next, seat: 0 }),
    ADMIN,
  ];
  for (const token of strangers) expect((await sit(table, token)).status).toBe(403);
  // A mind's seat has no place for a person there.
  expect((await sit(table, await issue({ role: 'seat', table, seat: 1 }))).body.token).toBeUndefined();
  const revoked = await issue({ role: 'seat', table, seat: 0 });
  await here.post(`/tables/${table}/revoke`, {}, ADMIN);
  expect((await sit(table, revoked)).status).toBe(401);
});

it('gives the seat of an invitation to one of two guests who come at the same time', async () => {
  const { table } = (await here.post('/tables', TERMS, ADMIN)).body as { table: string };
  const { code } = (await here.post('/tokens', { role: 'join', table, seat: 2, isLink: true }, ADMIN)).body;
  const guests = await Promise.all(
    ['Cy', 'Di'].map(async (name) => {
      const { token } = (await here.post('/links/open', { code: code.toLowerCase() })).body;
      return here.post(`/tables/${table}/seats`, { name }, token);
    }),
  );
  expect(guests.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(guests.find(({ status }) => status === 409)!.body.reason).toBe('already-seated');
  const late = (await here.post('/links/open', { code })).body;
  expect([late.role, late.seat]).toEqual(['join', 2]);
  expect((await here.post(`/tables/${table}/seats`, { name: 'Ed' }, late.token)).status).toBe(409);
});

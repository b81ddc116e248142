import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { runMaw } from '@maw/cli/command.suite.ts';
import { ADMIN, inProcessWeb, type InProcessWeb } from '../equipment/web/in-process-web.ts';
import { type HttpPerson, httpPerson } from '../equipment/web/http-person.ts';

// What an administrator and a spectator see of a table with nothing but the command line.

const minute = 60_000;
const LONG = { dayMs: 60 * minute, nightMs: 60 * minute, pace: 'machines' };
const SECRET = 'Tonight it is the other one.';

let here: InProcessWeb;
let cwd: string;
let table: string;
let spectator: string;
const maw = (args: readonly string[], { token = ADMIN, at = here.url }: { token?: string | null; at?: string } = {}) =>
  runMaw([...args, '--at', at, ...(token === null ? [] : ['--token', token])], { cwd });
const lines = (text: string): readonly string[] => text.split('\n').filter(Boolean);

/** A game of two days: a villager is executed, the wolf says something in secret, and has won. */
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'maw-commands-'));
  here = await inProcessWeb();
  const names = ['Ann', 'Bo', 'Cy'];
  const terms = { rules: 'maw', players: 3, people: 3, options: LONG, lobbyMs: 60 * minute, pauseMs: 1 };
  ({ table } = (await here.post('/tables', terms, ADMIN)).body);
  const invitation = (await here.post('/tokens', { role: 'join', table }, ADMIN)).body.token;
  spectator = (await here.post('/tokens', { role: 'spectator', table }, ADMIN)).body.token;
  const people: HttpPerson[] = [];
  for (const name of names)
    people.push(await httpPerson(here, table, (await here.post(`/tables/${table}/seats`, { name }, invitation)).body));
  await pollUntil('the first day', () => people.every((each) => each.question('vote') && each.brief()));
  const wolf = people.find((each) => each.brief().includes('Your role: Werewolf'))!;
  const [first, second] = people.filter((each) => each !== wolf);
  for (const each of [first!, wolf]) await each.choose('round-1/day-1/vote', `seat:${second!.seat}`);
  await second!.choose('round-1/day-1/vote', `seat:${wolf.seat}`);
  await pollUntil('the night', () => wolf.question('hunt') !== undefined && wolf.life() === 'Awake');
  expect(await wolf.act('speech', { room: 'Hideout', text: SECRET })).toMatchObject({ status: 200 });
  await wolf.choose('round-1/night-1/hunt', `seat:${first!.seat}`);
  await pollUntil('the end', () => people.every((each) => each.isOver()));
  await Promise.all(people.map((each) => each.leaves()));
}, 10 * minute);
afterAll(async () => {
  await here.close();
  await rm(cwd, { recursive: true, force: true });
});

describe('maw tables', () => {
  it(
    'lists every table in a line, or as JSON for programs',
    async () => {
      const { code, out } = await maw(['tables']);
      expect([code, lines(out).length]).toEqual([0, 1]);
      expect(out).toMatch(new RegExp(`^${table}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  maw  over  Ann`));
      const json = await maw(['tables', '--json']);
      expect(lines(json.out).map((line): unknown => JSON.parse(line))).toMatchObject([{ table, rules: 'maw', stage: 'over', free: 0 }]);
    },
    10 * minute,
  );

  it(
    'explains a refused token and an unreachable system',
    async () => {
      const unknown = await maw(['tables'], { token: null });
      expect([unknown.code, unknown.out]).toEqual([1, '']);
      expect(unknown.err).toMatch(/^maw: .*token/);
      const closed = await maw(['tables'], { at: 'http://127.0.0.1:1' });
      expect([closed.code, closed.out]).toEqual([1, '']);
      expect(closed.err).toMatch(/^maw: .*127\.0\.0\.1:1/);
      const nothing = await runMaw(['tables'], { cwd });
      expect([nothing.code, nothing.out]).toEqual([1, '']);
      expect(nothing.err).toMatch(/^maw: no system runs from .*, and it has no tables; play with \.\/maw play/);
    },
    10 * minute,
  );
});

describe('maw watch', () => {
  it(
    'prints a table to its end, secrets only for eyes that may see them',
    async () => {
      const seen = await maw(['watch', table], { token: spectator });
      const told = await maw(['watch', table, '--as', 'narrator']);
      for (const { code, out } of [seen, told]) {
        expect(code).toBe(0);
        expect(out).toContain('Bo');
      }
      expect([seen.out.includes(SECRET), told.out.includes(SECRET)]).toEqual([false, true]);
      const json = await maw(['watch', table, '--json'], { token: spectator });
      const numbers = lines(json.out).map((line) => (JSON.parse(line) as { n: number }).n);
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
      expect(json.out).not.toContain(SECRET);
    },
    10 * minute,
  );

  it(
    'rejects a view beyond the token, and an unknown table',
    async () => {
      const sly = await maw(['watch', table, '--as', 'narrator'], { token: spectator });
      expect([sly.code, sly.out]).toEqual([1, '']);
      expect(sly.err).toBe(`maw: this token does not permit watching ${table} as narrator\n`);
      const nobody = await maw(['watch', 'nobody']);
      expect([nobody.code, nobody.out]).toEqual([1, '']);
      expect(nobody.err).toBe('maw: there is no table nobody\n');
    },
    10 * minute,
  );
});

describe('maw thoughts', () => {
  it('lists decisions, and shows the steps of one; to administrators only', async () => {
    const decision = { table, seat: 1, decision: `${table}/d`, kind: 'act', name: 'decide' };
    for (let step = 1; step <= 60; step++)
      await here.thoughts.record({ ...decision, step, at: step * 1000, content: { phase: 'day-1', plan: `Plan ${step}.` } });
    await here.thoughts.record({ ...decision, seat: 2, decision: `${table}/e`, step: 1, at: 99_000, content: { plan: 'Wait.' } });
    const list = lines((await maw(['thoughts', table])).out);
    expect(list.slice(0, 3)).toEqual([
      'decision  seat  phase  began     lasted  steps',
      '1         1 Bo  day-1  00:00:01  59.0 s  60',
      '2         2 Cy  -      00:01:39  0.0 s   1',
    ]);
    const json = lines((await maw(['thoughts', table, '--seat', '2', '--json'])).out).map((line): unknown => JSON.parse(line));
    expect(json).toEqual([{ n: 2, seat: 2, decision: `${table}/e`, began: 99_000, ended: 99_000, steps: 1 }]);
    const steps = lines((await maw(['thoughts', table, '--decision', '1'])).out);
    expect(steps[0]).toBe(`Decision 1: Bo (seat 1), day-1; id ${table}/d`);
    expect(steps.filter((line) => line.startsWith('   plan: Plan '))).toHaveLength(60);
    const all = lines((await maw(['thoughts', table, '--decision', 'all', '--json'])).out);
    expect(all.map((line) => JSON.parse(line) as object).at(-1)).toMatchObject({ n: 2, step: 1, content: { plan: 'Wait.' } });
    expect(await maw(['thoughts', table], { token: spectator })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('only an administrator may read the thoughts of'),
    });
    expect((await maw(['thoughts', table, '--decision', '9'])).err).toContain('there is no decision 9 at this table');
  });
});

describe('maw tape', () => {
  it(
    'prints the tape as an eye sees it, an event a line',
    async () => {
      const { code, out } = await maw(['tape', table]);
      const tape = lines(out).map((line) => JSON.parse(line) as { n: number; event: { type: string } });
      expect([code, tape.map(({ n }) => n)]).toEqual([0, Array.from({ length: tape.length }, (_, i) => i + 1)]);
      expect(tape.map(({ event }) => event.type)).toEqual((await here.tapes.read(table)).map(({ event }) => event.type));
      expect(out).toContain(SECRET);
      const seen = await maw(['tape', table, '--as', 'audience'], { token: spectator });
      expect([seen.code, seen.out.includes(SECRET), lines(seen.out).length > 0]).toEqual([0, false, true]);
      const sly = await maw(['tape', table], { token: spectator });
      expect([sly.code, sly.out]).toEqual([1, '']);
    },
    10 * minute,
  );
});

describe('maw pause, resume and abort', () => {
  it('stop a table for everybody, let it go on, and end it; an invitation to a seat works once', async () => {
    const terms = { rules: 'maw', players: 4, people: 2, recipe: 'rules', options: LONG, lobbyMs: 60 * minute };
    const opened = (await here.post('/tables', terms, ADMIN)).body.table as string;
    const { token } = (await here.post('/tokens', { role: 'join', table: opened, seat: 1 }, ADMIN)).body;
    const joinSeat = (name: string) => here.post(`/tables/${opened}/seats`, { name }, token);
    expect((await maw(['pause', opened])).out).toMatch(
      new RegExp(`^${opened} is paused. It goes on with: maw resume ${opened}, or by itself at 2\\d`),
    );
    expect((await joinSeat('Ann')).body).toMatchObject({ status: 409, reason: 'paused' });
    expect((await maw(['tables'])).out).toMatch(new RegExp(`^${opened}  .*  maw  lobby, paused`));
    expect(await maw(['resume', opened])).toMatchObject({ code: 0, out: `${opened} goes on.\n` });
    expect((await joinSeat('Ann')).body).toMatchObject({ seat: 1, name: 'Ann' });
    expect((await joinSeat('Bo')).body).toMatchObject({ status: 409, reason: 'already-seated', detail: 'seat 1 is Ann' });
    expect((await here.post(`/tables/${opened}/seats/2/mind`, { recipe: 'nobody' }, ADMIN)).body).toMatchObject({ reason: 'bad-option' });
    expect((await here.post(`/tables/${opened}/seats/2/mind`, { recipe: 'random' }, ADMIN)).body).toEqual({ seat: 2 });
    expect(await maw(['abort', opened, '--why', 'Enough.'])).toMatchObject({ code: 0 });
    expect((await maw(['watch', opened, '--as', 'audience'])).out).toContain('The table was aborted and does not count: Enough.');
    expect((await maw(['tables'])).out).toContain('  maw  over, aborted');
    expect(await maw(['pause', opened])).toMatchObject({ code: 1, err: 'maw: the table is over\n' });
  });
});

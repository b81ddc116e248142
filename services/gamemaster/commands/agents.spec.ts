import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
});
afterEach(() => here.close());

const FOX = { kind: 'person' as const, agent: 'fox' };
const OWL = { kind: 'person' as const, agent: 'owl' };
const PERSON = { kind: 'person' as const };
type Seats = readonly ((typeof FOX | typeof PERSON) & { readonly isOutside?: true; readonly name?: string })[];
const HOUR = { talkMs: 3_600_000, voteMs: 3_600_000, turnMs: 3_600_000, stepMs: 3_600_000 };

const open = (seats: Seats, terms: object = {}) =>
  at.get('table.open', { rules: 'onuw', seed: 'seed', seats: [...seats], options: HOUR, ...terms });
const join = (name: string, seat: number | undefined, agent?: string) =>
  at.ask('table.join', { name, ...(seat === undefined ? {} : { seat }), ...(agent === undefined ? {} : { agent }) });
const nameOf = async (seat: number) => (await here.standing()).game.names[seat];

describe('the seat of a program', () => {
  it('is taken with the key of its name alone, and that key takes no other seat', async () => {
    await open([FOX, OWL, PERSON]);
    expect((await at.get('table.view', { eye: 'audience' })).summary.free).toBe(1);
    for (const [seat, agent] of [
      [0, 'owl'],
      [2, 'fox'],
      [0, undefined],
      [undefined, 'fox'],
      [9, 'fox'],
    ] as const)
      expect([seat, agent, reasonOf(await join('Ann', seat, agent))]).toEqual([seat, agent, 'already-seated']);
    expect(await join('anything', 0, 'fox')).toMatchObject({ data: { seat: 0, name: 'fox' } });
    expect(await join('Ann', undefined)).toMatchObject({ data: { seat: 2 } });
    expect(reasonOf(await join('Bob', undefined))).toBe('table-full');
  });

  it('has the name of its key, with a number where that is taken, or the name that the table gives it', async () => {
    await open([FOX, FOX, { ...FOX, name: 'Player 3' }]);
    for (const seat of [0, 1, 2]) await join('', seat, 'fox');
    expect([await nameOf(0), await nameOf(1), await nameOf(2)]).toEqual(['fox', 'fox 2', 'Player 3']);
  });

  it('is told in a list for its own key, and nowhere else', async () => {
    await open([FOX, OWL, PERSON]);
    const list = async (more: object) => (await at.get('table.list', more)).tables.map(({ agents }) => agents);
    expect(await list({ agent: 'fox' })).toEqual([[{ seat: 0, agent: 'fox' }]]);
    expect(await list({ agent: 'hen' })).toEqual([]);
    expect(await list({})).toEqual([undefined]);
    expect((await at.get('table.view', { eye: 'audience' })).summary).not.toHaveProperty('agents');
    await join('', 0, 'fox');
    await join('', 1, 'owl');
    await join('Ann', 2);
    for (const eye of ['audience', 2] as const) expect(JSON.stringify((await at.get('table.view', { eye })).seen)).not.toContain('"agent"');
  });

  it('is played by a mind once the Lobby is over, but in a contest the table ends', async () => {
    await open([FOX, PERSON, PERSON]);
    await here.wait(at);
    expect((await here.standing()).game.holders[0]).toBe('mind');
    await at.get('table.open', { rules: 'onuw', seats: [{ ...FOX, isOutside: true }, OWL, PERSON], options: HOUR }, { table: 't2' });
    await here.wait(at, 't2');
    expect((await at.get('table.view', { eye: 'audience' }, { table: 't2' })).summary).toMatchObject({ stage: 'over', isAborted: true });
    expect(JSON.stringify(await at.get('table.view', { eye: 'audience' }, { table: 't2' }))).not.toContain('fox');
  });

  it('is not handed to a mind in a contest', async () => {
    await open([{ ...FOX, isOutside: true }, OWL, PERSON]);
    await join('', 0, 'fox');
    await join('', 1, 'owl');
    const hand = async (seat: number) => reasonOf(await at.ask('table.hand', { seat, to: 'mind' }));
    expect([await hand(0), await hand(1)]).toEqual(['forbidden', undefined]);
  });

  it('keeps its key when a mind is assigned for later', async () => {
    await open([FOX, OWL, PERSON]);
    await at.get('table.assign', { seat: 0, recipe: 'rules' });
    expect(await join('', 0, 'fox')).toMatchObject({ performative: 'agree' });
  });
});

describe('an answer of a program that is not legal', () => {
  let team: Awaited<ReturnType<Rig['standing']>>['open'][number];
  const act = async (...says: string[]) => reasonOf(await at.ask('table.act', { seat: team.of[0]!, question: team.id, says }));
  const isOpen = async () => (await here.standing()).open.some(({ id }) => id === team.id);
  const begin = async (seats: Seats, joins: (seat: number) => Promise<unknown>) => {
    await open([], { rules: 'avalon', seats, options: { turnMs: 1_000, teamMs: 3_600_000 } });
    for (const seat of seats.keys()) await joins(seat);
    const found = async () => (await here.standing()).open.find(({ id }) => id.endsWith('/team'));
    while (!(await found())) await here.wait(at);
    team = (await found())!;
  };

  it('is refused once, and with the second one the question counts as unanswered, at once', async () => {
    await begin([FOX, FOX, FOX, FOX, FOX], (seat) => join('', seat, 'fox'));
    expect([await act('seat:0'), await isOpen()]).toEqual(['wrong-number-of-choices', true]);
    expect([await act('seat:0', 'seat:99'), await isOpen()]).toEqual(['not-an-option', false]);
    expect(here.clock.now).toBeLessThan(team.until);
    expect(await act('seat:0', 'seat:1')).toBe('already-answered');
    expect(await here.count('refused')).toBe(3);
  });

  it('is followed by a legal one that counts', async () => {
    await begin([FOX, FOX, FOX, FOX, FOX], (seat) => join('', seat, 'fox'));
    expect([await act('seat:0'), await act('seat:0', 'seat:1')]).toEqual(['wrong-number-of-choices', undefined]);
    expect((await here.tapeOf()).some(({ event }) => event.type === 'answered' && event['question'] === team.id)).toBe(true);
  });

  it('is taken from people as often as they like', async () => {
    await begin([PERSON, PERSON, PERSON, PERSON, PERSON], (seat) => join(`P${seat}`, seat));
    for (let n = 0; n < 3; n++) expect([await act('seat:0'), await isOpen()]).toEqual(['wrong-number-of-choices', true]);
    expect(await act('seat:0', 'seat:1')).toBeUndefined();
  });

  it('leaves a choice that stands, and ends further ones, where nobody waits for an answer', async () => {
    await open([], { rules: 'maw', seats: [FOX, FOX, FOX], options: { dayMs: 600_000, nightMs: 600_000 } });
    for (const seat of [0, 1, 2]) await join('', seat, 'fox');
    team = (await here.standing()).open.find(({ id }) => id.endsWith('/vote'))!;
    expect(await act('seat:1')).toBeUndefined();
    expect([await act('seat:9'), await act('nobody'), await act('seat:2')]).toEqual(['not-an-option', 'not-an-option', 'already-answered']);
    expect((await here.standing()).open.find(({ id }) => id === team.id)!.answers).toEqual([{ by: team.of[0], says: ['seat:1'] }]);
  });
});

it('the leaderboard has a row for each key', async () => {
  const seats = [FOX, FOX, OWL, OWL, PERSON];
  await open([], { rules: 'avalon', seats, options: {} });
  for (const [seat, { agent }] of seats.slice(0, 4).map((plan, i) => [i, plan as typeof FOX] as const)) await join('', seat, agent);
  await join('Ann', 4);
  for (let n = 0; n < 500 && !(await here.standing()).game.closed; n++) await here.wait(at);
  const { rows } = await at.get('table.leaderboard', {});
  expect(new Set(rows.map(({ kind, agent, games }) => `${kind} ${agent} ${games}`))).toEqual(
    new Set(['agent fox 2', 'agent owl 2', 'person undefined 1']),
  );
});

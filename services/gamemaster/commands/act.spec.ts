import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
  await here.seated(at, { options: { dayMs: 600_000, nightMs: 600_000 } });
});
afterEach(() => here.close());

const voteBy = (seat: number, forSeat: number) => ({ seat, question: 'round-1/day-1/vote', says: [`seat:${forSeat}`] });

describe('a choice', () => {
  it('is refused when repeated, without a line', async () => {
    await at.get('table.act', voteBy(0, 1));
    const lines = () => at.of('room.said').length;
    const before = lines();
    expect(reasonOf(await at.ask('table.act', voteBy(0, 1)))).toBe('already-answered');
    expect(lines()).toBe(before);
    await at.get('table.act', voteBy(0, 2));
    await at.get('table.act', voteBy(0, 1));
    expect(await here.count('answered')).toBe(3);
  });

  it('is not restored by a redelivery after it was changed', async () => {
    await at.get('table.act', voteBy(0, 1));
    await at.ask('table.act', voteBy(0, 1), { id: 'again' });
    await at.get('table.act', voteBy(0, 2));
    expect(reasonOf(await at.ask('table.act', voteBy(0, 1), { id: 'again' }))).toBe('already-answered');
    expect((await here.standing()).open.find(({ id }) => id === 'round-1/day-1/vote')!.answers).toEqual([{ by: 0, says: ['seat:2'] }]);
  });

  it('is accepted by a replica that has not read the newer one', async () => {
    const other = await here.replica();
    await other.get('table.act', voteBy(0, 1));
    await at.get('table.act', voteBy(0, 2));
    await other.get('table.act', voteBy(0, 1));
    expect((await here.standing()).open.find(({ id }) => id === 'round-1/day-1/vote')!.answers).toEqual([{ by: 0, says: ['seat:1'] }]);
  });
});

describe('a choice that is changed repeatedly', () => {
  const change = async (n: number) => reasonOf(await at.ask('table.act', voteBy(0, 1 + (n % 2))));

  it('is limited to ten changes in ten seconds', async () => {
    const other = await here.replica();
    for (let n = 0; n < 10; n++) {
      expect(await change(n)).toBeUndefined();
      here.clock.now += 100;
    }
    const tape = await here.tapeOf();
    expect(await change(10)).toBe('too-fast');
    expect(reasonOf(await other.ask('table.act', voteBy(0, 1)))).toBe('too-fast');
    expect(reasonOf(await at.ask('table.act', voteBy(0, 2)))).toBe('already-answered');
    expect((await here.tapeOf()).filter(({ event }) => event.type === 'answered')).toHaveLength(
      tape.filter(({ event }) => event.type === 'answered').length,
    );
    expect(reasonOf(await at.ask('table.act', voteBy(1, 2)))).toBeUndefined();
    here.clock.now += 8_999; // the first was 9999 ms ago
    expect(await change(10)).toBe('too-fast');
    here.clock.now += 1;
    expect(await change(10)).toBeUndefined();
    expect(await change(11)).toBe('too-fast');
    expect((await here.tapeOf()).at(-1)?.event).toMatchObject({ type: 'refused', seat: 0, reason: 'too-fast' });
  });
});

it('takes no answer for one from servers of outside agents only, once', async () => {
  const table = 't2';
  const seats = [0, 1, 2, 3, 4].map(() => ({ kind: 'person' as const }));
  const options = { preset: 'nlp-2026', hurry: true, utterances: 0, talkOnFirstDay: false, firstWhispers: 1 };
  await at.get('table.open', { rules: 'aiwolf', seed: 'seed', seats, options }, { table });
  for (const seat of seats.keys()) await at.get('table.join', { name: `P${seat}`, seat }, { table });
  const { game, open } = await here.standing(table);
  const seat = (game.game as { readonly roles: readonly string[] }).roles.indexOf('seer');
  const nothing = { seat, question: open[0]!.id, says: [] };
  expect(nothing.question).toBe('round-1/night-0/divine');
  expect(reasonOf(await at.ask('table.act', nothing, { table }))).toBe('nothing-said');
  for (let n = 0; n < 2; n++)
    expect(await at.get('table.act', nothing, { table, source: 'aiwolf', id: 'p' })).toEqual({ at: here.clock.now });
  expect(await here.count('passed', table)).toBe(1);
  expect((await here.standing(table)).open.map(({ id }) => id)).toEqual(['round-1/day-1/vote']);
});

describe('a refusal', () => {
  it('is recorded for its seat up to a limit; each is answered and counted', async () => {
    const counted = () => metricValue(metrics.refusals, { service: 'gamemaster', reason: 'not-an-option' });
    const before = await counted();
    const replies = await Promise.all(Array.from({ length: 50 }, () => at.ask('table.act', voteBy(0, 0))));
    expect(new Set(replies.map(reasonOf))).toEqual(new Set(['not-an-option']));
    expect(await counted()).toBe(before + 50);
    expect(await here.count('refused')).toBe(20);
    await at.ask('table.act', voteBy(1, 1));
    expect(await here.count('refused')).toBe(21);
    expect(reasonOf(await at.ask('table.act', voteBy(0, 1)))).toBeUndefined();
    expect(at.dead).toEqual([]);
  });

  it('is recorded again after a new question the seat knows of, not after a secret one', async () => {
    const [wolf, villager] = [(await here.who('wolf'))[0]!, (await here.who('villager'))[0]!];
    const flood = async () => {
      for (const seat of [wolf, villager])
        for (let n = 0; n < 30; n++) await at.ask('table.act', { ...voteBy(seat, seat), question: 'round-1/day-1/nowhere' });
      const refused = (await here.tapeOf()).flatMap(({ event }) => (event.type === 'refused' ? [event['seat']] : []));
      return [wolf, villager].map((seat) => refused.filter((one) => one === seat).length);
    };
    expect(await flood()).toEqual([20, 20]);
    await here.wait(at); // the night, of which the wolves alone are asked
    expect(await flood()).toEqual([40, 20]);
    await here.wait(at);
    expect(await flood()).toEqual([60, 40]);
  });
});

describe('a late command', () => {
  const late = () => ({ id: 'late', replyBy: here.clock.now - 1 });

  it('is not started', async () => {
    const tape = await here.tapeOf();
    await at.tell('table.act', voteBy(0, 1), late());
    await at.get('table.view', { eye: 0 });
    expect(await here.tapeOf()).toEqual(tape);
  });

  it('is finished by any replica when it was appended in time', async () => {
    const other = await here.replica();
    await other.get('table.view', { eye: 0 });
    const before = at.said.length;
    await at.get('table.act', voteBy(0, 1), { id: 'late' });
    const said = at.said.slice(before);
    await other.tell('table.act', voteBy(0, 1), late());
    await other.get('table.view', { eye: 0 });
    expect(other.said).toEqual(said);
    expect(said.map(({ type }) => type)).toEqual(['room.said']);
  });
});

describe('an act with an objection', () => {
  const say = { seat: 0, question: 'round-1/day-1/talk', says: ['hello'] };

  it('is refused and not recorded', async () => {
    const tape = await here.tapeOf();
    expect(reasonOf(await at.ask('table.act', { ...say, objection: 'room-closed' }))).toBe('room-closed');
    expect(await here.tapeOf()).toEqual(tape);
  });

  it('is answered as before when it is on the tape already', async () => {
    const other = await here.replica();
    await other.get('table.view', { eye: 0 });
    const first = await at.ask('table.act', say, { id: 'same' });
    expect(first.performative).toBe('agree');
    expect(await other.ask('table.act', { ...say, objection: 'room-closed' }, { id: 'same' })).toEqual(first);
    expect(await here.count('answered')).toBe(1);
  });
});

describe('the id of another message', () => {
  const failed = { performative: 'failure', data: { reason: 'failed' } };

  it('reveals nothing of that message and changes nothing', async () => {
    await at.ask('table.act', voteBy(0, 1), { id: 'vote-of-0' });
    expect(reasonOf(await at.ask('table.act', voteBy(2, 2), { id: 'refused-to-2' }))).toBe('not-an-option');
    const tape = await here.tapeOf();
    expect(await at.ask('table.act', voteBy(3, 1), { id: 'vote-of-0' })).toEqual(failed);
    expect(await at.ask('table.act', voteBy(3, 1), { id: 'refused-to-2' })).toEqual(failed);
    expect(await at.ask('table.join', { name: 'Zoe' }, { id: 'vote-of-0' })).toEqual(failed);
    expect(await here.tapeOf()).toEqual(tape);
    expect(reasonOf(await at.ask('table.act', voteBy(2, 2), { id: 'refused-to-2' }))).toBe('not-an-option');
    expect((await at.ask('table.act', voteBy(0, 1), { id: 'vote-of-0' })).performative).toBe('agree');
  });
});

describe('a person who is ready', () => {
  const question = 'round-1/day-1/vote';
  const isReady = (seat: number) => ({ seat, question, says: [] });
  const options = { dayMs: 600_000, graceSeconds: 20, shortestDaySeconds: 90 };
  const table = 'grace';
  beforeEach(() => here.seated(at, { table, minds: [3, 4, 5], options }));
  const until = async () => (await here.standing(table)).open.find(({ id }) => id === question)!.until;
  const vote = (seat: number) => at.get('table.act', voteBy(seat, (seat + 1) % 6), { table, source: seat > 2 ? 'player' : 'web' });

  it('lets the day go on to its countdown with the others, minds that have voted among them', async () => {
    for (const mind of [3, 4, 5]) await vote(mind);
    await at.get('table.act', isReady(0), { table });
    await at.get('table.act', isReady(1), { table });
    const end = await until();
    here.clock.now += 100_000;
    await at.get('table.act', isReady(2), { table });
    expect([end - (await until()), (await until()) - here.clock.now]).toEqual([480_000, 20_000]);
    expect(at.of('room.said').at(-1)!.data).toMatchObject({
      text: expect.stringMatching(/^Everybody is ready\. The vote ends in 20 seconds/),
    });
    expect(await here.count('ready', table)).toBe(3);
  });

  it('gets the same answer again, from a replica that has come since, too', async () => {
    const first = await at.get('table.act', isReady(0), { table, id: 'once' });
    const other = await here.replica();
    here.clock.now += 1_000;
    expect(await other.get('table.act', isReady(0), { table, id: 'once' })).toEqual(first);
    expect(reasonOf(await other.ask('table.act', isReady(0), { table }))).toBe('already-answered');
    expect(await here.count('ready', table)).toBe(1);
  });

  it('is waited for, and not once a mind plays a seat that has voted', async () => {
    for (const seat of [2, 3, 4, 5]) await vote(seat);
    await at.get('table.act', isReady(0), { table });
    await at.get('table.act', isReady(1), { table });
    expect(await here.count('hastened', table)).toBe(0);
    await at.get('table.hand', { seat: 2, to: 'mind' }, { table });
    expect(await here.count('hastened', table)).toBe(1);
  });

  it('is nobody but a person', async () => {
    expect(reasonOf(await at.ask('table.act', isReady(3), { table, source: 'player' }))).toBe('nothing-said');
    expect(await here.count('ready', table)).toBe(0);
  });

  it('is told to nobody else', async () => {
    await at.get('table.act', isReady(0), { table });
    const seen = async (eye: number | 'audience') =>
      (await at.get('table.view', { eye, limit: 1_000 }, { table })).seen.filter(({ event }) => event.type === 'ready').length;
    expect([await seen(0), await seen(1), await seen('audience')]).toEqual([1, 0, 0]);
  });
});

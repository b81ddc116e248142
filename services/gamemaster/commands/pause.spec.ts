import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_PAUSE_MS } from '@maw/games/kernel/pause.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig, START } from '../rig.suite.ts';
import { verifyTable } from '../verification/verify-table.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
});
afterEach(() => here.close());

const DAY_MS = 600_000;
const OPTIONS = { dayMs: DAY_MS, nightMs: DAY_MS };
const vote = { seat: 0, question: 'round-1/day-1/vote', says: ['seat:1'] };
const clockOf = async (eye: Eye, of = at) => (await of.get('table.view', { eye })).clock;
const verify = async () => verifyTable((await here.store.maintenance.readTable('t1'))!, { now: here.clock.now, lagMs: here.clock.now });

async function tick(of = at): Promise<void> {
  await of.tell('table.tick', { alarm: here.clock.now }, { source: 'gamemaster' });
  await of.get('table.view', { eye: 'audience' });
}

describe('a pause', () => {
  it('takes no act, survives a restart, and moves every deadline by its length', async () => {
    await here.seated(at, { options: OPTIONS, minds: [5] });
    here.clock.now += 100_000;
    const pausedSince = here.clock.now;
    expect(await at.get('table.pause', {})).toEqual({ pausedSince, until: pausedSince + MAX_PAUSE_MS });
    expect(await at.get('table.pause', {})).toEqual({ pausedSince, until: pausedSince + MAX_PAUSE_MS });
    expect(reasonOf(await at.ask('table.act', vote, { id: 'vote' }))).toBe('paused');
    await at.close();
    const restarted = await here.replica();
    here.clock.now += 7 * DAY_MS;
    await tick(restarted);
    expect([await here.count('dusked'), await here.count('refused'), await here.count('paused')]).toEqual([0, 0, 1]);
    const clock = { phase: 'round-1/day-1', until: START + DAY_MS, pausedSince };
    for (const eye of [0, 5, 'audience', 'narrator'] as const)
      expect(await clockOf(eye, restarted)).toEqual({ now: here.clock.now, ...clock });
    expect(restarted.of('seat.decide')).toEqual([]);
    await restarted.get('table.resume', {});
    const until = START + 8 * DAY_MS;
    expect(await clockOf('audience', restarted)).toEqual({ now: here.clock.now, phase: clock.phase, until });
    expect(await here.store.tapes.due(until, 10)).toEqual([{ table: 't1', alarm: until }]);
    expect(restarted.of('seat.decide').map(({ data }) => [data.seat, data.until])).toEqual([[5, until]]);
    expect(restarted.of('room.open').map(({ data }) => data.until)).toContain(until);
    await restarted.get('table.act', vote, { id: 'vote' }); // the same message as before
    expect(await here.count('asked')).toBe(3); // the Lobby, the vote and the talk, each once
    expect(await verify()).toEqual([]);
  });

  it('is answered alike when the same request comes again after the table went on', async () => {
    await here.seated(at, { options: OPTIONS });
    const answer = await at.get('table.pause', {}, { id: 'pause' });
    here.clock.now += 1_000;
    await at.get('table.resume', {});
    expect(await at.get('table.pause', {}, { id: 'pause' })).toEqual(answer);
    expect(await here.count('paused')).toBe(1);
  });

  it.each([0, 3 * DAY_MS])('ends by itself after a day; when that is noticed %i ms late, no time is lost', async (lateMs) => {
    await here.seated(at, { options: OPTIONS });
    await at.get('table.pause', {});
    here.clock.now += MAX_PAUSE_MS - 1;
    await tick();
    expect(await here.count('resumed')).toBe(0);
    here.clock.now += 1 + lateMs;
    await here.wait(at);
    expect(await clockOf('audience')).toEqual({ now: here.clock.now, phase: 'round-1/day-1', until: here.clock.now + DAY_MS });
  });

  it('counts an outage before it, and none within it', async () => {
    at = await here.replica({ heartbeat: here.store.heartbeat, tapes: { ...here.store.tapes, due: async () => [] } });
    await here.seated(at, { options: OPTIONS });
    here.clock.now += 60_000;
    await at.get('table.pause', {});
    here.clock.now += 300_000;
    await tick();
    await at.get('table.resume', {});
    await tick();
    const events = (await here.tapeOf()).map(({ event }) => event);
    expect(events.filter(({ type }) => ['delayed', 'paused', 'resumed'].includes(type))).toMatchObject([
      { type: 'delayed', ms: 65_000 },
      { type: 'paused' },
      { type: 'resumed', ms: 300_000 },
    ]);
  });

  it('of a night extends what nobody sees, too', async () => {
    await here.seated(at, { options: OPTIONS });
    await here.choose(at, 'vote', (await here.who('villager'))[0]!, [0, 1, 2, 3, 4, 5]);
    await at.get('table.pause', {});
    here.clock.now += 1_000;
    await at.get('table.resume', {});
    expect(await clockOf('audience')).toEqual({ now: START + 1_000, phase: 'round-1/night-1', until: START + DAY_MS + 1_000 });
    expect((await here.standing()).open.map(({ until }) => until)).toEqual([START + DAY_MS + 1_000, START + DAY_MS + 1_000]);
  });

  it('of the Lobby lets nobody join; minds are invited again when it ends', async () => {
    await at.get('table.open', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }, { kind: 'mind' }] });
    await at.get('table.pause', {});
    expect(reasonOf(await at.ask('table.join', { name: 'Ann' }))).toBe('paused');
    expect(reasonOf(await at.ask('table.join', { name: 'Bo', seat: 2 }, { source: 'player' }))).toBe('paused');
    here.clock.now += 5_000;
    await at.get('table.resume', {});
    expect(at.of('seat.invited').map(({ data }) => data.until)).toEqual([START + 600_000, START + 605_000]);
    await at.get('table.join', { name: 'Ann' });
  });

  it('asks a mind that took over meanwhile when it ends, and nobody before', async () => {
    await here.seated(at, { options: OPTIONS });
    await at.get('table.pause', {});
    await at.get('table.hand', { seat: 1, to: 'mind' });
    expect(at.of('seat.decide')).toEqual([]);
    await at.get('table.resume', {});
    await at.get('table.resume', {});
    expect(at.of('seat.decide').map(({ data }) => data.seat)).toEqual([1]);
    expect(
      at
        .of('table.moved')
        .map(({ data }) => data.isPaused ?? false)
        .slice(-3),
    ).toEqual([true, true, false]);
  });
});

describe('a table that is aborted', () => {
  it('is over for everybody, without winners and points, paused or not', async () => {
    await here.seated(at, { options: OPTIONS, players: 3, rounds: 2 });
    const [wolf] = await here.who('wolf');
    await here.choose(at, 'vote', wolf!, [0, 1, 2]);
    await here.wait(at); // the second round
    await at.get('table.pause', {});
    await at.get('table.abort', { why: 'The model is gone.' }, { id: 'abort' });
    await at.get('table.abort', { why: 'The model is gone.' }, { id: 'abort' });
    const { summary, seen, clock } = await at.get('table.view', { eye: 'audience' });
    expect(summary).toMatchObject({ stage: 'over', isAborted: true, winners: [], players: [{ points: 0 }, { points: 0 }, { points: 0 }] });
    expect(summary.pausedSince).toBeUndefined();
    expect(clock).toEqual({ now: here.clock.now });
    expect(seen.map(({ text }) => text)).toContain('The table was aborted and does not count: The model is gone.');
    expect(await here.store.tapes.result('t1')).toMatchObject({ winner: 'aborted', winners: [], points: [0, 0, 0] });
    expect((await here.standing()).open).toEqual([]);
    expect(at.of('room.close').map(({ data }) => data.room)).toContain('round-2/day-1/Village');
    for (const [name, data] of [
      ['table.pause', {}],
      ['table.resume', {}],
      ['table.abort', {}],
      ['table.assign', { seat: 0, model: 'm' }],
      ['table.act', { ...vote, question: 'round-2/day-1/vote' }],
    ] as const)
      expect([name, reasonOf(await at.ask(name, data))]).toEqual([name, 'phase-over']);
    expect(await verify()).toEqual([]);
  });
});

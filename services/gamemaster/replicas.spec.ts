import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryHub } from '@maw/bus/memory/memory-bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { Conflict, type Tapes } from '@maw/store/ports/tapes.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { reasonOf, rendezvous, type Rig, rig } from './rig.suite.ts';

let here: Rig;
beforeEach(() => {
  here = rig();
});
afterEach(() => here.close());

const LONG = { dayMs: 600_000, nightMs: 600_000 };
const vote = 'round-1/day-1/vote';
const voteBy = (seat: number, forSeat: number) => ({ seat, question: vote, says: [`seat:${forSeat}`] });
const conflicts = () => metricValue(metrics.conflicts, { service: 'gamemaster' });

/** The same tapes; `before` is waited for at each append. */
const appending = (before: (...given: Parameters<Tapes['append']>) => Promise<void>): Tapes => ({
  ...here.store.tapes,
  append: async (...given) => {
    await before(...given);
    return here.store.tapes.append(...given);
  },
});
const byId = (said: readonly Message[]) => new Map(said.map((message) => [message.id, message]));

describe('two replicas at one table', () => {
  it('write every concurrent act once', async () => {
    const hub = memoryHub();
    // Both always hold what they have read for a while, so that they do get into each other’s way.
    const tapes = appending(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))));
    const [at] = [await here.replica({ hub, tapes }), await here.replica({ hub, tapes })];
    await here.seated(at, { players: 12, options: LONG });
    const before = await conflicts();
    const lines = Array.from({ length: 60 }, (_, n) => ({ seat: n % 12, question: 'round-1/day-1/talk', says: [`line ${n}`] }));
    const replies = await Promise.all(lines.map((line, n) => at.get('table.act', line, { id: `line ${n}` })));

    const spoken = (await here.tapeOf()).filter(({ event }) => event.type === 'answered');
    expect(spoken.map(({ cause }) => cause).toSorted()).toEqual(lines.map((_, n) => `line ${n}`).toSorted());
    expect(replies.map(({ line }) => line).toSorted((a, b) => a! - b!)).toEqual(replies.map((_, i) => i + 2)); // line 1: day 1 begins
    expect(await conflicts()).toBeGreaterThan(before);
    expect(hub.dead).toEqual([]);
  });

  it('conflict once, not at each act, where acts come in turn', async () => {
    const hub = memoryHub(); // gives each of them every other message
    const [at] = [await here.replica({ hub }), await here.replica({ hub })];
    await here.seated(at, { options: LONG });
    const before = await conflicts();
    const appended = (await here.tapeOf()).length;
    for (let n = 0; n < 24; n++) await at.get('table.act', { seat: n % 6, question: 'round-1/day-1/talk', says: [`line ${n}`] });
    expect((await here.tapeOf()).length).toBe(appended + 24);
    expect((await conflicts()) - before).toBeLessThanOrEqual(1); // the first time that either learns of the other
  });

  it('conflict once, not at each act, where acts come at once', async () => {
    const hub = memoryHub();
    // An append takes longer by the clock of the tables than all the other one's really take, so that whoever loses waits until these are written.
    const tapes = appending(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      here.clock.now += 250;
    });
    const [at] = [await here.replica({ hub, tapes }), await here.replica({ hub, tapes })];
    await here.seated(at, { options: LONG });
    const before = await conflicts();
    const lines = Array.from({ length: 24 }, (_, n) => ({ seat: n % 6, question: 'round-1/day-1/talk', says: [`line ${n}`] }));
    await Promise.all(lines.map((line) => at.get('table.act', line)));
    expect((await here.tapeOf()).filter(({ event }) => event.type === 'answered')).toHaveLength(24);
    expect((await conflicts()) - before).toBeLessThanOrEqual(2);
  });

  it('append one message once and give the same answer', async () => {
    const meet = rendezvous(2);
    const before = await conflicts();
    const [one, two] = [await here.replica(), await here.replica()];
    await here.seated(one, { minds: [0, 1, 2, 3, 4, 5], options: LONG });
    const replicas = [await here.replica({ tapes: appending(meet) }), await here.replica({ tapes: appending(meet) })];
    const answers = await Promise.all(replicas.map((at) => at.ask('table.act', voteBy(0, 1), { id: 'same', source: 'player' })));
    expect(answers[0]!.performative).toBe('agree');
    expect(answers[1]!.data).toEqual(answers[0]!.data);
    expect((await here.tapeOf()).filter(({ cause }) => cause === 'same')).toHaveLength(1);
    expect(byId(replicas[0]!.said)).toEqual(byId(replicas[1]!.said));
    expect(replicas[0]!.of('room.said').map(({ data }) => data.text)).toEqual(['P0 votes for P1.']);
    expect(await conflicts()).toBe(before + 1);
    expect(two.said).toEqual([]);
  });

  it('deal one night when both settle the same vote', async () => {
    const [one, two] = [await here.replica(), await here.replica()];
    await here.seated(one, { players: 3, options: LONG });
    const meet = rendezvous(2);
    const [left, right] = [await here.replica({ tapes: appending(meet) }), await here.replica({ tapes: appending(meet) })];
    const [wolf] = await here.who('wolf');
    const [a, b] = await here.who('villager');
    await one.get('table.act', voteBy(a!, wolf!));
    // Either vote would be the second of three, and end the day.
    const replies = await Promise.all([left.ask('table.act', voteBy(b!, wolf!)), right.ask('table.act', voteBy(wolf!, a!))]);
    expect(await here.count('executed')).toBe(1);
    expect(await here.count('closed')).toBe(1);
    expect(['agree agree', 'agree refuse']).toContain(replies.map(({ performative }) => performative).join(' '));
    expect(await two.get('table.view', { eye: 'audience' })).toMatchObject({ summary: { stage: 'over' } });
  });

  it('refuse nothing the other has made possible', async () => {
    const [one, two] = [await here.replica(), await here.replica()];
    await here.seated(one, { players: 3, options: LONG });
    await two.get('table.act', voteBy(0, 2)); // it knows the table
    await one.get('table.hand', { seat: 0, to: 'mind' });
    expect(reasonOf(await two.ask('table.hand', { seat: 0, to: 'person' }))).toBeUndefined();
    expect((await here.standing()).game.holders).toEqual(['person', 'person', 'person']);
    await one.get('table.hand', { seat: 0, to: 'mind' });
    expect(reasonOf(await two.ask('table.act', voteBy(0, 1), { source: 'player' }))).toBeUndefined();
    await one.get('table.hand', { seat: 0, to: 'person' });
    await here.wait(one);
    const [wolf] = await here.who('wolf');
    const hunt = { seat: wolf!, question: 'round-1/night-1/hunt', says: [`seat:${(await here.who('villager'))[0]}`] };
    expect(reasonOf(await two.ask('table.act', hunt))).toBeUndefined();
  });

  it('ring an alarm the other has set', async () => {
    const [one, two] = [await here.replica(), await here.replica()];
    await one.get('table.open', { rules: 'maw', seats: [0, 1, 2].map(() => ({ kind: 'person' as const })), options: { dayMs: 5_000 } });
    await two.get('table.join', { name: 'Ann' }); // to it the Lobby is open for minutes
    for (const name of ['Bo', 'Cy']) await one.get('table.join', { name });
    await here.wait(two);
    expect(await here.count('dusked')).toBe(1);
  });
});

describe('a redelivered message', () => {
  it.each(['any message', 'room.said', 'seat.decide'])('sends what follows until all is confirmed, where %s was not', async (lost) => {
    let fails = 0;
    const sending = ({ type }: Message): void => {
      const isHit = lost === 'any message' || lost === type;
      if (fails > 0 && isHit && fails--) throw new Error('the broker is gone');
    };
    const [at, healthy] = [await here.replica({ sending }), await here.replica()];
    await here.seated(at, { minds: [0, 1, 2, 3, 4, 5], options: LONG });
    for (const seat of [0, 1, 2]) await at.get('table.act', voteBy(seat, 5), { source: 'player' });
    const before = at.said.length;
    fails = lost === 'any message' ? 100 : 1; // more than follow: three times nothing, then the dead letters
    const first = await at.ask('table.act', voteBy(3, 5), { id: 'last vote', source: 'player' });
    fails = 0;
    expect([first.performative, at.dead.length]).toEqual(lost === 'any message' ? ['failure', 1] : ['agree', 0]);
    const sentAtFirst = byId(at.said.slice(before));
    const second = await at.get('table.act', voteBy(3, 5), { id: 'last vote', source: 'player' });
    if (first.performative === 'agree') expect(second).toEqual(first.data);

    expect(await healthy.get('table.act', voteBy(3, 5), { id: 'last vote', source: 'player' })).toEqual(second);
    const wanted = byId(healthy.said);
    expect(byId(at.said.slice(before))).toEqual(wanted);
    if (first.performative === 'agree') expect(sentAtFirst).toEqual(wanted);
    expect(new Set([...wanted.values()].map(({ type }) => type))).toEqual(
      new Set(['room.said', 'room.close', 'room.open', 'table.moved', 'seat.decide']),
    );
    expect((await here.tapeOf()).filter(({ cause, event }) => cause === 'last vote' && event.type === 'answered')).toHaveLength(1);
    expect(await here.count('executed')).toBe(1);
  });

  it('asks every seat at dawn, where one question was not confirmed at first', async () => {
    let fails = 1;
    const sending = ({ type }: Message): void => {
      if (type === 'seat.decide' && fails-- > 0) throw new Error('the broker is gone');
    };
    const at = await here.replica({ sending });
    await here.seated(at, { minds: [0, 1, 2, 3, 4, 5], options: LONG });
    const asked = at.of('seat.decide').filter(({ data: { questions } }) => questions.some(({ id }) => id === vote));
    expect(new Set(asked.map(({ data }) => data.seat)).size).toBe(6);
  });

  it('is answered as before after others have acted', async () => {
    const [at, later] = [await here.replica(), await here.replica()];
    await here.seated(at, { minds: [0, 1, 2, 3, 4, 5], options: LONG });
    const before = at.said.length;
    const answer = await at.get('table.act', voteBy(0, 1), { id: 'first', source: 'player' });
    const said = at.said.slice(before);
    for (const seat of [1, 2, 3, 4]) await at.get('table.act', voteBy(seat, 5), { source: 'player' });
    expect((await here.standing()).game.game).toMatchObject({ night: true });
    expect(await later.get('table.act', voteBy(0, 1), { id: 'first', source: 'player' })).toEqual(answer);
    expect(byId(later.said)).toEqual(byId(said));
  });

  it('is refused for the same reason by any replica, and counted once', async () => {
    const [one, two] = [await here.replica(), await here.replica()];
    await here.seated(one, { options: LONG });
    const counted = () => metricValue(metrics.refusals, { service: 'gamemaster', reason: 'not-an-option' });
    const before = await counted();
    const ask = (at: typeof one) => at.ask('table.act', voteBy(0, 0), { id: 'self' });
    const first = await ask(one);
    expect(first).toMatchObject({ performative: 'refuse', data: { reason: 'not-an-option', detail: expect.stringContaining('seat:5') } });
    for (let seat = 1; seat < 5; seat++) await one.get('table.act', voteBy(seat, 0)); // the same vote would be over now
    expect(await ask(one)).toEqual(first);
    expect(await ask(two)).toEqual(first);
    expect(await here.count('refused')).toBe(1);
    expect(await counted()).toBe(before + 1);
  });

  it('is counted as an act once', async () => {
    const [one, two] = [await here.replica(), await here.replica()];
    await here.seated(one, { options: LONG });
    const acts = () => metricValue(metrics.acts, { rules: 'maw', verb: 'choose' });
    const before = await acts();
    for (const at of [one, two, one]) await at.get('table.act', voteBy(0, 1), { id: 'once' });
    expect(await acts()).toBe(before + 1);
  });
});

describe('an append', () => {
  it.each([
    ['was written, but the confirmation was lost', true, new Error('the connection is lost')],
    ['was not written, and the connection was lost', false, new Error('the connection is lost')],
    ['was written, and repeated with a conflict', true, new Conflict('the table has gone on')],
  ])('that %s is detected and done once', async (_, isWritten, error) => {
    let fails = 0;
    const tapes: Tapes = {
      ...here.store.tapes,
      append: async (...given) => {
        const isLost = fails > 0 && fails-- > 0;
        if (!isLost || isWritten) await here.store.tapes.append(...given);
        if (isLost) throw error;
      },
    };
    const at = await here.replica({ tapes });
    await here.seated(at, { minds: [0, 1, 2, 3, 4, 5], options: LONG });
    const before = at.said.length;
    fails = 1;
    const answer = await at.get('table.act', voteBy(0, 1), { id: 'v', source: 'player' });
    expect(answer).toMatchObject({ room: 'round-1/day-1/Village', line: 2 });
    expect((await here.tapeOf()).filter(({ cause }) => cause === 'v')).toHaveLength(1);
    expect(at.said.slice(before).map(({ type }) => type)).toEqual(['room.said']);
    await at.get('table.act', voteBy(1, 0), { source: 'player' });
    expect((await here.tapeOf()).map(({ sequence }) => sequence)).toEqual((await here.tapeOf()).map((_event, i) => i + 1));
  });

  it('goes back to its queue after repeated conflicts, and succeeds later', async () => {
    let losses = 50;
    const tapes = appending(async () => {
      if (losses > 0 && losses-- > 0) throw new Conflict('somebody was faster');
    });
    const [other, at] = [await here.replica(), await here.replica({ tapes })];
    await here.seated(other, { options: LONG });
    expect((await at.ask('table.act', voteBy(0, 1))).performative).toBe('agree');
    expect(losses).toBe(0);
    expect(at.dead).toEqual([]);
  });
});

describe('a replica paused during an append', () => {
  /** Two replicas, one of which stands still at its next append, until it is let go. */
  async function stopped() {
    const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const tapes = appending(async () => {
      reached.resolve();
      await gate.promise;
    });
    const [one, slow] = [await here.replica(), await here.replica({ tapes })];
    await here.seated(one, { options: { dayMs: 10_000, nightMs: 10_000 } });
    await slow.get('table.view', { eye: 'audience' });
    return { one, slow, reached: reached.promise, go: gate.resolve };
  }

  it('refuses an act that is late by now, and appends nothing it decided before', async () => {
    const { one, slow, reached, go } = await stopped();
    const late = slow.ask('table.act', voteBy(0, 1), { id: 'late' });
    await reached;
    for (let phase = 0; phase < 3; phase++) await here.wait(one);
    go();
    expect(reasonOf(await late)).toBe('phase-over');
    expect((await here.tapeOf()).filter(({ cause }) => cause === 'late').map(({ event }) => event.type)).toEqual(['refused']);
    expect((await here.tapeOf()).map(({ sequence }) => sequence)).toEqual((await here.tapeOf()).map((_event, i) => i + 1));
    expect(reasonOf(await one.ask('table.act', voteBy(0, 1), { id: 'late' }))).toBe('phase-over');
  });

  it('accepts an act that is still in time, on the current state', async () => {
    const { one, slow, reached, go } = await stopped();
    const last = slow.ask('table.act', voteBy(0, 5), { id: 'vote' });
    await reached;
    for (const seat of [1, 2, 3]) await one.get('table.act', voteBy(seat, 5));
    expect(await here.count('executed')).toBe(0);
    go();
    expect((await last).performative).toBe('agree');
    // When it was decided at first it would have been the first of six votes; now it is the fourth, and ends the day.
    expect((await here.tapeOf()).filter(({ cause }) => cause === 'vote').map(({ event }) => event.type)).toContain('executed');
    expect(await here.count('executed')).toBe(1);
  });

  it('does not end a phase twice', async () => {
    const { one, slow, reached, go } = await stopped();
    here.clock.now += 10_000;
    await slow.tell('table.tick', { alarm: here.clock.now }, { source: 'gamemaster', id: 'slow tick' });
    await reached;
    const said = slow.said.length;
    await here.wait(one);
    await here.wait(one);
    const tape = await here.tapeOf();
    go();
    await slow.get('table.view', { eye: 'audience' });
    expect(await here.tapeOf()).toEqual(tape);
    expect(slow.said.slice(said)).toEqual([]);
    expect(slow.dead).toEqual([]);
  });
});

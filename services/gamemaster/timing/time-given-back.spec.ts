import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Message } from '@maw/contracts/contracts.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { delaysFor, type LostTime, MAX_TIME_GIVEN_BACK_MS, RECONNECT_MS } from './time-given-back.ts';
import type { TableState } from '../state/table-state.ts';
import type { Replica, ReplicaOptions } from '../replica.suite.ts';
import { idsOf, reasonOf, type Rig, rig, START, until } from '../rig.suite.ts';

let here: Rig;
beforeEach(() => {
  here = rig();
});
afterEach(() => here.close());

const MINUTE = 60_000;
const DAY = { dayMs: MINUTE, nightMs: MINUTE };
/** With a heartbeat, and tables that find out by themselves: it tells none of an outage, unless a test says otherwise. */
const beating = (options: Partial<ReplicaOptions> = {}): Promise<Replica> =>
  here.replica({ heartbeat: here.store.heartbeat, tapes: { ...here.store.tapes, due: async () => [] }, ...options });
const delays = async (table?: string) =>
  (await here.tapeOf(table)).flatMap(({ event, cause }) => (event.type === 'delayed' ? [{ ...event, cause }] : []));
const endOf = async (step: string) => (await here.standing()).open.find(({ id }) => id.endsWith(`/${step}`))?.until;
/** The time is told, as by an alarm, and all that comes of it has been done. */
async function tick(at: Replica, id = `tick ${here.clock.now}`, table = 't1'): Promise<void> {
  // Whoever asks waits long enough for a database whose clock was set.
  const about = { table, at: here.clock.now, replyBy: here.clock.now + 365 * 24 * 60 * MINUTE };
  await at.tell('table.tick', { alarm: here.clock.now }, { ...about, source: 'gamemaster', id });
  await at.get('table.view', { eye: 'audience', limit: 1 }, about);
}

/** Time passes while a gamemaster beats. */
async function pass(ms: number, { heartbeat } = here.store): Promise<void> {
  const end = here.clock.now + ms;
  while (here.clock.now < end) {
    here.clock.now = Math.min(end, here.clock.now + 500);
    await heartbeat.beat(1_000);
  }
}

describe('after an outage', () => {
  it('longer than a turn, the lost time is given back and nothing is settled before', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    await pass(20_000);
    await at.get('table.act', { seat: 0, question: 'round-1/day-1/talk', says: ['hello'] });
    here.clock.now += MINUTE + 1; // the day was to end 40 s after the last that was heard
    await tick(at);
    expect(await delays()).toMatchObject([{ ms: MINUTE + 1 + RECONNECT_MS, at: here.clock.now }]);
    const end = here.clock.now + 40_000 + RECONNECT_MS;
    expect([await here.count('dusked'), await endOf('vote'), await endOf('talk')]).toEqual([0, end, end]);
    expect(await here.store.tapes.due(end - 1, 10)).toEqual([]);
    expect(await here.store.tapes.due(end, 10)).toEqual([{ table: 't1', alarm: end }]);
    await pass(4_000); // somebody is there
    await here.wait(at);
    expect([await here.count('dusked'), (await delays()).length]).toEqual([0, 2]); // nobody was when it rang
  });

  it.each([
    ['a second and a bit', 1_001, 1_001],
    ['all but a moment of a turn', MINUTE - 100, RECONNECT_MS],
    ['exactly a turn', MINUTE, RECONNECT_MS],
  ])('of %s, the lost time is given back, with an allowance to reconnect', async (_, ms, allowance) => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    here.clock.now += ms;
    await tick(at);
    expect(await delays()).toMatchObject([{ ms: ms + allowance, at: here.clock.now }]);
    expect([await here.count('dusked'), await endOf('vote')]).toEqual([0, START + MINUTE + ms + allowance]);
  });

  it('of a second, nothing is given back however short the turns', async () => {
    const at = await beating();
    await here.seated(at, { options: { dayMs: 1_000, nightMs: 1_000 } });
    here.clock.now += 1_000;
    await tick(at);
    expect([await here.count('delayed'), await here.count('dusked')]).toEqual([0, 1]);
  });

  it('an act in time is recorded at once, and the tick that follows gives the time back', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    here.clock.now += 20_000;
    const [seat, question] = [0, 'round-1/day-1/talk'];
    await at.get('table.act', { seat, question, says: ['hello'] }, { id: 'in time' });
    expect(await here.count('delayed')).toBe(0);
    await tick(at);
    expect(await delays()).toMatchObject([{ ms: 20_000 + RECONNECT_MS }]);
  });

  it('the first message gives the time back, and an act is in time', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    here.clock.now += 10 * MINUTE;
    const answer = await at.get('table.act', { seat: 1, question: 'round-1/day-1/vote', says: ['seat:0'] }, { id: 'vote' });
    expect(answer).toMatchObject({ at: here.clock.now, room: 'round-1/day-1/Village' });
    const news = (await here.tapeOf()).filter(({ cause }) => cause === 'vote').map(({ event }) => event.type);
    expect(news).toEqual(['delayed', 'answered']);
    expect(await at.get('table.act', { seat: 1, question: 'round-1/day-1/vote', says: ['seat:0'] }, { id: 'vote' })).toEqual(answer);
    expect(await delays()).toHaveLength(1);
  });

  it('a forbidden act is refused as usual', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    here.clock.now += 10 * MINUTE;
    expect(reasonOf(await at.ask('table.act', { seat: 9, question: 'round-1/day-1/vote', says: ['seat:0'] }))).toBe('not-an-option');
    expect(await delays()).toEqual([]);
    await tick(at);
    expect(await delays()).toMatchObject([{ ms: 10 * MINUTE + RECONNECT_MS }]);
  });

  it('seen by one replica only, nothing is given back', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    await pass(2 * MINUTE);
    await tick(at);
    expect([await here.count('delayed'), await here.count('dusked')]).toEqual([0, 1]);
  });

  it('the lost time counts from when the question was asked', async () => {
    const [at, unheard] = [await beating(), await here.replica()];
    await here.seated(unheard, { players: 7, options: { ...DAY, seer: true } });
    await here.store.heartbeat.beat(1_000);
    here.clock.now += MINUTE; // with no heartbeat, this replica decides during an outage
    await here.wait(unheard);
    const dusk = here.clock.now;
    here.clock.now += 10_000;
    await tick(at);
    expect([dusk - START, await delays()]).toMatchObject([MINUTE, [{ ms: 10_000 + RECONNECT_MS }]]);
  });

  it('what was lost is given back later by as much as it was long at most', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    here.clock.now += 20_000;
    await here.store.heartbeat.beat(1_000);
    await pass(12_000);
    await tick(at);
    expect(await delays()).toMatchObject([{ ms: 20_000 + 12_000, at: here.clock.now }]);
    const other = await beating();
    here.clock.now += 2_000;
    await here.store.heartbeat.beat(1_000);
    await pass(12_000);
    await tick(other);
    expect((await delays()).map((each) => (each as unknown as { ms: number }).ms)).toEqual([32_000, 4_000]);
  });

  it('all secret steps are delayed alike, and reveal no more', async () => {
    const at = await beating();
    await here.seated(at, { players: 7, options: { ...DAY, seer: true } });
    await pass(MINUTE);
    await tick(at);
    const before = (await here.standing()).open;
    expect(before.length).toBeGreaterThan(1);
    here.clock.now += 2 * MINUTE;
    await tick(at);
    expect((await here.standing()).open).toEqual(before.map((q) => ({ ...q, until: q.until + 2 * MINUTE + RECONNECT_MS })));
    const [villager] = await here.who('villager');
    const views = await Promise.all(([villager!, 'audience'] as const).map((eye) => at.get('table.view', { eye, limit: 1_000 })));
    for (const { seen } of views)
      expect(seen.at(-1)).toMatchObject({
        event: { type: 'delayed', ms: 2 * MINUTE + RECONNECT_MS },
        text: 'The game stood still for 2 minutes. Everybody has that much more time.',
      });
  });
});

describe('a delay', () => {
  const OUTAGE = { from: 1_000_000, to: 1_020_000 };
  const NOW = 1_021_000;
  interface Recorded {
    readonly at: number;
    readonly event: { readonly type: string; readonly [field: string]: unknown };
    readonly isPublic: boolean;
  }
  /** A table at which all this is open and was written down; everybody saw what is public of it. */
  const delaysAt = (open: object[], tape: readonly Recorded[], lost: Partial<LostTime> = { outages: [OUTAGE] }) => {
    const seen = tape.filter(({ isPublic }) => isPublic);
    const state = { game: { isOver: () => false }, standing: { open }, tape, views: new Map([['audience', { seen }]]) };
    return delaysFor(state as unknown as TableState, { outages: [], absences: [], ...lost }, NOW);
  };
  const question = (among: 'table' | number[], id = 'q') => ({ id, among });
  const asked = (id: string, at: number): Recorded => ({ at, event: { type: 'asked', question: { id } }, isPublic: true });
  const dusk = { at: 990_000, event: { type: 'dusked' }, isPublic: true };
  const answer = (at: number, isPublic: boolean): Recorded => ({ at, event: { type: 'answered' }, isPublic });
  const given = (ms: number) => [{ type: 'delayed', ms, at: NOW }];
  const all = given(20_000 + RECONNECT_MS);

  it('does not reveal secret questions at night', () => {
    for (const among of [[1, 2], []]) expect(delaysAt([question(among)], [dusk])).toEqual(all);
  });

  it('does not reveal secret events', () => {
    for (const at of [OUTAGE.from + 700, OUTAGE.to]) expect(delaysAt([question([1, 2])], [dusk, answer(at, false)])).toEqual(all);
  });

  it('counts from the first open question that everybody knows of', () => {
    const open = [question('table', 'a'), question('table', 'b'), question([1, 2], 'c')];
    const tape = [asked('a', OUTAGE.from + 700), answer(OUTAGE.from + 900, true), asked('b', OUTAGE.from + 1_000)];
    expect(delaysAt(open, tape)).toEqual(given(19_300 + RECONNECT_MS));
  });

  it('is recorded once', () => {
    const before: Recorded = { at: OUTAGE.to, event: { type: 'delayed', ms: 20_000 }, isPublic: true };
    expect(delaysAt([question([1, 2])], [dusk, before])).toEqual([]);
    expect(delaysAt([question([1, 2])], [dusk, { ...before, at: OUTAGE.to - 2_000 }])).toEqual(given(4_000));
  });

  it('is one for several losses, and counts each moment once', () => {
    const [first, second] = [
      { from: 1_000_000, to: 1_004_000 },
      { from: 1_006_000, to: 1_010_000 },
    ];
    expect(delaysAt([question([])], [dusk], { outages: [first, second] })).toEqual(given(14_000));
    const absences = [{ queue: 'chatroom', from: 1_003_000, to: 1_007_000 }];
    expect(delaysAt([question([])], [dusk], { outages: [first, second], absences })).toEqual(given(14_000));
  });

  it('is a day at most for an absence that lasts, over all phases', () => {
    const absences = [{ queue: 'chatroom', from: NOW - MAX_TIME_GIVEN_BACK_MS, to: null }];
    const [long, fresh] = [asked('p', NOW - 2 * MAX_TIME_GIVEN_BACK_MS), asked('q', NOW - 30_000)];
    expect(delaysAt([question('table')], [long, fresh], { absences })).toEqual(given(35_000));
    const longer = [{ ...absences[0]!, from: absences[0]!.from - 1 }];
    expect(delaysAt([question('table')], [long, fresh], { absences: longer })).toEqual([]);
    expect(delaysAt([question('table')], [fresh], { absences: longer })).toEqual(given(35_000)); // opened later
  });

  it('for absent players is for tables that began with minds, whoever has left since', () => {
    const absences = [{ queue: 'player', from: 1_000_000, to: 1_020_000 }];
    const opened = (...kinds: string[]): Recorded => ({
      at: 900_000,
      event: { type: 'opened', opening: { seats: kinds.map((kind) => ({ kind })) } },
      isPublic: true,
    });
    const handed: Recorded = { at: 900_001, event: { type: 'handed', to: 'mind' }, isPublic: false };
    const began: Recorded = { at: 900_002, event: { type: 'began' }, isPublic: true };
    const open = [question([1, 2])];
    expect(delaysAt(open, [opened('person', 'mind'), began, dusk], { absences })).toEqual(all);
    expect(delaysAt(open, [opened('person', 'person'), handed, began, dusk], { absences })).toEqual(all);
    expect(delaysAt(open, [opened('person', 'person'), began, handed, dusk], { absences })).toEqual([]);
    const speechless = [{ ...absences[0]!, queue: 'chatroom' }];
    expect(delaysAt(open, [opened('person', 'person'), began, dusk], { absences: speechless })).toEqual(all);
  });
});

describe('two replicas', () => {
  it('give the time back once, and say the same', async () => {
    const [one, two] = [await beating(), await beating()];
    await here.seated(one, { minds: [0, 1], options: DAY });
    await two.get('table.view', { eye: 'audience' });
    here.clock.now += 5 * MINUTE;
    const before = one.said.length;
    await Promise.all([tick(one, 'of one'), tick(two, 'of two')]);
    expect(await delays()).toHaveLength(1);
    const told = [...one.said.slice(before), ...two.said];
    expect(idsOf(told, 'seat.decide')).toHaveLength(2);
  });

  it('publish after a crash what followed, with the same ids', async () => {
    let isDying = false;
    const sending = (): void | Promise<void> => (isDying ? Promise.reject(new Error('the broker is gone')) : undefined);
    const [one, two] = [await beating({ sending }), await beating()];
    await here.seated(one, { minds: [0, 1], options: DAY });
    here.clock.now += 5 * MINUTE;
    isDying = true;
    await one.tell('table.tick', { alarm: 0 }, { source: 'gamemaster', id: 'same' });
    await until('its end', () => one.dead.length);
    const said = one.said.length;
    await tick(two, 'same');
    isDying = false;
    await tick(one, 'same');
    expect(await here.count('delayed')).toBe(1);
    expect(two.said.map(({ id }) => id).toSorted()).toEqual(
      one.said
        .slice(said)
        .map(({ id }) => id)
        .toSorted(),
    );
    const types = new Set(two.said.map(({ type }) => type));
    expect(types).toEqual(new Set(['room.open', 'room.said', 'table.moved', 'seat.decide']));
  });
});

describe('after a delay', () => {
  it('minds are asked again, rooms stay open longer, and everybody is told', async () => {
    const at = await beating();
    await here.seated(at, { minds: [0, 1, 2, 3, 4, 5], options: DAY });
    await at.get('table.act', { seat: 0, question: 'round-1/day-1/talk', says: ['hello'] }, { source: 'player' });
    const [first] = at.of('seat.decide');
    const before = at.said.length;
    here.clock.now += 5 * MINUTE;
    await tick(at);
    const said = at.said.slice(before);
    const of = <N extends Message['type']>(type: N) => said.filter((message) => message.type === type) as unknown as Message<N>[];
    const last = (await here.tapeOf()).at(-1)!;
    expect(last.event.type).toBe('delayed');
    const end = START + 6 * MINUTE + RECONNECT_MS;
    expect(of('seat.decide').map(({ data }) => data.seat)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { data, replyby, sequence } of of('seat.decide')) {
      expect([data.until, Date.parse(replyby!), sequence]).toEqual([end, end, last.sequence]);
      expect(data.questions.map(({ id, until: ends }) => [id, ends])).toEqual(first!.data.questions.map(({ id }) => [id, end]));
      expect(data.news.at(-1)).toMatchObject({ event: { type: 'delayed' }, room: 'round-1/day-1/Village', line: 3 });
    }
    expect(of('room.open').map(({ data }) => data)).toEqual([
      { ...at.of('room.open').find(({ data }) => data.name === 'Village')!.data, until: end, opened: last.sequence },
    ]);
    expect(of('room.said').map(({ data }) => [data.room, data.line, data.text])).toEqual([
      ['round-1/day-1/Village', 3, 'The game stood still for 5 minutes. Everybody has that much more time.'],
    ]);
    expect(of('table.moved')).toMatchObject([{ data: { phase: 'round-1/day-1', closed: [] } }]);
    expect(said).toHaveLength(6 + 1 + 1 + 1);
  });

  it('missing minds are invited again', async () => {
    const at = await beating();
    const seats = ['mind', 'person', 'mind'].map((kind) => ({ kind: kind as 'mind' | 'person' }));
    await at.get('table.open', { rules: 'maw', seats, lobbyMs: MINUTE });
    await at.get('table.join', { seat: 0, name: 'Ann' }, { source: 'player' });
    here.clock.now += 3 * MINUTE;
    await tick(at);
    expect(at.of('seat.invited').map(({ data }) => [data.seat, data.until, data.taken])).toEqual([
      [0, START + MINUTE, []],
      [2, START + MINUTE, []],
      [2, START + 4 * MINUTE + RECONNECT_MS, ['Ann']],
    ]);
    expect(await here.count('began')).toBe(0);
  });

  it('a turn keeps its rest, and so do the turns to come', async () => {
    const at = await beating();
    await here.seated(at, { rules: 'onuw', players: 3, minds: [], options: { talk: 'rounds', turnMs: 30_000, stepMs: 1_000 } as never });
    await until('the first speech', async () => {
      if ((await here.standing()).open.some(({ inTurn }) => inTurn)) return true;
      await pass((await here.store.tapes.due(Number.MAX_SAFE_INTEGER, 1))[0]!.alarm - here.clock.now);
      await here.wait(at);
      return false;
    });
    const [q] = (await here.standing()).open;
    const talking = at.of('room.open').at(-1)!.data;
    expect(talking.until).toBe(q!.until + 2 * 30_000);
    await at.get('table.act', { seat: q!.of[0]!, question: q!.id, says: ['first'] });
    here.clock.now += 31_000;
    const turn = (await here.standing()).open[0]!.until;
    await tick(at);
    expect((await here.standing()).open[0]).toMatchObject({ until: turn + 36_000, passed: [], answers: [{ says: ['first'] }] });
    expect(at.of('room.open').at(-1)!.data).toEqual({
      ...talking,
      until: turn + 36_000 + 30_000,
      opened: (await here.tapeOf()).at(-1)!.sequence,
    });
  });
});

describe('all tables', () => {
  it('get their time back at the first heartbeat, before any alarm', async () => {
    const first = await beating();
    for (const table of ['a', 'b', 'c']) await here.seated(first, { table, options: DAY });
    await first.close();
    here.clock.now += 5 * MINUTE;
    let beats = 0;
    const heartbeat = { beat: (...given: Parameters<typeof here.store.heartbeat.beat>) => (beats++, here.store.heartbeat.beat(...given)) };
    const at = await beating({ tapes: here.store.tapes, heartbeat, heartbeatMs: 5 });
    for (const table of ['a', 'b', 'c']) await until(`the delay of ${table}`, () => here.count('delayed', table));
    for (const table of ['a', 'b', 'c']) expect(await delays(table)).toMatchObject([{ ms: 5 * MINUTE + RECONNECT_MS }]);
    const before = beats;
    await until('more beats', () => beats > before + 5);
    expect(idsOf(at.said, 'table.tick')).toHaveLength(3); // each is told once
    expect(at.dead).toEqual([]);
  });

  it('are ticked again when the database fails meanwhile', async () => {
    const first = await beating();
    await here.seated(first, { options: DAY });
    await first.close();
    here.clock.now += 5 * MINUTE;
    let fails = 2;
    const tapes = {
      ...here.store.tapes,
      due: (...given: Parameters<typeof here.store.tapes.due>) =>
        fails-- > 0 ? Promise.reject(new Error('away')) : here.store.tapes.due(...given),
    };
    await beating({ tapes, heartbeatMs: 5 });
    await until('the delay', () => here.count('delayed'));
    expect(fails).toBeLessThan(0);
  });
});

describe('while the broker is unreachable', () => {
  it('decisions wait, and the time is given back before they are made', async () => {
    let isUp = true;
    let looks = 0;
    const at = await beating({ isUp: () => (looks++, isUp) });
    await here.seated(at, { options: DAY });
    isUp = false;
    here.clock.now += 2 * MINUTE;
    const answer = at.ask('table.act', { seat: 1, question: 'round-1/day-1/vote', says: ['seat:0'] });
    const before = looks;
    await until('several attempts', () => looks > before + 3);
    expect([await here.count('delayed'), at.dead]).toEqual([0, []]);
    isUp = true;
    expect((await answer).performative).toBe('agree');
    expect(await delays()).toMatchObject([{ ms: 2 * MINUTE + RECONNECT_MS }]);
  });

  it('a broker that confirms nothing is an outage, though the connection is up', async () => {
    let probes = 0;
    let confirmed = Promise.resolve();
    const at = await beating({ probing: () => (probes++, confirmed), heartbeatMs: 5 });
    await here.seated(at, { options: DAY });
    const alarm = Promise.withResolvers<void>(); // a disk alarm blocks the connection
    confirmed = alarm.promise;
    const before = probes;
    await until('all beats to hang', () => probes === before + 3);
    here.clock.now += 2 * MINUTE;
    await at.tell('table.tick', { alarm: 0 }, { source: 'gamemaster', id: 'meanwhile' });
    alarm.resolve();
    await until('the delay', () => here.count('delayed'));
    expect(await delays()).toMatchObject([{ ms: 2 * MINUTE + RECONNECT_MS }]);
  });
});

describe('a table', () => {
  it('gets back at most a day', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    for (let n = 0; n < 2; n++) {
      here.clock.now += MAX_TIME_GIVEN_BACK_MS / 2 - RECONNECT_MS;
      await tick(at);
    }
    expect((await delays()).map((each) => (each as unknown as { ms: number }).ms)).toEqual([
      MAX_TIME_GIVEN_BACK_MS / 2,
      MAX_TIME_GIVEN_BACK_MS / 2,
    ]);
    expect(await here.count('dusked')).toBe(0);
    here.clock.now += MINUTE + RECONNECT_MS * 2;
    await tick(at);
    expect([await here.count('delayed'), await here.count('dusked')]).toEqual([2, 1]);
  });

  it('that was down for more than a day goes on without a delay', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    here.clock.now += MAX_TIME_GIVEN_BACK_MS + 1;
    await tick(at);
    expect([await here.count('delayed'), await here.count('dusked')]).toEqual([0, 1]);
  });

  it('that is over gets nothing back', async () => {
    const at = await beating();
    await here.seated(at, { players: 3, options: DAY });
    const [wolf] = await here.who('wolf');
    await here.choose(at, 'vote', wolf!, [0, 1, 2]);
    expect(await here.count('closed')).toBe(1);
    here.clock.now += 10 * MINUTE;
    await tick(at);
    expect(await here.count('delayed')).toBe(0);
  });
});

describe('replicas whose clocks are wrong', () => {
  const HOUR = 60 * MINUTE;
  /** As if on a machine whose clock is so far ahead, and that has been up for a while. */
  const astray = (ms: number) => beating({ now: () => here.clock.now + ms, steady: () => here.clock.now - START + 12_345.678 });
  const atTheTable = { replyBy: START + 24 * HOUR };

  it('cause no outage, and play by the database clock', async () => {
    const [fast, slow] = [await astray(HOUR), await astray(-HOUR)];
    await here.seated(fast, { options: DAY });
    expect(await endOf('vote')).toBe(START + MINUTE);
    for (let i = 0; i < 14; i++) {
      await pass(4_000);
      for (const [at, seat] of [
        [fast, 0],
        [slow, 1],
      ] as const) {
        const said = { seat, question: 'round-1/day-1/talk', says: [`${seat} at ${i}`] };
        expect(await at.get('table.act', said, atTheTable)).toMatchObject({ at: here.clock.now });
      }
    }
    await pass(START + MINUTE - 1 - here.clock.now);
    for (const [at, name] of [
      [fast, 'fast'],
      [slow, 'slow'],
    ] as const)
      await tick(at, `too early, ${name}`);
    expect([await here.count('delayed'), await here.count('dusked')]).toEqual([0, 0]);
    here.clock.now += 1;
    await tick(slow, 'in time');
    expect([await here.count('delayed'), await here.count('dusked')]).toEqual([0, 1]);
    expect((await here.store.heartbeat.beat(1_000)).outages).toEqual([]);
  });

  it.each([
    ['ahead', HOUR],
    ['behind', -HOUR],
  ])('one %s gives back what was lost, to the millisecond and once', async (_, ms) => {
    const [at, right] = [await astray(ms), await beating()];
    await here.seated(right, { options: DAY });
    here.clock.now += 20 * MINUTE;
    await tick(at, 'astray');
    await tick(right, 'right');
    expect(await delays()).toMatchObject([{ cause: 'astray', ms: 20 * MINUTE + RECONNECT_MS, at: here.clock.now }]);
    expect(await endOf('vote')).toBe(START + 21 * MINUTE + RECONNECT_MS);
  });

  it('cause none when one is set during a game', async () => {
    let moved = 0;
    const at = await beating({ now: () => here.clock.now + moved, steady: () => here.clock.now - START });
    await here.seated(at, { options: DAY });
    for (const to of [HOUR, -HOUR, 0]) {
      moved = to;
      here.clock.now += 1_000;
      await tick(at, `moved by ${to}`);
    }
    expect([await here.count('delayed'), await here.count('dusked')]).toEqual([0, 0]);
    expect((await here.store.heartbeat.beat(1_000)).outages).toEqual([]);
  });

  it('cause none when one starts later', async () => {
    const at = await beating();
    await here.seated(at, { options: DAY });
    await pass(4_000);
    const late = await astray(HOUR);
    await tick(late);
    await pass(5_000);
    await tick(at);
    expect([await here.count('delayed'), (await here.store.heartbeat.beat(1_000)).outages]).toEqual([0, []]);
  });
});

describe('a database', () => {
  it('whose clock leaps ahead costs nobody time', async () => {
    let leapt = 0;
    const store = memoryStore({ now: () => here.clock.now + leapt });
    const at = await beating({ heartbeat: store.heartbeat });
    await here.seated(at, { options: DAY });
    here.clock.now += 20_000;
    leapt = 60 * MINUTE;
    await tick(at, 'leapt');
    const now = here.clock.now + leapt;
    expect([await endOf('vote'), await here.count('dusked')]).toEqual([now + MINUTE + RECONNECT_MS, 0]); // nobody had beaten for those 20 s either
    await store.close();
  });

  it('whose clock is set back does not turn back the time of tables', async () => {
    let back = 0;
    const store = memoryStore({ now: () => here.clock.now - back });
    const at = await beating({ heartbeat: store.heartbeat });
    await here.seated(at, { options: DAY });
    const dusk = (await endOf('vote'))!;
    await pass(10_000, store);
    await at.get('table.act', { seat: 0, question: 'round-1/day-1/talk', says: ['before'] });
    const before = (await here.tapeOf()).at(-1)!.at;
    back = 5 * MINUTE;
    here.clock.now += 10_000;
    expect(await at.get('table.act', { seat: 0, question: 'round-1/day-1/talk', says: ['after'] })).toMatchObject({ at: before });
    const reach = async (moment: number): Promise<void> => {
      await pass(moment + back - here.clock.now, store);
      await tick(at);
    };
    await reach(dusk - 1);
    expect([await here.count('dusked'), here.clock.now > dusk]).toEqual([0, true]);
    await reach(dusk);
    expect([await here.count('dusked'), await here.count('delayed')]).toEqual([1, 0]);
    const times = (await here.tapeOf()).map((each) => each.at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    await store.close();
  });
});

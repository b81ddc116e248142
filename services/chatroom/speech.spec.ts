import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { reasonOf, type Rig, rig, START, until, VILLAGE } from './rig.suite.ts';

let here: Rig;
beforeEach(async () => {
  here = await rig({ speechesPerSecond: 1, burst: 3, aheadMs: 3_000 });
});
afterEach(() => here.close());

const opened = async (changed = {}): Promise<void> => {
  await here.tell('room.open', here.opening(changed));
  await here.heard();
};
const refusals = (reason: string) => metricValue(metrics.refusals, { service: 'chatroom', reason });

describe('an accepted speech', () => {
  it('is forwarded as an answer, and the gamemaster answers the speaker', async () => {
    await opened();
    expect(await here.speak(0, 'hello', { id: 's1' })).toEqual({ performative: 'agree', data: { at: START, line: 1, room: VILLAGE } });
    expect(here.acts).toMatchObject([
      { id: 's1', subject: 't1', source: 'player', data: { seat: 0, question: 'round-1/day-1/talk', says: ['hello'] } },
    ]);
    expect(here.hub.dead).toEqual([]);
  });

  it('is stored only once the gamemaster has recorded it', async () => {
    await opened();
    await here.speak(0, 'hello');
    expect((await here.read(1)).lines).toEqual([]);
  });

  it('sent again counts once', async () => {
    await opened();
    for (let n = 0; n < 5; n++) expect(reasonOf(await here.speak(0, 'hello', { id: 'same' }))).toBeUndefined();
    expect(new Set(here.acts.map(({ id }) => id))).toEqual(new Set(['same']));
    for (const id of ['b', 'c']) expect(reasonOf(await here.speak(0, 'more', { id }))).toBeUndefined();
    expect(reasonOf(await here.speak(0, 'too much'))).toBe('too-fast');
  });
});

describe('the gamemaster decides', () => {
  it('why a member may not speak', async () => {
    await opened();
    here.says(() => ({ performative: 'refuse', data: { reason: 'not-asked', detail: 'nothing left' } }));
    expect(await here.speak(2, 'hello')).toEqual({ performative: 'refuse', data: { reason: 'not-asked', detail: 'nothing left' } });
    expect(here.acts).toMatchObject([{ data: { seat: 2, question: 'round-1/day-1/talk', says: ['hello'] } }]);
  });

  it('whether a room is closed after its time', async () => {
    await opened();
    here.clock.now = START + 60_000;
    expect(reasonOf(await here.speak(0, 'hello'))).toBeUndefined();
    expect(here.acts).toHaveLength(1);
    expect(await here.read(0)).toMatchObject({ isOpen: true });
  });
});

describe('a speech to a closed room', () => {
  const closed = async (): Promise<void> => {
    await here.tell('room.close', { room: VILLAGE, closed: 9, lines: 0 });
    await until('the closing', async () => (await here.rooms.room('t1', VILLAGE))!.closed);
  };

  it('is forwarded with an objection', async () => {
    await opened();
    await closed();
    here.says(() => ({ performative: 'refuse', data: { reason: 'room-closed' } }));
    expect(await here.speak(0, 'hello', { id: 'late' })).toEqual({ performative: 'refuse', data: { reason: 'room-closed' } });
    expect(here.acts).toMatchObject([{ id: 'late', data: { seat: 0, says: ['hello'], objection: 'room-closed' } }]);
  });

  it('is forwarded without one when it was forwarded before the closing', async () => {
    await opened();
    await here.speak(0, 'hello', { id: 'same' });
    await closed();
    await here.speak(0, 'hello', { id: 'same' });
    expect(here.acts.map(({ id, data }) => [id, data.objection])).toEqual([
      ['same', undefined],
      ['same', undefined],
    ]);
  });
});

it.each([
  ['a line break', 'a\r\nb', 'a b'],
  ['a tab', 'a\tb', 'a b'],
  ['a soft hyphen', 'a\u00adb', 'ab'],
  ['a mark of a phone’s Arabic keyboard', '\u061cسلام', 'سلام'],
  ['letters in parts', 'Zoe\u0308', 'Zoë'],
])('a speech with %s is mended before it is forwarded', async (_, text, said) => {
  await opened();
  expect(reasonOf(await here.speak(0, text))).toBeUndefined();
  expect(here.acts.at(-1)!.data.says).toEqual([said]);
});

describe('a speech is refused, counted once and not forwarded', () => {
  const refused = async (reason: string, speech: () => ReturnType<Rig['speak']>): Promise<void> => {
    const [before, passed] = [await refusals(reason), here.acts.length];
    expect(await speech()).toMatchObject({ performative: 'refuse', data: { reason } });
    expect(await refusals(reason)).toBe(before + 1);
    expect(here.acts.length).toBe(passed);
    expect(here.hub.dead).toEqual([]);
  };

  it.each([
    ['that is too long', 'too-long', 0, 'x'.repeat(21)],
    ['that says nothing', 'nothing-said', 0, ' '],
    ['with control characters', 'unprintable', 0, 'a\u0007b'],
    ['with a private character', 'unprintable', 0, 'a\ue000b'],
  ])('%s', async (_, reason, seat, text) => {
    await opened();
    await refused(reason, () => here.speak(seat, text));
  });

  it('when it is too fast, for that seat only', async () => {
    await opened();
    for (let n = 0; n < 3; n++) expect(reasonOf(await here.speak(0, 'hello'))).toBeUndefined();
    const refusal = await here.speak(0, 'hello');
    expect(refusal).toMatchObject({ performative: 'refuse', data: { reason: 'too-fast', waitMs: 1_000 } });
    expect(reasonOf(await here.speak(1, 'hello'))).toBeUndefined();
    here.clock.now += 1_000;
    expect(reasonOf(await here.speak(0, 'hello'))).toBeUndefined();
    await refused('too-fast', () => here.speak(0, 'hello'));
  });

  it('when the room never opens', async () => {
    const speech = here.speak(0, 'hello');
    await here.ask('room.who', { room: VILLAGE, seat: 0 }); // taken after it, so now it waits
    here.clock.now += 2_999;
    await here.ask('room.who', { room: VILLAGE, seat: 0 });
    const before = await refusals('not-a-member');
    here.clock.now += 1;
    expect(reasonOf(await speech)).toBe('not-a-member');
    expect([(await refusals('not-a-member')) - before, here.acts.length, here.hub.dead.length]).toEqual([1, 0, 0]);
  });

  it('from a stranger, with the delay and text of a missing room', async () => {
    await opened();
    const nowhere = 'round-1/night-1/Hideout';
    let told = 0;
    const speeches = [VILLAGE, nowhere].map((room) => here.speak(3, 'hello', { room }).finally(() => told++));
    await here.ask('room.who', { room: VILLAGE, seat: 0 }); // taken after them, so now they wait
    here.clock.now += 2_999;
    await here.ask('room.who', { room: VILLAGE, seat: 0 });
    expect(told).toBe(0);
    here.clock.now += 1;
    expect(await Promise.all(speeches)).toMatchObject(
      [VILLAGE, nowhere].map((room) => ({
        performative: 'refuse',
        data: { reason: 'not-a-member', detail: `seat 3 is in no room ${room}` },
      })),
    );
    expect(here.acts).toEqual([]);
  });
});

describe('a speech before its room', () => {
  it('waits and is forwarded when the room opens', async () => {
    let answer: Awaited<ReturnType<Rig['speak']>> | undefined;
    const speech = here.speak(0, 'early').then((reply) => (answer = reply));
    expect(reasonOf(await here.ask('room.who', { room: VILLAGE, seat: 0 }))).toBe('not-a-member'); // taken after it, answered before it
    expect(answer).toBeUndefined();
    await opened();
    expect(reasonOf(await speech)).toBeUndefined();
    expect(here.acts).toHaveLength(1);
  });

  it('is forwarded when it comes again after its room, which it did not find before', async () => {
    const speech = here.speak(0, 'early', { id: 'same' });
    await here.ask('room.who', { room: VILLAGE, seat: 0 }); // taken after it, so now it waits
    here.clock.now += 3_000;
    expect(reasonOf(await speech)).toBe('not-a-member');
    await opened();
    expect(await here.speak(0, 'early', { id: 'same' })).toMatchObject({ performative: 'agree' });
  });

  it('is forwarded when another replica got the opening', async () => {
    const other = memoryHub();
    await here.replica(other);
    const speech = here.speak(0, 'early');
    await here.tell('room.open', here.opening(), { on: other });
    expect(reasonOf(await speech)).toBeUndefined();
  });

  it('waits for a room that closed before it opened, and is refused then', async () => {
    await here.tell('room.close', { room: VILLAGE, closed: 9, lines: 0 });
    const speech = here.speak(0, 'early');
    expect(reasonOf(await here.ask('room.who', { room: VILLAGE, seat: 0 }))).toBe('not-a-member');
    here.says(() => ({ performative: 'refuse', data: { reason: 'room-closed' } }));
    await here.tell('room.open', here.opening());
    expect(reasonOf(await speech)).toBe('room-closed');
    expect(here.acts).toMatchObject([{ data: { objection: 'room-closed' } }]);
  });

  it('does not block openings, however many wait', async () => {
    await here.close();
    here = await rig({ concurrency: 4, aheadMs: 3_000 });
    const early = Array.from({ length: 20 }, (_, n) => here.speak(0, 'early', { room: `round-1/day-${n}/Nowhere`, id: `early-${n}` }));
    const speech = here.speak(0, 'hello');
    await here.tell('room.open', here.opening());
    expect(reasonOf(await speech)).toBeUndefined();
    here.clock.now += 3_000;
    expect(new Set((await Promise.all(early)).map(reasonOf))).toEqual(new Set(['not-a-member']));
    expect(here.hub.dead).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { alarms } from './alarms.ts';
import { type Rig, rig, START, until } from '../rig.suite.ts';

let here: Rig;
beforeEach(() => {
  here = rig();
});
afterEach(() => here.close());

const DAY = { dayMs: 60_000, nightMs: 60_000 };
const nights = () => here.count('dusked');

describe('an alarm', () => {
  it('ends the day at its time, not before', async () => {
    const at = await here.replica();
    await here.seated(at, { options: DAY });
    here.clock.now += DAY.dayMs - 1;
    const alarm = here.clock.now + 1;
    await at.tell('table.tick', { alarm }, { source: 'gamemaster', id: 'early' });
    await at.get('table.view', { eye: 'audience' });
    expect(await nights()).toBe(0);
    await here.wait(at);
    expect(await nights()).toBe(1);
  });

  it("that arrives slightly early, by the receiver's clock, waits", async () => {
    let calls = Number.POSITIVE_INFINITY;
    // Moves on by itself once the tick has been looked at.
    const at = await here.replica({ now: () => here.clock.now + (calls-- > 0 ? 0 : 20) });
    await here.seated(at, { options: DAY });
    here.clock.now += DAY.dayMs - 20;
    calls = 2;
    await at.tell('table.tick', { alarm: here.clock.now + 20 }, { source: 'gamemaster', id: 'early', at: here.clock.now });
    await until('the night', nights);
  });

  it('ends one phase however late it rings', async () => {
    const at = await here.replica({ alarmEveryMs: 1 });
    await here.seated(at, { options: DAY });
    here.clock.now += 10 * DAY.dayMs;
    await until('the night', nights);
    const [due] = await here.store.tapes.due(Number.MAX_SAFE_INTEGER, 1);
    expect(due!.alarm).toBe(here.clock.now + DAY.nightMs); // a night lasts as long as it should, from when it fell
    expect(await here.count('dawned')).toBe(1);
  });

  it('is measured by how late it rings', async () => {
    const at = await here.replica();
    await here.seated(at, { options: DAY });
    metrics.alarmsLate.reset();
    here.clock.now += DAY.dayMs + 2_500;
    await here.wait(at);
    const { values } = await metrics.alarmsLate.get();
    expect(values.find(({ metricName }) => metricName === 'maw_alarm_lateness_seconds_sum')?.value).toBe(2.5);
  });

  it('is idempotent, by the same tick or another', async () => {
    const at = await here.replica();
    await here.seated(at, { minds: [0, 1, 2, 3, 4, 5], options: DAY });
    await here.wait(at);
    const tape = await here.tapeOf();
    const said = [...at.said];
    const [first] = tape.filter(({ event }) => event.type === 'dusked');
    for (const id of [first!.cause, 'another']) await at.tell('table.tick', { alarm: here.clock.now }, { source: 'gamemaster', id });
    await at.get('table.view', { eye: 'audience' });
    expect(await here.tapeOf()).toEqual(tape);
    const again = at.said.slice(said.length);
    expect(again.length).toBeGreaterThan(0);
    expect(said).toEqual(expect.arrayContaining(again));
    expect(at.dead).toEqual([]);
  });

  it('ends the phase once when two replicas ring, and what follows is sent once', async () => {
    const hub = memoryHub();
    const [at, other] = [await here.replica({ hub, alarmEveryMs: 1 }), await here.replica({ hub, alarmEveryMs: 1 })];
    await here.seated(at, { options: DAY });
    for (let n = 1; n <= 3; n++) {
      here.clock.now += DAY.dayMs;
      await until(`phase ${n}`, async () => (await nights()) + (await here.count('dawned')) === n + 1);
    }
    expect(await nights()).toBe(2);
    await Promise.all([at, other].map((each) => each.close())); // once all ticks have been taken
    const moved = [at, other].flatMap((each) => each.of('table.moved').map(({ id }) => id));
    expect(moved).toEqual([...new Set(moved)]);
    expect(hub.dead).toEqual([]);
  });

  it('rings after a restart', async () => {
    const first = await here.replica();
    await here.seated(first, { options: DAY });
    await first.close();
    here.clock.now += DAY.dayMs;
    await here.replica({ alarmEveryMs: 1 });
    await until('the night', nights);
  });

  it('rings for every table', async () => {
    const at = await here.replica({ alarmEveryMs: 1 });
    for (const table of ['a', 'b', 'c']) await here.seated(at, { table, options: DAY });
    here.clock.now += DAY.dayMs;
    for (const table of ['a', 'b', 'c']) await until(`the night of ${table}`, () => here.count('dusked', table));
  });
});

describe('polling for alarms', () => {
  let looks: number;
  let rung: Message<'table.tick'>[];
  let isUp: boolean;
  let isPaused: boolean;
  let isFailing: boolean;
  let fails: number;
  let resumedAt: number;
  let ageMs: number;
  let due: { table: string; alarm: number }[];
  let looking: { close(): Promise<void> } | undefined;
  const alarm = START - 1;
  const look = () => {
    const inner = memoryBus({ service: 'gamemaster' });
    const bus: Bus = {
      ...inner,
      isUp: () => isUp,
      isPaused: () => isPaused,
      publish: async (message) => void rung.push(message as Message<'table.tick'>),
    };
    const tapes = {
      ...here.store.tapes,
      due: async () => {
        looks++;
        if (fails-- > 0) throw new Error('the database is away');
        return due;
      },
    };
    looking = alarms({
      bus,
      tapes,
      now: () => here.clock.now,
      heartbeat: { resumedAt: () => resumedAt, isFailing: () => isFailing },
      log: logger('test', { level: 'silent' }),
      replica: 'one',
      isOurs: (table) => !table.startsWith('other'),
      messageAgeMs: () => ageMs,
      everyMs: 1,
    });
  };
  const more = async (): Promise<void> => {
    const before = looks;
    await until('further looks', () => looks > before + 3);
  };
  beforeEach(() => {
    looks = 0;
    rung = [];
    isUp = true;
    isPaused = false;
    isFailing = false;
    fails = 0;
    resumedAt = 0;
    ageMs = 0;
    due = [{ table: 't1', alarm }];
  });
  afterEach(() => looking?.close());

  it('rings again after a second with the same message while due', async () => {
    look();
    await more();
    expect(rung).toMatchObject([{ id: `t1/tick/${alarm}/one`, subject: 't1', data: { alarm } }]);
    here.clock.now += 999;
    await more();
    expect(rung).toHaveLength(1);
    here.clock.now += 1;
    await more();
    expect(rung).toHaveLength(2);
    expect(rung[1]!.id).toBe(rung[0]!.id);
  });

  it('does not ring again before a message as old as the last one was taken', async () => {
    ageMs = 60_000; // the tick waits behind a minute of messages
    look();
    await more();
    here.clock.now += 60_999;
    await more();
    expect(rung).toHaveLength(1);
    here.clock.now += 1;
    await more();
    expect(rung).toHaveLength(2);
  });

  it('rings for tables of another replica only when they are two seconds overdue', async () => {
    due = [{ table: 'other', alarm: here.clock.now - 2_000 }];
    look();
    await more();
    expect(rung).toEqual([]);
    here.clock.now += 1;
    await until('the ringing', () => rung.length === 1);
  });

  it('rings at once after the clock was set back', async () => {
    look();
    await more();
    await more();
    expect(rung).toHaveLength(1);
    here.clock.now -= 3_600_000;
    await until('the second ringing', () => rung.length === 2);
    await more();
    expect(rung).toHaveLength(2);
    expect(rung[1]!.id).toBe(rung[0]!.id);
  });

  it('rings at once after an outage, however long it was to wait', async () => {
    look();
    for (const wait of [0, 1_000, 2_000, 4_000]) {
      here.clock.now += wait;
      await more();
    }
    expect(rung).toHaveLength(4);
    here.clock.now += 100;
    resumedAt = here.clock.now;
    await more();
    expect(rung).toHaveLength(5);
  });

  it('rings 64 at once, the most overdue first, and others as these are settled', async () => {
    const tables = Array.from({ length: 200 }, (_, n) => ({ table: `t${n}`, alarm: alarm - 200 + n }));
    due = [...tables];
    look();
    await more();
    expect(rung.map(({ subject }) => subject)).toEqual(tables.slice(0, 64).map(({ table }) => table));
    due = tables.slice(60);
    await more();
    expect(rung.slice(64).map(({ subject }) => subject)).toEqual(tables.slice(64, 124).map(({ table }) => table));
  });

  it('is not held up by alarms that ring again and again', async () => {
    due = Array.from({ length: 64 }, (_, n) => ({ table: `stuck${n}`, alarm: alarm - 100 }));
    look();
    await more();
    here.clock.now += 1_000;
    await more();
    expect(rung).toHaveLength(128);
    due = [...due, { table: 't1', alarm }];
    await more();
    expect(rung.slice(128).map(({ subject }) => subject)).toEqual(['t1']);
  });

  it('retries when the tapes cannot be read', async () => {
    fails = 3;
    look();
    await until('the ringing', () => rung.length === 1);
    expect(looks).toBeGreaterThan(3);
  });

  it('stops while the broker is down, consuming is paused or heartbeats fail, and after closing', async () => {
    isUp = false;
    look();
    await meanwhile();
    [isUp, isPaused] = [true, true];
    await meanwhile();
    [isPaused, isFailing] = [false, true];
    await meanwhile();
    expect(looks).toBe(0);
    isFailing = false;
    await more();
    await looking!.close();
    const before = looks;
    await meanwhile();
    expect(looks).toBe(before);
  });

  /** As long as another one takes to look several times. */
  async function meanwhile(): Promise<void> {
    let others = 0;
    const tapes = { ...here.store.tapes, due: async () => (others++, []) };
    const log = logger('test', { level: 'silent' });
    const other = alarms({
      bus: memoryBus({ service: 'other' }),
      tapes,
      now: () => here.clock.now,
      heartbeat: { resumedAt: () => 0, isFailing: () => false },
      log,
      replica: 'other',
      isOurs: () => true,
      messageAgeMs: () => 0,
      everyMs: 1,
    });
    await until('another one’s looks', () => others > 5);
    await other.close();
  }
});

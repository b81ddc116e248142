import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Subscription } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { Conflict } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { databaseClock } from '@maw/service/database-clock.ts';
import type { ReplicaOptions } from '../replica.suite.ts';
import { type Rig, rig, START, until } from '../rig.suite.ts';
import { RECONNECT_MS } from './time-given-back.ts';
import { heartbeatMonitor } from './heartbeat.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A machine whose clock can be set apart from the database's. */
function portsOf() {
  const here = { now: 1_000_000, ahead: 0, beats: 0, probes: 0, isAway: false };
  const store = memoryStore({ now: () => here.now });
  const clock = databaseClock({ wall: () => here.now + here.ahead, steady: () => here.now });
  const bus = memoryBus({ service: 'gamemaster', hub: memoryHub() });
  const heartbeat = {
    beat: async (...about: Parameters<typeof store.heartbeat.beat>) => {
      here.beats++;
      here.probes += about[1]?.isProbe ? 1 : 0;
      if (here.isAway) throw new Error('the database is away');
      return store.heartbeat.beat(...about);
    },
  };
  const log = logger('gamemaster', { level: 'silent' });
  closing.push(
    () => store.close(),
    () => bus.close(),
  );
  return { here, heartbeat, bus, tapes: store.tapes, clock, log };
}

/** A monitor on such a machine, which beats only when it is asked to. */
function monitor() {
  const { here, ...ports } = portsOf();
  // The timer is set so far ahead that it never rings here: five times that is what an outage is longer than.
  const beating = heartbeatMonitor({ ...ports, everyMs: 600_000 });
  closing.push(() => beating.close());
  return { here, bus: ports.bus, ...beating };
}

describe('the heartbeat monitor', () => {
  it('does not beat while its gamemaster consumes nothing', async () => {
    const { here, bus, begin } = monitor();
    await bus.pause();
    await begin();
    expect(here.beats).toBe(0);
    await bus.resume();
    await begin();
    expect(here.beats).toBe(1);
  });

  it('relies on a beat for half of the shortest outage', async () => {
    const { here, begin, lostTime } = monitor();
    await begin();
    here.now += 1_500_000;
    await lostTime();
    expect(here.beats).toBe(1);
    here.now += 1;
    await lostTime();
    expect(here.beats).toBe(2);
    here.ahead -= 1_500_001; // it was set back
    await lostTime();
    expect(here.beats).toBe(3);
  });

  it('probes whether tapes can be written after a failed append, until that succeeds once', async () => {
    const { here, begin, appendFailed } = monitor();
    await begin();
    expect(here.probes).toBe(0);
    appendFailed();
    here.isAway = true;
    await begin();
    here.isAway = false;
    for (let n = 0; n < 3; n++) await begin();
    expect([here.beats, here.probes]).toEqual([5, 2]);
  });

  it('says once that an append failed, and probes when another gamemaster says so', async () => {
    const { here, begin, bus, appendFailed, hear } = monitor();
    const said: Message<'tape.failed'>[] = [];
    await bus.subscribe(['tape.failed'], async (message) => void said.push(message));
    await begin();
    appendFailed();
    appendFailed();
    await until('the news', () => said.length);
    await begin();
    await begin();
    expect([here.beats, here.probes, said.length]).toEqual([3, 1, 1]);
    hear(said[0]!);
    await begin();
    expect([here.probes, said.length]).toEqual([2, 1]);
  });

  it('withdraws the probe of a beat that took too long', async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const { bus, begin } = monitor();
      const signals: (AbortSignal | undefined)[] = [];
      bus.probe = async (_, signal) => {
        signals.push(signal);
        return Promise.withResolvers<never>().promise;
      };
      const beginning = begin();
      await jest.advanceTimersByTimeAsync(4_999);
      expect(signals).toMatchObject([{ aborted: false }]);
      await jest.advanceTimersByTimeAsync(1);
      expect(signals).toMatchObject([{ aborted: true }]);
      await beginning;
    } finally {
      jest.useRealTimers();
    }
  });

  it('goes on beating while no beat is answered, ten at a time', async () => {
    const { here, ...ports } = portsOf();
    const answered = Promise.withResolvers<void>();
    let started = 0;
    const probe: typeof ports.bus.probe = async (...about) => {
      started++;
      await answered.promise;
      return ports.bus.probe(...about);
    };
    const beating = heartbeatMonitor({ ...ports, bus: { ...ports.bus, probe }, everyMs: 2 });
    closing.push(() => beating.close());
    await until('ten beats', () => started >= 10);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([started, here.beats]).toEqual([10, 0]);
    answered.resolve();
    await until('all answers', () => here.beats >= 10);
  });

  it('is not ready while its beats fail', async () => {
    const { here, begin, check } = monitor();
    await begin();
    expect(check()).toBeUndefined();
    here.isAway = true;
    await begin();
    expect(check).toThrow('no heartbeat: the database is away');
    here.isAway = false;
    await begin();
    expect(check()).toBeUndefined();
  });
});

describe('a gamemaster', () => {
  const MINUTE = 60_000;
  const DAY = { dayMs: MINUTE, nightMs: MINUTE };
  let world: Rig;
  const begin = (): Rig => {
    world = rig();
    closing.push(() => world.close());
    return world;
  };
  const replica = (options: Partial<ReplicaOptions> = {}) =>
    world.replica({ heartbeat: world.store.heartbeat, heartbeatMs: 5, ...options });
  const delays = async () => (await world.tapeOf()).flatMap(({ event }) => (event.type === 'delayed' ? [event['ms']] : []));

  it('whose database has no space gives the time back, and says that it is not ready', async () => {
    const { store, clock, seated, count } = begin();
    let isFull = false;
    let failed = 0;
    const noSpace = () => Promise.reject(new Error('could not extend file: No space left on device'));
    // As PostgreSQL does: a row that exists is overwritten in its page.
    const heartbeat = {
      beat: (...about: Parameters<typeof store.heartbeat.beat>) =>
        isFull && about[1]?.isProbe ? (failed++, noSpace()) : store.heartbeat.beat(...about),
    };
    const tapes = {
      ...store.tapes,
      append: (...about: Parameters<typeof store.tapes.append>) => (isFull ? noSpace() : store.tapes.append(...about)),
    };
    const at = await replica({ heartbeat, tapes, heartbeatMs: 200 });
    await seated(at, { options: DAY });
    isFull = true;
    const vote = at.ask('table.act', { seat: 0, question: 'round-1/day-1/vote', says: ['seat:1'] }, { replyBy: START + 10 * MINUTE });
    await until('a probe', () => failed > 0);
    expect(at.check).toThrow(/no heartbeat: .*No space left/);
    clock.now += MINUTE + 1;
    const before = failed;
    await until('further probes', () => failed > before + 2);
    isFull = false;
    expect((await vote).performative).toBe('agree');
    expect([await count('dusked'), await delays()]).toEqual([0, [MINUTE + 1 + RECONNECT_MS]]);
    expect(at.check()).toBeUndefined();
    expect(at.dead).toEqual([]);
  });

  it('whose database stalls while it loads a table knows of that outage', async () => {
    const { store, clock, seated, count } = begin();
    const first = await replica();
    await seated(first, { options: DAY });
    await first.close();
    const [stalled, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    const read: typeof store.tapes.read = async (...about) => {
      const tape = await store.tapes.read(...about);
      reads++;
      await stalled.promise;
      return tape;
    };
    let isStalled = false;
    const beat: typeof store.heartbeat.beat = async (...about) => {
      if (isStalled) await answered.promise;
      return store.heartbeat.beat(...about);
    };
    const at = await replica({ heartbeat: { beat }, tapes: { ...store.tapes, read, due: async () => [] }, heartbeatMs: 200 });
    isStalled = true;
    await at.tell('table.tick', { alarm: clock.now }, { source: 'gamemaster', replyBy: START + 10 * MINUTE });
    await until('the reading', () => reads > 0);
    clock.now += MINUTE + 1;
    stalled.resolve(); // the reading is answered first
    await new Promise(setImmediate);
    answered.resolve();
    await until('the decision', async () => (await count('dusked')) + (await count('delayed')));
    expect([await count('dusked'), await delays()]).toEqual([0, [MINUTE + 1 + RECONNECT_MS]]);
  });

  it('takes a conflict for no failure of the database', async () => {
    const { store, seated } = begin();
    let conflicts = 0;
    let probes = 0;
    const heartbeat = {
      beat: (...about: Parameters<typeof store.heartbeat.beat>) => {
        probes += about[1]?.isProbe ? 1 : 0;
        return store.heartbeat.beat(...about);
      },
    };
    const tapes = {
      ...store.tapes,
      append: (...about: Parameters<typeof store.tapes.append>) =>
        conflicts++ === 3 ? Promise.reject(new Conflict('too late')) : store.tapes.append(...about),
    };
    await seated(await replica({ heartbeat, tapes }));
    expect(conflicts).toBeGreaterThan(4);
    expect(probes).toBe(0);
  });

  describe('without consumers of', () => {
    const consume = async (queue: 'player' | 'chatroom', hub = memoryHub()): Promise<{ hub: typeof hub; consumer: Subscription }> => {
      const bus = memoryBus({ service: queue, hub });
      closing.push(() => bus.close());
      return { hub, consumer: await bus.consume(queue, ['seat.decide'], { concurrency: 9 }, async () => undefined) };
    };
    /** Time passes, in steps in each of which the gamemaster beats. */
    const pass = async (ms: number): Promise<void> => {
      const { clock, store } = world;
      for (const end = clock.now + ms; clock.now < end; await store.heartbeat.beat(1_000)) clock.now = Math.min(end, clock.now + 400);
    };
    const beating = async (hub: ReturnType<typeof memoryHub>, tells: string[] = []) => {
      let beats = 0;
      const { heartbeat } = world.store;
      const counting = { beat: async (...about: Parameters<typeof heartbeat.beat>) => heartbeat.beat(...about).finally(() => beats++) };
      const at = await replica({ hub, heartbeat: counting, heartbeatMs: 200, alarmEveryMs: 5, sending: ({ id }) => void tells.push(id) });
      const more = async (): Promise<void> => {
        const before = beats;
        await until('two more beats', () => beats > before + 1);
      };
      return { at, more };
    };

    it.each([
      ['player', [1, 2]],
      ['chatroom', []],
    ] as const)('the queue %s, tables stand still and get the time back', async (queue, minds) => {
      begin();
      const { hub, consumer } = await consume(queue);
      const { at, more } = await beating(hub);
      await world.seated(at, { minds: [...minds], options: DAY });
      await more();
      await consumer.stop();
      await more();
      await pass(75_000);
      expect([await world.count('dusked'), await world.count('delayed')]).toEqual([0, 0]);
      await consume(queue, hub);
      await until('the delay', () => world.count('delayed'));
      expect([await world.count('dusked'), await delays()]).toEqual([0, [75_000 + RECONNECT_MS]]);
    });

    it('minds, a suspended player counts, though the broker knows nothing of it', async () => {
      begin();
      const { hub } = await consume('player');
      await consume('chatroom', hub);
      const player = memoryBus({ service: 'player', hub });
      closing.push(() => player.close());
      const machine = { steady: 0, consumed: [] as readonly string[] };
      const { heartbeat } = world.store;
      const slow: typeof heartbeat = {
        async beat(maxSilenceMs, about) {
          machine.consumed = about?.consumed ?? [];
          machine.steady += 300;
          return heartbeat.beat(maxSilenceMs, about);
        },
      };
      await replica({ hub, heartbeat: slow, steady: () => machine.steady });
      const sign = contracts.write('service.alive', { replica: 'a' }, { id: 'sign', source: 'player', subject: '-', at: START });
      await player.publish(sign);
      await until('its absence', () => machine.consumed.join() === 'chatroom');
      await player.publish(sign);
      await until('its return', () => machine.consumed.join() === 'player,chatroom');
    });

    it('minds, an act that comes after the end of a phase is in time', async () => {
      begin();
      const { hub, consumer } = await consume('player');
      const { at, more } = await beating(hub);
      await world.seated(at, { minds: [1, 2], options: DAY });
      await more();
      await consumer.stop();
      await more();
      await pass(70_000);
      const question = 'round-1/day-1/vote';
      expect(await at.get('table.act', { seat: 0, question, says: ['seat:3'] })).toMatchObject({ at: world.clock.now });
      expect((await at.ask('table.act', { seat: 0, question, says: ['seat:9'] })).performative).toBe('refuse');
      expect([await world.count('answered'), await world.count('refused')]).toEqual([1, 1]);
      expect(await delays()).toEqual([]); // one would reveal when somebody acted
      await consume('player', hub);
      await until('the delay', () => world.count('delayed'));
      expect([await world.count('dusked'), await delays()]).toEqual([0, [70_000 + RECONNECT_MS]]);
    });

    it('minds, a table of people goes on', async () => {
      begin();
      const { hub, consumer } = await consume('player');
      const { at, more } = await beating(hub);
      await world.seated(at, { options: DAY });
      await more();
      await consumer.stop();
      await more();
      await pass(75_000);
      await until('the night', () => world.count('dusked'));
      expect(await delays()).toEqual([]);
    });

    it('minds for more than a day, phases end with their defaults', async () => {
      begin();
      const { hub, consumer } = await consume('player');
      const { at, more } = await beating(hub);
      await world.seated(at, { minds: [1, 2], options: DAY });
      await more();
      await consumer.stop();
      world.clock.now += 1_000;
      await world.store.heartbeat.beat(86_400_000); // no outage
      await more();
      world.clock.now += 86_400_000;
      await world.store.heartbeat.beat(2 * 86_400_000);
      await until('the night', () => world.count('dusked'));
      expect(await delays()).toEqual([]);
    });
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { memoryStore } from '@maw/store/memory.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { databaseClock } from './clock.ts';
import { heartbeatMonitor as heartOf } from './heartbeat.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A heart on a machine whose clock is so far ahead of the database's. It beats only when it is asked to. */
function heart(aheadMs = 0) {
  const here = { now: 1_000_000, ahead: aheadMs, beats: 0, isAway: false };
  const store = memoryStore({ now: () => here.now });
  const lines: string[] = [];
  const clock = databaseClock({ wall: () => here.now + here.ahead, steady: () => here.now });
  const bus = memoryBus({ service: 'gamemaster', hub: memoryHub() });
  const pulse = {
    beat: async (longestMs: number) => {
      here.beats++;
      if (here.isAway) throw new Error('the database is away');
      return store.heartbeat.beat(longestMs);
    },
  };
  const log = logger('gamemaster', { destination: { write: (line) => void lines.push(line) } });
  // The timer is set so far ahead that it never rings here: five times that is what an outage is longer than.
  const beating = heartOf({ pulse, bus, tapes: store.tapes, clock, log, everyMs: 600_000 });
  closing.push(
    () => store.close(),
    () => bus.close(),
    () => beating.close(),
  );
  return { here, clock, lines, ...beating };
}

describe('the heartbeat monitor', () => {
  it.each([
    [2_000, 0],
    [2_001, 1],
    [-2_000, 0],
    [-2_001, 1],
  ])(
    'of a machine whose clock is %s ms ahead of the database’s says so %s times, and goes by that of the database',
    async (ahead, times) => {
      const { here, clock, lines, begin, outages } = heart(ahead);
      await begin();
      expect(clock.now()).toBe(here.now);
      here.now += 2_000_000;
      await outages();
      expect(here.beats).toBe(2);
      expect((await metrics.clockAhead.get()).values).toEqual([{ labels: { service: 'gamemaster' }, value: ahead / 1000 }]);
      expect(lines.filter((line) => line.includes('clock of this machine differs')).map((line) => JSON.parse(line).aheadMs)).toEqual(
        Array.from({ length: times }, () => ahead),
      );
    },
  );

  it('shows its clock difference while it is known', async () => {
    const { here, begin, close } = heart(3_000);
    const shown = async () => (await metrics.clockAhead.get()).values.map(({ value }) => value);
    await begin();
    expect(await shown()).toEqual([3]);
    here.isAway = true;
    await begin();
    expect(await shown()).toEqual([]);
    here.isAway = false;
    await begin();
    expect(await shown()).toEqual([3]);
    await close();
    expect(await shown()).toEqual([]);
  });

  it('relies on a beat for half of the shortest outage', async () => {
    const { here, begin, outages } = heart();
    await begin();
    here.now += 1_500_000;
    await outages();
    expect(here.beats).toBe(1);
    here.now += 1;
    await outages();
    expect(here.beats).toBe(2);
    here.ahead -= 1_500_001; // it was set back
    await outages();
    expect(here.beats).toBe(3);
  });
});

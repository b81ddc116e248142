import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { memoryStore } from '@maw/testing/memory-store/memory-store.ts';
import { logger } from '@maw/telemetry/log.ts';
import { databaseClock } from '@maw/service/database-clock.ts';
import { heartbeatMonitor as heartOf } from './heartbeat.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A heart on a machine whose clock can be set apart from the database's. It beats only when it is asked to. */
function heart() {
  const here = { now: 1_000_000, ahead: 0, beats: 0 };
  const store = memoryStore({ now: () => here.now });
  const clock = databaseClock({ wall: () => here.now + here.ahead, steady: () => here.now });
  const bus = memoryBus({ service: 'gamemaster', hub: memoryHub() });
  const pulse = {
    beat: async (longestMs: number) => {
      here.beats++;
      return store.heartbeat.beat(longestMs);
    },
  };
  const log = logger('gamemaster', { level: 'silent' });
  // The timer is set so far ahead that it never rings here: five times that is what an outage is longer than.
  const beating = heartOf({ pulse, bus, tapes: store.tapes, clock, log, everyMs: 600_000 });
  closing.push(
    () => store.close(),
    () => bus.close(),
    () => beating.close(),
  );
  return { here, bus, ...beating };
}

describe('the heartbeat monitor', () => {
  it('does not beat while its gamemaster consumes nothing', async () => {
    const { here, bus, begin } = heart();
    await bus.pause();
    await begin();
    expect(here.beats).toBe(0);
    await bus.resume();
    await begin();
    expect(here.beats).toBe(1);
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

import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type WatchedClock, watchClock } from './watch-clock.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const DATABASE = 9_000_000_000;

let closing: WatchedClock[] = [];
afterEach(() => {
  for (const clock of closing) clock.close();
  closing = [];
});

/** A service on a machine whose clock is so far ahead of the database's, and a bus that notes what it is told. */
async function machine(aheadMs = 0) {
  const here = { ahead: aheadMs, isAway: false, readings: 0, steady: 0, mayResume: true };
  const told: string[] = [];
  const lines: string[] = [];
  const watched = await watchClock({
    service: 'chatroom',
    read: async () => {
      here.readings++;
      if (here.isAway) throw new Error('the database is away');
      return DATABASE;
    },
    log: logger('chatroom', { destination: { write: (line) => void lines.push(line) } }),
    everyMs: 1,
    wall: () => DATABASE + here.ahead,
    steady: () => here.steady,
  });
  closing.push(watched);
  const bus = {
    pause: async () => void told.push('pause'),
    resume: async () => {
      if (!here.mayResume) throw new Error('the broker says no');
      told.push('resume');
    },
  };
  await watched.guard(bus);
  const fault = (): string | undefined => {
    try {
      watched.check();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  /** Waits until the clock was read again, and what follows is done. */
  const read = async () => {
    const { readings } = here;
    await pollUntil('two readings', () => here.readings >= readings + 2);
  };
  return { here, told, lines, now: watched.now, isFresh: watched.isFresh, fault, read };
}

const ahead = async () => (await metrics.clockAhead.get()).values.find(({ labels }) => labels.service === 'chatroom')?.value;

describe('the watched clock', () => {
  it.each([
    [6 * SECOND, '6.0 s ahead of'],
    [-6 * SECOND, '6.0 s behind'],
    [10 * MINUTE, '600.0 s ahead of'],
    [-10 * MINUTE, '600.0 s behind'],
    [HOUR, '3600.0 s ahead of'],
    [-HOUR, '3600.0 s behind'],
  ])('pauses and logs when the machine starts %d ms ahead', async (by, words) => {
    const { here, told, fault, lines, now, read } = await machine(by);
    expect([told, now()]).toEqual([['pause'], DATABASE]);
    expect(fault()).toBe(`the clock of this machine is ${words} that of the database: no messages are consumed; set it`);
    expect(await ahead()).toBe(by / 1000);
    await read();
    here.ahead = 0;
    await pollUntil('it is right', () => fault() === undefined);
    expect([told, now(), await ahead()]).toEqual([['pause', 'resume'], DATABASE, 0]);
    expect(lines.map((line) => JSON.parse(line).aheadMs)).toEqual([by, 0]);
  });

  it.each([6 * SECOND, -6 * SECOND, HOUR, -HOUR])('pauses when it is set by %d ms, and its time stays continuous', async (by) => {
    const { here, told, fault, now } = await machine();
    expect([told, fault()]).toEqual([[], undefined]);
    here.ahead = by;
    expect(now()).toBe(DATABASE);
    await pollUntil('a fault', () => told.length > 0);
    expect([told, now()]).toEqual([['pause'], DATABASE]);
    expect(fault()).toContain('clock of this machine');
  });

  it('tolerates one second; once exceeded, it recovers below half a second', async () => {
    const { here, told, fault, read } = await machine(SECOND);
    expect([told, fault()]).toEqual([[], undefined]);
    here.ahead = SECOND + 1;
    await pollUntil('a pause', () => told.length === 1);
    here.ahead = SECOND / 2 + 1;
    await read();
    expect(fault()).toContain('0.5 s ahead of');
    here.ahead = SECOND / 2;
    await pollUntil('a resumption', () => told.length === 2);
  });

  it('changes nothing while the database does not answer, and hides the difference', async () => {
    const { here, told, fault, read, now } = await machine();
    here.isAway = true;
    here.ahead = HOUR;
    await read();
    expect([told, fault(), now(), await ahead()]).toEqual([[], undefined, DATABASE, undefined]);
    here.isAway = false;
    await pollUntil('a pause', () => told.length === 1);
    here.isAway = true;
    here.ahead = 0;
    await read();
    expect(told).toEqual(['pause']);
    expect(fault()).toBeDefined();
  });

  it('is fresh until the database has not answered for three seconds', async () => {
    const { here, isFresh, read } = await machine();
    here.isAway = true;
    await read();
    here.steady = 3 * SECOND;
    expect(isFresh()).toBe(true);
    here.steady++;
    expect(isFresh()).toBe(false);
    here.isAway = false;
    await pollUntil('it is fresh', isFresh);
  });

  it('is not ready until consuming is resumed, and tries that again', async () => {
    const { here, told, fault, read } = await machine(HOUR);
    here.mayResume = false;
    here.ahead = 0;
    await read();
    expect(fault()).toContain('not resumed yet');
    here.mayResume = true;
    await pollUntil('it is ready', () => fault() === undefined);
    expect(told).toEqual(['pause', 'resume']);
  });

  it.each([false, true])('starts before the database has answered only where that is optional: %j', async (isOptional) => {
    let answers = 0;
    const read = async () => {
      if (++answers < 3) throw new Error('the database is away');
      return DATABASE;
    };
    const log = logger('web', { level: 'silent' });
    const watched = await watchClock({ service: 'web', read, isOptional, log, everyMs: 1, wall: () => 5, steady: () => 0 });
    closing.push(watched);
    expect([answers, watched.now()]).toEqual(isOptional ? [1, 5] : [3, DATABASE]);
    await pollUntil('a reading', () => watched.now() === DATABASE);
  });

  it('leaves a service that consumes nothing ready, with a remark', async () => {
    const log = logger('web', { level: 'silent' });
    const watched = await watchClock({
      service: 'web',
      read: async () => DATABASE,
      log,
      wall: () => DATABASE + 6 * SECOND,
      steady: () => 0,
    });
    closing.push(watched);
    expect(watched.check()).toBe('the clock of this machine is 6.0 s ahead of that of the database; set it');
  });

  it('equals the machine clock without a database', async () => {
    const log = logger('web', { level: 'silent' });
    const watched = await watchClock({ service: 'web', read: undefined, log, wall: () => 5, steady: () => 0 });
    watched.check();
    expect([watched.now(), watched.clock.aheadMs()]).toEqual([5, undefined]);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Store } from '../store.ts';

/** The contract of the heartbeat, by the store's own clock. */
export function heartbeatSuite(store: () => Store): void {
  const beat = (maxSilenceMs: number) => store().heartbeat.beat(maxSilenceMs);

  describe('the heartbeat of a store', () => {
    it('is dated by the clock of the store', async () => {
      const first = await beat(1_000_000_000);
      expect(first.outages).toEqual([]);
      expect(Number.isSafeInteger(first.now)).toBe(true);
      const next = await pollUntil(
        'a later beat',
        async () => {
          const { now, outages } = await beat(1_000_000_000);
          expect(outages).toEqual([]);
          return now > first.now ? now : undefined;
        },
        { timeoutMs: 600_000 },
      );
      // With no silence allowed, the time between two beats is an outage.
      const { now, outages } = await pollUntil(
        'an outage',
        async () => {
          const told = await beat(0);
          return told.outages.length > 0 ? told : undefined;
        },
        { timeoutMs: 600_000 },
      );
      expect(outages).toHaveLength(1);
      expect(outages[0]!.to).toBe(now);
      expect(outages[0]!.from).toBeGreaterThanOrEqual(next);
      expect(outages[0]!.from).toBeLessThan(now);
    }, 600_000);
  });
}

/** A heartbeat with a clock that the test sets. */
export interface Timed {
  readonly heartbeat: Heartbeat;
  set(now: number): Promise<void>;
  clear(): Promise<void>;
}

/** The contract of the heartbeat, to the millisecond. */
export function timedHeartbeatSuite(name: string, timed: () => Timed): void {
  const beat = async (at: number, maxSilenceMs = 5_000) => {
    await timed().set(at);
    const { now, outages } = await timed().heartbeat.beat(maxSilenceMs);
    expect(now).toBe(at);
    return outages;
  };

  describe(name, () => {
    beforeEach(() => timed().clear());

    it('records no outage while beats are in time', async () => {
      expect(await beat(1_000_000)).toEqual([]);
      expect(await beat(1_005_000)).toEqual([]);
      expect(await beat(1_010_000)).toEqual([]);
    });

    it('records a longer silence from the last beat to the next', async () => {
      await beat(1_000_000);
      await beat(1_000_500);
      expect(await beat(1_005_501)).toEqual([{ from: 1_000_500, to: 1_005_501 }]);
      expect(await beat(1_005_502)).toEqual([{ from: 1_000_500, to: 1_005_501 }]);
      expect(await beat(1_020_000)).toEqual([
        { from: 1_000_500, to: 1_005_501 },
        { from: 1_005_502, to: 1_020_000 },
      ]);
    });

    it('records one outage for concurrent beats', async () => {
      await beat(1_000_000);
      await timed().set(9_000_000);
      const told = await Promise.all([1, 2, 3, 4].map(() => timed().heartbeat.beat(5_000)));
      const one = [{ from: 1_000_000, to: 9_000_000 }];
      expect(told).toEqual(told.map(() => ({ now: 9_000_000, outages: one, absences: [] })));
      expect(await beat(9_000_003)).toEqual(one);
    });

    it('neither creates nor hides an outage when the clock is set back', async () => {
      await beat(1_000_000);
      expect(await beat(400_000)).toEqual([]);
      expect(await beat(1_005_000)).toEqual([]);
      expect(await beat(1_004_000)).toEqual([]);
      expect(await beat(1_010_001)).toEqual([{ from: 1_005_000, to: 1_010_001 }]);
    });

    it('keeps the last hundred outages', async () => {
      for (let n = 0; n <= 101; n++) await beat(n * 10_000);
      const outages = await beat(1_010_001);
      expect(outages).toHaveLength(100);
      expect([outages[0], outages.at(-1)]).toEqual([
        { from: 10_000, to: 20_000 },
        { from: 1_000_000, to: 1_010_000 },
      ]);
    });

    const absences = async (at: number, ...consumed: string[]) => {
      await timed().set(at);
      return (await timed().heartbeat.beat(5_000, { consumed })).absences;
    };

    it('records how long a queue had no consumer, while gamemasters beat', async () => {
      expect(await absences(1_000_000, 'a', 'b')).toEqual([]);
      for (const at of [1_003_000, 1_005_000]) expect(await absences(at, 'b')).toEqual([]);
      expect(await absences(1_005_001, 'b')).toEqual([{ queue: 'a', from: 1_000_000, to: null }]);
      const over = { queue: 'a', from: 1_000_000, to: 1_009_000 };
      expect(await absences(1_009_000, 'a', 'b')).toEqual([over]);
      expect(await absences(1_014_000, 'a', 'b')).toEqual([over]);
      expect((await timed().heartbeat.beat(5_000)).outages).toEqual([]);
    });

    it('keeps the later of two beats that found a consumer, whichever is written first', async () => {
      for (const at of [1_000_000, 1_004_000, 1_001_000]) expect(await absences(at, 'a')).toEqual([]);
      expect(await absences(1_009_000, 'a')).toEqual([]);
    });

    it('records no absence of a queue that never had a consumer, and one for concurrent beats', async () => {
      await absences(1_000_000);
      await absences(2_000_000, 'a');
      await timed().set(3_000_000);
      const told = await Promise.all([1, 2, 3].map(() => timed().heartbeat.beat(5_000, { consumed: ['a'] })));
      for (const each of told) expect(each.absences).toEqual([{ queue: 'a', from: 2_000_000, to: 3_000_000 }]);
    });
  });
}

import { describe, expect, it } from '@jest/globals';
import type { Store } from './store.ts';

/** What every store promises about the pulse. */
export function pulseSuite(store: () => Store): void {
  const beat = (at: number, longestMs = 5_000) => store().pulse.beat(at, longestMs);

  describe('the pulse', () => {
    it('begins without an outage, and has none as long as somebody beats in time', async () => {
      expect(await beat(1_000_000)).toEqual([]);
      expect(await beat(1_005_000)).toEqual([]);
      expect(await beat(1_010_000)).toEqual([]);
    });

    it('that stops for longer than it may leaves one outage, from the last beat to the next', async () => {
      await beat(1_000_000);
      await beat(1_000_500);
      expect(await beat(1_005_501)).toEqual([{ from: 1_000_500, to: 1_005_501 }]);
      expect(await beat(1_005_502)).toEqual([{ from: 1_000_500, to: 1_005_501 }]);
      expect(await beat(1_020_000)).toEqual([
        { from: 1_000_500, to: 1_005_501 },
        { from: 1_005_502, to: 1_020_000 },
      ]);
    });

    it('has one outage, however many beat at once when it is over', async () => {
      await beat(1_000_000);
      const told = await Promise.all([9_000_000, 9_000_001, 9_000_002, 9_000_000].map((at) => beat(at)));
      const [one, ...others] = await beat(9_000_003);
      expect(one!.from).toBe(1_000_000);
      expect(others).toEqual([]);
      for (const each of told) expect(each).toEqual([one]);
    });

    it('never goes back: a clock that is behind neither makes an outage nor hides one', async () => {
      await beat(1_000_000);
      expect(await beat(400_000)).toEqual([]);
      expect(await beat(1_005_000)).toEqual([]);
      expect(await beat(1_004_000)).toEqual([]);
      expect(await beat(1_010_001)).toEqual([{ from: 1_005_000, to: 1_010_001 }]);
    });

    it('remembers the last hundred outages', async () => {
      for (let n = 0; n <= 101; n++) await beat(n * 10_000);
      const outages = await beat(1_010_001);
      expect(outages).toHaveLength(100);
      expect([outages[0], outages.at(-1)]).toEqual([
        { from: 10_000, to: 20_000 },
        { from: 1_000_000, to: 1_010_000 },
      ]);
    });

    it('takes whole numbers only', async () => {
      await expect(beat(0.5)).rejects.toThrow('must be a whole number');
      await expect(beat(1, -1)).rejects.toThrow('must be a whole number');
    });
  });
}

import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { AccountUsage } from './budget-usage.ts';

const tally = (who: string, used: number, more: Partial<AccountUsage> = {}): AccountUsage => ({
  kind: 'tenant',
  who,
  period: 20_000,
  used,
  most: 1_000,
  ...more,
});

/** The contract of budget usage. */
export function budgetUsageSuite(store: () => Store): void {
  const note = (at: number, ...tallies: readonly AccountUsage[]) => store().budgetUsage.record(at, tallies);
  const tallies = ({ kind = 'tenant', since = 0, limit = 100 } = {}) => store().budgetUsage.list(kind, { since, limit });
  const used = async (about?: Parameters<typeof tallies>[0]) => (await tallies(about)).map((one) => [one.who, one.period, one.used]);

  describe('budget usage', () => {
    it('counts repeated writes once and never decreases within a period', async () => {
      for (let n = 0; n < 3; n++) await note(5, tally('x', 70));
      await note(6, tally('x', 60, { most: 800 }));
      expect(await tallies()).toEqual([tally('x', 70)]);
      await note(7, tally('x', 70, { most: 800 }));
      await note(8, tally('x', 71));
      expect(await used({ since: 8 })).toEqual([['x', 20_000, 71]]);
    });

    it('keeps the largest of concurrent totals', async () => {
      const totals = Array.from({ length: 20 }, (_, n) => n + 1);
      await Promise.all([...totals.toReversed(), ...totals].map((n) => note(n, tally('x', n))));
      expect(await used()).toEqual([['x', 20_000, 20]]);
    });

    it('replaces an earlier period, never a later one unless it is days ahead', async () => {
      await note(1, tally('x', 900));
      await note(2, tally('x', 3, { period: 20_001 }));
      await note(3, tally('x', 950));
      expect(await used()).toEqual([['x', 20_001, 3]]);
      await note(4, tally('x', 5, { period: 20_009 }));
      await note(5, tally('x', 4, { period: 20_001 }));
      expect(await used()).toEqual([['x', 20_001, 4]]);
    });

    it('separates kinds and accounts', async () => {
      await note(1, tally('x', 1), tally('X', 4), tally('x', 8, { kind: 'game', period: 0 }));
      expect(await used()).toEqual([
        ['X', 20_000, 4],
        ['x', 20_000, 1],
      ]);
      expect(await used({ kind: 'game' })).toEqual([['x', 0, 8]]);
    });

    it('lists accounts written to since a time, latest first, up to a limit, and prunes older ones', async () => {
      await note(10, tally('x', 1), tally('y', 2));
      await note(20, tally('y', 4));
      await note(30, tally('z', 8));
      expect((await used({ since: 20 })).map(([who]) => who)).toEqual(['z', 'y']);
      expect([await used({ since: 31 }), await used({ limit: 1 }), await used({ limit: 0 })]).toEqual([[], [['z', 20_000, 8]], []]);
      await store().budgetUsage.prune(20);
      expect((await used()).map(([who]) => who)).toEqual(['z', 'y']);
    });

    it('keeps large numbers exact', async () => {
      const most = Number.MAX_SAFE_INTEGER;
      await note(1, tally('x', most, { most }));
      await note(1);
      expect(await tallies()).toEqual([tally('x', most, { most })]);
    });
  });
}

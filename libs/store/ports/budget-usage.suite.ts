import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { UsageTotal } from './budget-usage.ts';

const tally = (who: string, used: number, more: Partial<UsageTotal> = {}): UsageTotal => ({
  kind: 'tenant',
  who,
  period: 20_000,
  used,
  carried: 0,
  most: 1_000,
  ...more,
});

/** The contract of budget usage. */
export function budgetUsageSuite(store: () => Store): void {
  const note = (writer: string, at: number, ...tallies: readonly UsageTotal[]) => store().budgetUsage.record(writer, at, tallies);
  const tallies = (about: { kind?: string; since?: number; limit?: number; except?: string } = {}) => {
    const { kind = 'tenant', since = 0, limit = 100, except = 'nobody' } = about;
    return store().budgetUsage.list(kind, { since, limit, except });
  };
  const used = async (about?: Parameters<typeof tallies>[0]) => (await tallies(about)).map((one) => [one.who, one.period, one.used]);

  describe('budget usage', () => {
    it('sums an account over its writers, and over all but one', async () => {
      await note('a', 1, tally('x', 70, { carried: 5, most: 900 }), tally('y', 1));
      await note('b', 2, tally('x', 30, { carried: 9 }));
      expect(await tallies({ except: 'a' })).toEqual([
        { ...tally('x', 100, { carried: 9 }), others: 30 },
        { ...tally('y', 1), others: 0 },
      ]);
      expect((await tallies({ except: 'c' }))[0]).toMatchObject({ used: 100, others: 100 });
    });

    it('counts repeated writes once and never decreases', async () => {
      for (let n = 0; n < 3; n++) await note('a', 5, tally('x', 70, { carried: 5 }));
      await note('a', 1, tally('x', 60, { carried: 4, most: 800 }));
      expect(await tallies({ since: 5 })).toEqual([{ ...tally('x', 70, { carried: 5, most: 800 }), others: 70 }]);
      await note('a', 6, tally('x', 71));
      expect(await used()).toEqual([['x', 20_000, 71]]);
    });

    it('adds up two concurrent writers', async () => {
      const totals = Array.from({ length: 20 }, (_, n) => n + 1);
      await Promise.all([
        ...totals.toReversed().map((n) => note('a', n, tally('x', n))),
        ...totals.flatMap((n) => [note('b', n, tally('x', 10 * n)), note('b', n, tally('x', 10 * n))]),
      ]);
      expect(await used()).toEqual([['x', 20_000, 220]]);
    });

    it('separates kinds, accounts and periods', async () => {
      await note('a', 1, tally('x', 1), tally('x', 2, { period: 20_001 }), tally('X', 4), tally('x', 8, { kind: 'game', period: 0 }));
      expect(await used()).toEqual([
        ['X', 20_000, 4],
        ['x', 20_000, 1],
        ['x', 20_001, 2],
      ]);
      expect(await used({ kind: 'game' })).toEqual([['x', 0, 8]]);
    });

    it('lists accounts written to since a time, latest first, up to a limit', async () => {
      await note('a', 10, tally('x', 1), tally('y', 2));
      await note('b', 20, tally('y', 4));
      await note('a', 30, tally('z', 8));
      expect(await used({ since: 20 })).toEqual([
        ['z', 20_000, 8],
        ['y', 20_000, 6],
      ]);
      expect([await used({ since: 31 }), await used({ limit: 1 }), await used({ limit: 0 })]).toEqual([[], [['z', 20_000, 8]], []]);
    });

    it('prunes the oldest accounts first, with all their writers', async () => {
      await note('a', 10, tally('x', 1), tally('y', 2));
      await note('b', 20, tally('y', 4));
      await note('a', 15, tally('z', 8));
      expect(await store().budgetUsage.prune(10, 10)).toBe(0);
      expect(await store().budgetUsage.prune(20, 1)).toBe(1);
      expect((await used()).map(([who]) => who)).toEqual(['y', 'z']);
      expect(await store().budgetUsage.prune(20, 10)).toBe(1);
      expect(await used()).toEqual([['y', 20_000, 6]]);
      expect([await store().budgetUsage.prune(21, 10), await used()]).toEqual([1, []]);
    });

    it('keeps large numbers exact', async () => {
      const most = Number.MAX_SAFE_INTEGER;
      await note('a', 1, tally('x', most - 1, { carried: most, most }));
      await note('b', 1, tally('x', 1));
      await note('c', 1);
      expect(await tallies({ except: 'a' })).toEqual([{ ...tally('x', most, { carried: most, most }), others: 1 }]);
    });
  });
}

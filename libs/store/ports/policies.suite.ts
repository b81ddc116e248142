import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';

/** The contract of policies. */
export function policiesSuite(store: () => Store): void {
  const policies = () => store().policies;
  const policy = (name: string, weights = 'AAAA') => ({ name, at: 5, card: { encoder: 'e', tactics: ['a', 'b'] }, weights });

  describe('policies', () => {
    it('are numbered by name, also when they are added at the same time, and never change', async () => {
      expect(await policies().add(policy('q'))).toBe(1);
      const versions = await Promise.all([1, 2, 3].map((n) => policies().add(policy('p', `AAA${n}`))));
      expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
      const { weights: _, ...about } = policy('p');
      expect(await policies().list()).toEqual([
        ...[1, 2, 3].map((version) => ({ ...about, version })),
        { ...about, name: 'q', version: 1 },
      ]);
      expect(await policies().list('q')).toHaveLength(1);
      expect(await policies().list('r')).toEqual([]);
      expect(await policies().get('p', versions[1]!)).toEqual({ ...policy('p', 'AAA2'), version: versions[1] });
      expect(await policies().get('p', 4)).toBeUndefined();
    });
  });
}

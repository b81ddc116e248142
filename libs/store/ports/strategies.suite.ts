import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { StrategyVersion } from './strategies.ts';

const version = (role: string, parent: number, seat: number, more: Partial<StrategyVersion> = {}): Omit<StrategyVersion, 'version'> => ({
  name: 's',
  recipe: 'lan',
  rules: 'avalon',
  role,
  parent,
  table: 't',
  round: 1,
  seat,
  at: 10 + seat,
  lesson: { strategy: `🐺 ${role} ${seat}` },
  ...more,
});

/** The contract of sets of strategies. */
export function strategiesSuite(store: () => Store): void {
  const sets = () => store().strategies;
  const add = (...given: Parameters<typeof version>) => sets().add(version(...given));

  describe('sets of strategies', () => {
    it('number their versions over all roles, and return the newest of each', async () => {
      expect(await add('servant', 0, 0)).toBe(1);
      expect(await add('merlin', 0, 1)).toBe(2);
      expect(await add('servant', 1, 2, { round: 2 })).toBe(3);
      const [first, second, third] = [version('servant', 0, 0), version('merlin', 0, 1), version('servant', 1, 2, { round: 2 })];
      expect(await sets().newest('s')).toEqual([
        { ...second, version: 2 },
        { ...third, version: 3 },
      ]);
      expect(await sets().newest('s', { version: 2, role: 'servant' })).toEqual([{ ...first, version: 1 }]);
      expect(await sets().newest('s', { rules: 'maw' })).toEqual([]);
      expect(await sets().list()).toEqual([{ name: 's', newest: 3, frozen: undefined, games: 2, at: 12 }]);
      expect(await sets().list('other')).toEqual([]);
    });

    it('take one version of a seat for a round, and none that does not revise the newest', async () => {
      await add('servant', 0, 0);
      expect(await add('servant', 0, 1)).toBe('outdated');
      expect(await add('servant', 1, 0)).toBe('known');
      expect(await sets().has('s', { table: 't', round: 1, seat: 0 })).toBe(true);
      expect(await sets().has('s', { table: 't', round: 2, seat: 0 })).toBe(false);
      expect((await sets().list())[0]!.newest).toBe(1);
    });

    it('lose no version of seats that write at the same time', async () => {
      const write = async (seat: number): Promise<void> => {
        const role = seat % 2 ? 'servant' : 'merlin';
        for (let added: unknown; typeof added !== 'number';) {
          const [newest] = await sets().newest('s', { role });
          added = await add(role, newest?.version ?? 0, seat);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, seat) => write(seat)));
      const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((at) => sets().newest('s', { version: at })));
      const written = all.map((upTo, i) => upTo.find((each) => each.version === i + 1)!);
      expect(new Set(written.map(({ seat }) => seat)).size).toBe(8);
      for (const { role, version: at, parent } of written)
        expect(parent).toBe(written.findLast((each) => each.role === role && each.version < at)?.version ?? 0);
    });

    it('take nothing more once they are frozen', async () => {
      expect(await sets().freeze('s', 5)).toBe(false);
      await add('servant', 0, 0);
      expect([await sets().freeze('s', 5), await sets().freeze('s', 6)]).toEqual([true, true]);
      expect(await add('servant', 1, 1)).toBe('frozen');
      expect(await sets().list('s')).toEqual([{ name: 's', newest: 1, frozen: 5, games: 1, at: 10 }]);
    });
  });
}

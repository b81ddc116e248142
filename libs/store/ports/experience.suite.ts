import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';

const item = (n: number, more: object = {}) => ({ n, item: { reflection: `I think 🐺 ${n}.`, score: n, ...more } });

/** The contract of pools of experience. */
export function experienceSuite(store: () => Store): void {
  const pools = () => store().experience;
  const make = (name: string, version: number) => pools().create({ name, version, at: 5, about: { rules: 'maw' } });
  const read = (after?: { game: string; n: number }, limit = 10) => pools().entries('p', 1, { ...(after ? { after } : {}), limit });

  describe('pools of experience', () => {
    it('are listed by name and version, with the number of their games and entries', async () => {
      await make('q', 1);
      await make('p', 2);
      await make('p', 1);
      await pools().add('p', 1, 'g1', [item(1), item(2)]);
      await pools().add('p', 1, 'g2', [item(1)]);
      const about = { at: 5, about: { rules: 'maw' } };
      const first = { name: 'p', version: 1, ...about, games: 2, entries: 3 };
      expect(await pools().list()).toEqual([
        first,
        { name: 'p', version: 2, ...about, games: 0, entries: 0 },
        { name: 'q', version: 1, ...about, games: 0, entries: 0 },
      ]);
      expect(await pools().list('q')).toHaveLength(1);
      await pools().create({ name: 'p', version: 1, at: 9, about: {} });
      expect((await pools().list('p'))[0]).toEqual(first);
    });

    it('take the entries of a game once', async () => {
      await make('p', 1);
      expect(await pools().add('p', 1, 'g', [item(1), item(2)])).toBe(true);
      expect(await pools().add('p', 1, 'g', [item(3)])).toBe(false);
      expect(await pools().games('p', 1)).toEqual(['g']);
      expect((await read()).map(({ n }) => n)).toEqual([1, 2]);
    });

    it('return entries by game and number, page by page, vectors included', async () => {
      const vector = Buffer.from(new Float32Array([0.5, -1]).buffer).toString('base64');
      await pools().add('p', 1, 'b', [item(2), { ...item(1), vector }]);
      await pools().add('p', 1, 'B', [item(1)]);
      const all = [
        { game: 'B', ...item(1) },
        { game: 'b', ...item(1), vector },
        { game: 'b', ...item(2) },
      ];
      expect(await read()).toEqual(all);
      expect([await read(undefined, 1), await read({ game: 'b', n: 1 })]).toEqual([all.slice(0, 1), all.slice(2)]);
      expect(await pools().entries('p', 2, { limit: 10 })).toEqual([]);
    });
  });
}

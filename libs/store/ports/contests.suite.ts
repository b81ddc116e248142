import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Store } from '../store.ts';
import type { NewContest } from './contests.ts';

const contest = (id: string, at: number): NewContest => ({
  id,
  at,
  contest: { name: 'é🐺', agents: [{ name: 'a' }] },
  pairings: 4,
});
const stored = (id: string, at: number) => ({ ...contest(id, at), state: 'running', since: at, finished: 0 });
const result = (number: number, attempt = 1, more: object = {}) => ({ number, attempt, games: [], ...more });

/** The contract of contests. */
export function contestsSuite(store: () => Store): void {
  const contests = () => store().contests;
  const finish = (at: number, ...results: ReturnType<typeof result>[]) => contests().finish('a', results, at);

  describe('contests', () => {
    it('are opened once, and listed newest first', async () => {
      await contests().open(contest('b', 1));
      await contests().open({ ...contest('b', 9), pairings: 7 });
      await contests().open(contest('a', 2));
      await contests().open(contest('c', 1));
      expect(await contests().get('b')).toEqual(stored('b', 1));
      expect(await contests().get('unknown')).toBeUndefined();
      expect(await contests().list({ limit: 9 })).toEqual([stored('a', 2), stored('b', 1), stored('c', 1)]);
      expect(await contests().list({ limit: 1 })).toEqual([stored('a', 2)]);
      await contests().setState('b', ['running'], 'finished', { at: 5 });
      const listed = await contests().list({ states: ['running', 'stopping'], limit: 9 });
      expect(listed.map(({ id }) => id)).toEqual(['a', 'c']);
    });

    it('change their state once, from one of some states only', async () => {
      await contests().open(contest('a', 1));
      const stop = () => contests().setState('a', ['running'], 'stopping', { at: 5, why: 'too dear' });
      expect((await Promise.all([stop(), stop()])).toSorted()).toEqual([false, true]);
      expect(await contests().get('a')).toEqual({ ...stored('a', 1), state: 'stopping', since: 5, why: 'too dear' });
      expect(await contests().setState('a', ['stopped', 'failed'], 'running', { at: 6 })).toBe(false);
      const terms = { contest: { name: 'again' }, pairings: 9 };
      expect(await contests().setState('a', ['stopped', 'stopping'], 'running', { at: 7, terms })).toBe(true);
      expect(await contests().get('a')).toEqual({ ...stored('a', 1), since: 7, ...terms });
      expect(await contests().setState('unknown', ['running'], 'stopped', { at: 7 })).toBe(false);
    });

    it('change their state only for the holder of the lease, where one is named', async () => {
      await contests().open(contest('a', 1));
      const end = (holder: string) => contests().setState('a', ['running'], 'finished', { at: 9, holder });
      expect(await end('one')).toBe(false);
      await contests().claim('a', 'one', { at: 1, until: 2 });
      await contests().claim('a', 'two', { at: 2, until: 3 });
      expect(await end('one')).toBe(false);
      expect(await end('two')).toBe(true);
    });

    it('are held by one holder at a time, until its lease ends or is given back', async () => {
      await contests().open(contest('a', 1));
      expect(await contests().claim('a', 'one', { at: 10, until: 20 })).toBe(true);
      expect(await contests().claim('a', 'two', { at: 19, until: 40 })).toBe(false);
      expect(await contests().claim('a', 'one', { at: 19, until: 30 })).toBe(true);
      expect(await contests().claim('a', 'two', { at: 29, until: 40 })).toBe(false);
      expect(await contests().claim('a', 'two', { at: 30, until: 40 })).toBe(true);
      await contests().release('a', 'one');
      expect(await contests().claim('a', 'one', { at: 31, until: 50 })).toBe(false);
      await contests().release('a', 'two');
      expect(await contests().claim('a', 'one', { at: 31, until: 50 })).toBe(true);
      expect(await contests().claim('unknown', 'one', { at: 1, until: 2 })).toBe(false);
    });

    it('keep the latest attempt at each pairing, and the first result for it', async () => {
      await contests().open(contest('a', 1));
      const begin = (number: number, attempt: number, at = 5) =>
        contests().begin('a', { number, attempt, table: `a-${number}-${attempt}`, at });
      await begin(2, 1);
      await begin(0, 1);
      await begin(0, 2);
      await begin(0, 2, 9);
      await begin(0, 1);
      expect(await contests().begun('a')).toEqual([
        { number: 0, attempt: 2, table: 'a-0-2', at: 5 },
        { number: 2, attempt: 1, table: 'a-2-1', at: 5 },
      ]);
      expect(await finish(20, result(3), result(0), result(2))).toEqual([2, 3]);
      expect(await finish(30, result(2, 2), result(0, 2, { won: true }), result(3))).toEqual([0]);
      await begin(0, 3);
      expect(await contests().begun('a')).toEqual([]);
      expect(await contests().finished('a')).toEqual([0, 2, 3]);
      expect((await contests().get('a'))!.finished).toBe(3);
      const all = [result(0, 2, { won: true }), result(2), result(3)];
      expect(await contests().results('a', { after: -1, limit: 9 })).toEqual(all);
      expect(await contests().results('a', { after: 0, limit: 1 })).toEqual([all[1]]);
      expect(await finish(40)).toEqual([]);
      expect([await contests().countFinished('a', 19), await contests().countFinished('a', 20)]).toEqual([3, 1]);
      expect([await contests().finished('unknown'), await contests().begun('unknown')]).toEqual([[], []]);
    });

    it('begin pairings while they run, and no others', async () => {
      await contests().open(contest('a', 1));
      const begin = (number: number, id = 'a') => contests().begin(id, { number, attempt: 1, table: 't', at: 5 });
      expect([await begin(0), await begin(0), await begin(0, 'unknown')]).toEqual([true, true, false]);
      await finish(6, result(0));
      expect(await begin(0)).toBe(true);
      await contests().setState('a', ['running'], 'stopping', { at: 7 });
      expect([await begin(0), await begin(1)]).toEqual([false, false]);
      expect(await contests().begun('a')).toEqual([]);
    });

    it('keep what the measures need, and give it to those who want it', async () => {
      await contests().open(contest('a', 1));
      const records = [{ table: 't', choices: [] }];
      await finish(5, result(0, 1, { records }), result(1));
      expect(await contests().results('a', { after: -1, limit: 9 })).toEqual([result(0), result(1)]);
      expect(await contests().results('a', { after: -1, limit: 9, withRecords: true })).toEqual([result(0, 1, { records }), result(1)]);
    });

    it('give results in pages of a bounded size, and large ones in parts', async () => {
      await contests().open(contest('a', 1));
      // Random, so that nothing can be compressed.
      const list = (length: number, chars: number) =>
        Array.from({ length }, (_, n) => ({ n, text: randomBytes(chars / 2).toString('hex') }));
      const large = { games: list(5, 10), records: list(5, 10_000) };
      const all = [result(0), result(1), result(2, 1, large), result(3, 1, { games: list(3, 100) }), result(4), result(5)];
      await finish(5, ...all);
      const page = async (after: number, skip = 0, given: object = {}) => {
        const { results, more } = await contests().page('a', {
          after,
          skip,
          limit: 9,
          bytes: 20_000,
          games: 2,
          withRecords: true,
          ...given,
        });
        return [results.map(({ number, moreGames }) => [number, ...(moreGames ? ['more'] : [])]), more, results] as const;
      };
      expect((await page(-1)).slice(0, 2)).toEqual([[[0], [1]], true]);
      const [part, isMore, [first]] = await page(1);
      expect([part, isMore]).toEqual([[[2, 'more']], true]);
      expect(first).toEqual({ ...all[2], games: large.games.slice(0, 2), records: large.records.slice(0, 2), moreGames: true });
      const [last, hasMore, [end]] = await page(1, 4);
      expect([last, hasMore]).toEqual([[[2]], true]);
      expect(end).toEqual({ ...all[2], games: large.games.slice(4), records: large.records.slice(4) });
      expect(await page(2)).toEqual([[[3], [4], [5]], false, all.slice(3)]);
      expect((await page(2, 0, { limit: 2 })).slice(0, 2)).toEqual([[[3], [4]], true]);
      expect((await page(2, 1)).slice(0, 2)).toEqual([[[3], [4], [5]], false]);
      expect((await page(2, 0, { games: 1, bytes: 200 })).slice(0, 2)).toEqual([[[3, 'more']], true]);
      const { records: _, ...without } = { ...all[2], ...large };
      expect(await page(1, 0, { withRecords: false, games: 1 })).toEqual([[[2], [3], [4], [5]], false, [without, ...all.slice(3)]]);
      expect(await page(5)).toEqual([[], false, []]);
    });
  });
}

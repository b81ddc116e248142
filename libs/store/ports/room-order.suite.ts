import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { line, opening } from './rooms.suite.ts';
import type { Store } from '../store.ts';

/** What every store promises about the order in which news of a room arrives: it does not matter. */
export function roomOrderSuite(store: () => Store): void {
  const rooms = () => store().rooms;

  describe('news in any order, and twice', () => {
    const news: readonly News[] = [
      (room) => rooms().open(opening(room, { opened: 12, members: [0] })),
      (room) => rooms().open(opening(room, { opened: 20 })),
      (room) => rooms().close('t', room, { closed: 40, lines: 5 }),
      (room) => rooms().close('t', room, { closed: 40, lines: 5 }),
      ...[1, 2, 3, 4, 5, 2, 5].map((n) => (room: string) => rooms().addLine('t', room, line(n))),
      (room) => rooms().markRead('t', room, 0, 3),
      (room) => rooms().markRead('t', room, 0, 5),
      ...[2, 4].map((n) => (room: string) => rooms().purge('t', room, n)),
      ...[1, 2].map(() => (room: string) => rooms().archive('t', room)),
    ];
    const order = fc.shuffledSubarray([...news.keys()], { minLength: news.length });
    let n = 0;
    const ends = async (arrive: typeof oneByOne | typeof atOnce, given: readonly number[]) => {
      const room = `any${n++}`;
      await arrive(
        room,
        given.map((i) => news[i]!),
      );
      expect(await rooms().archive('t', room)).toBe(true);
      expect(await rooms().room('t', room)).toEqual({ ...opening(room, { opened: 20 }), closed: 40, lines: 5, isArchived: true });
      expect(await rooms().archived('t', room)).toEqual([1, 2, 3, 4, 5].map((each) => line(each)));
      expect(await rooms().lines('t', room, 0, 100)).toEqual({ lines: [], last: 5 });
      expect(await rooms().readMarks('t', room)).toEqual([{ seat: 0, line: 5 }]);
      for (const each of [1, 2, 3, 4, 5]) expect(await rooms().addLine('t', room, line(each))).toBe(false);
    };

    it('ends the same', async () => {
      const property = fc.asyncProperty(order, (given) => ends(oneByOne, given));
      await expect(fc.assert(property, { numRuns: 40 })).resolves.toBeUndefined();
    }, 600_000);

    it('ends the same when all of it arrives at the same time', async () => {
      const property = fc.asyncProperty(order, (given) => ends(atOnce, given));
      await expect(fc.assert(property, { numRuns: 40 })).resolves.toBeUndefined();
    }, 600_000);
  });
}

/** One piece of news about a room. */
type News = (room: string) => Promise<unknown>;

const oneByOne = async (room: string, all: readonly News[]) => {
  for (const each of all) await each(room);
};

const atOnce = (room: string, all: readonly News[]) => Promise.all(all.map((each) => each(room)));

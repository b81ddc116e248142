import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { line, opening } from './rooms.suite.ts';
import type { Store } from '../store.ts';

/** The contract of rooms about repeated calls in any order. */
export function roomOrderSuite(store: () => Store): void {
  const rooms = () => store().rooms;

  describe('repeated calls about a room, in any order', () => {
    const calls: readonly RoomCall[] = [
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
    const order = fc.shuffledSubarray([...calls.keys()], { minLength: calls.length });
    let n = 0;
    const ends = async (arrive: typeof oneByOne | typeof atOnce, given: readonly number[]) => {
      const room = `any${n++}`;
      await arrive(
        room,
        given.map((i) => calls[i]!),
      );
      expect(await rooms().archive('t', room)).toBe(true);
      expect(await rooms().room('t', room)).toEqual({ ...opening(room, { opened: 20 }), closed: 40, lines: 5, isArchived: true });
      expect(await rooms().archived('t', room)).toEqual([1, 2, 3, 4, 5].map((each) => line(each)));
      expect(await rooms().lines('t', room, 0, 100)).toEqual({ lines: [], last: 5 });
      expect(await rooms().readMarks('t', room)).toEqual([{ seat: 0, line: 5 }]);
      for (const each of [1, 2, 3, 4, 5]) expect(await rooms().addLine('t', room, line(each))).toEqual({ isNew: false, isOpen: false });
    };

    it('end in the same state one after another', async () => {
      const property = fc.asyncProperty(order, (given) => ends(oneByOne, given));
      await expect(fc.assert(property, { numRuns: 8 })).resolves.toBeUndefined();
    }, 600_000);

    it('end in the same state when concurrent', async () => {
      const property = fc.asyncProperty(order, (given) => ends(atOnce, given));
      await expect(fc.assert(property, { numRuns: 8 })).resolves.toBeUndefined();
    }, 600_000);

    it('archive the room when each caller tries only where the room is not open', async () => {
      const archive = (room: string) => rooms().archive('t', room);
      const tries: readonly RoomCall[] = [
        async (room) => (await rooms().open(opening(room))) || archive(room),
        (room) =>
          rooms()
            .close('t', room, { closed: 40, lines: 3 })
            .then(() => archive(room)),
        ...[1, 2, 3].map((nth) => async (room: string) => (await rooms().addLine('t', room, line(nth))).isOpen || archive(room)),
      ];
      const property = fc.asyncProperty(fc.shuffledSubarray([...tries.keys()], { minLength: tries.length }), async (given) => {
        const room = `tried${n++}`;
        await atOnce(
          room,
          given.map((i) => tries[i]!),
        );
        expect((await rooms().room('t', room))!.isArchived).toBe(true);
        expect(await rooms().archived('t', room)).toEqual([1, 2, 3].map((each) => line(each)));
      });
      await expect(fc.assert(property, { numRuns: 20 })).resolves.toBeUndefined();
    }, 600_000);
  });
}

/** One call about a room. */
type RoomCall = (room: string) => Promise<unknown>;

const oneByOne = async (room: string, all: readonly RoomCall[]) => {
  for (const each of all) await each(room);
};

const atOnce = (room: string, all: readonly RoomCall[]) => Promise.all(all.map((each) => each(room)));

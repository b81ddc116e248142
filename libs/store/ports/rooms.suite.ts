import { describe, expect, it } from '@jest/globals';
import type { Line } from './rooms.ts';
import type { Store } from '../store.ts';

type Opening = Parameters<Store['rooms']['open']>[0];

/** An opening with defaults. */
export const opening = (room = 'r', more: Partial<Opening> = {}): Opening => ({
  table: 't',
  room,
  question: 'round-1/day-1/talk',
  name: 'Village',
  members: [0, 1, 2],
  speakers: [1],
  minds: [0, 2],
  maxChars: 500,
  until: 1_767_225_600_000,
  opened: 12,
  ...more,
});
/** A line with defaults. */
export const line = (n: number, more: Partial<Line> = {}): Line => ({
  line: n,
  by: n % 3,
  text: `line ${n}`,
  at: 1_767_225_600_000 + n,
  ...more,
});

/** The contract of rooms. */
export function roomsSuite(store: () => Store): void {
  const rooms = () => store().rooms;
  const keep = async (room: string, ...numbers: readonly number[]) => {
    for (const n of numbers) await rooms().addLine('t', room, line(n));
  };
  const numbers = async (room = 'r', after = 0, limit = 100) => {
    const { lines, last } = await rooms().lines('t', room, after, limit);
    return [lines.map((each) => each.line), last] as const;
  };
  const archived = async (room = 'r') => (await rooms().archived('t', room)).map((each) => each.line);

  describe('a room', () => {
    it('is unknown until it opens, and is returned as it was opened', async () => {
      expect(await rooms().room('t', 'r')).toBeUndefined();
      await rooms().open(opening());
      expect(await rooms().room('t', 'r')).toEqual({ ...opening(), closed: undefined, lines: undefined, isArchived: false });
      expect(await rooms().room('u', 'r')).toBeUndefined();
    });

    it('takes a later opening and ignores an earlier one', async () => {
      await rooms().open(opening('r', { opened: 12, members: [0, 1] }));
      await rooms().open(opening('r', { opened: 11, members: [0, 1, 2] }));
      expect((await rooms().room('t', 'r'))!.members).toEqual([0, 1]);
      await rooms().open(opening('r', { opened: 13, members: [0] }));
      expect((await rooms().room('t', 'r'))!.members).toEqual([0]);
    });

    it('stays closed when it is opened again', async () => {
      await rooms().open(opening());
      await rooms().close('t', 'r', { closed: 40, lines: 9 });
      await rooms().open(opening('r', { opened: 50 }));
      expect(await rooms().room('t', 'r')).toMatchObject({ opened: 50, closed: 40, lines: 9, isArchived: false });
    });

    it('takes a later closing and ignores an earlier one', async () => {
      await rooms().open(opening());
      for (const [closed, lines] of [
        [40, 9],
        [39, 8],
        [40, 7],
      ] as const)
        await rooms().close('t', 'r', { closed, lines });
      expect(await rooms().room('t', 'r')).toMatchObject({ closed: 40, lines: 9 });
      await rooms().close('t', 'r', { closed: 41, lines: 10 });
      expect(await rooms().room('t', 'r')).toMatchObject({ closed: 41, lines: 10 });
    });

    it('closed before it opens is closed once it opens', async () => {
      await rooms().close('t', 'r', { closed: 40, lines: 0 });
      expect(await rooms().room('t', 'r')).toBeUndefined();
      await rooms().open(opening());
      expect(await rooms().room('t', 'r')).toMatchObject({ opened: 12, closed: 40, lines: 0 });
    });
  });

  describe('lines', () => {
    it('are returned as they were added, without absent fields', async () => {
      const said: readonly Line[] = [
        { line: 1, text: 'The night falls. 🌙', at: 1 },
        { line: 2, by: 0, text: '', at: 2 },
        { line: 3, by: 1, to: 0, text: 'psst "\\', says: ['seat:0', 'skip'], at: 3 },
        { line: 4, by: 2, text: 'x', says: [], at: 4 },
      ];
      for (const each of said) expect((await rooms().addLine('t', 'r', each)).isNew).toBe(true);
      expect(await rooms().lines('t', 'r', 0, 100)).toEqual({ lines: said, last: 4 });
    });

    it('are stored once; the first with a number stays', async () => {
      expect((await rooms().addLine('t', 'r', line(1))).isNew).toBe(true);
      expect((await rooms().addLine('t', 'r', line(1, { text: 'another' }))).isNew).toBe(false);
      expect((await rooms().lines('t', 'r', 0, 9)).lines).toEqual([line(1)]);
    });

    it('are read from any line up to the first gap and a limit', async () => {
      expect(await numbers()).toEqual([[], 0]);
      await keep('r', 2, 3, 6);
      expect(await numbers()).toEqual([[], 0]);
      await keep('r', 1);
      expect(await numbers()).toEqual([[1, 2, 3], 3]);
      expect(await numbers('r', 1, 1)).toEqual([[2], 3]);
      expect(await numbers('r', 0, 0)).toEqual([[], 3]);
      expect(await numbers('r', 3)).toEqual([[], 3]);
      expect(await numbers('r', 99)).toEqual([[], 3]);
      await keep('r', 4, 5);
      expect(await numbers('r', 4)).toEqual([[5, 6], 6]);
      expect(await numbers('another')).toEqual([[], 0]);
    });

    it('once purged are no gap and cannot be added again', async () => {
      await rooms().open(opening());
      await keep('r', 1, 2, 3, 4);
      expect(await rooms().purge('t', 'r', 2)).toBe(2);
      expect(await rooms().purge('t', 'r', 2)).toBe(0);
      expect(await numbers()).toEqual([[3, 4], 4]);
      expect((await rooms().addLine('t', 'r', line(1))).isNew).toBe(false);
      expect(await rooms().purge('t', 'r', 4)).toBe(2);
      expect(await numbers()).toEqual([[], 4]);
      await keep('r', 5);
      expect(await numbers()).toEqual([[5], 5]);
      expect(await archived()).toEqual([1, 2, 3, 4]);
    });

    it('are not purged past a gap', async () => {
      await rooms().open(opening());
      await keep('r', 1, 3);
      expect(await rooms().purge('t', 'r', 3)).toBe(1);
      expect((await rooms().addLine('t', 'r', line(2))).isNew).toBe(true);
      expect(await numbers()).toEqual([[2, 3], 3]);
    });

    it('of a room never opened nor closed are not purged', async () => {
      await keep('r', 1);
      expect(await rooms().purge('t', 'r', 1)).toBe(0);
      expect(await rooms().purge('t', 'nowhere', 1)).toBe(0);
      expect(await numbers()).toEqual([[1], 1]);
    });
  });

  describe('the archive', () => {
    it('takes a closed room once no line is missing, purged lines included', async () => {
      await rooms().open(opening());
      await keep('r', 1, 2, 4);
      await rooms().purge('t', 'r', 1);
      expect(await rooms().archive('t', 'r')).toBe(false);
      await rooms().close('t', 'r', { closed: 40, lines: 4 });
      expect(await rooms().archive('t', 'r')).toBe(false);
      expect((await rooms().room('t', 'r'))!.isArchived).toBe(false);
      expect(await numbers()).toEqual([[2], 2]);
      await keep('r', 3);
      expect(await rooms().archive('t', 'r')).toBe(true);
      expect((await rooms().room('t', 'r'))!.isArchived).toBe(true);
      expect(await rooms().archived('t', 'r')).toEqual([line(1), line(2), line(3), line(4)]);
      expect(await numbers()).toEqual([[], 4]);
    });

    it('stores no line twice', async () => {
      await rooms().open(opening());
      await keep('r', 1, 2);
      await rooms().close('t', 'r', { closed: 40, lines: 2 });
      expect(await Promise.all([rooms().archive('t', 'r'), rooms().archive('t', 'r')])).toEqual([true, true]);
      for (const n of [1, 2]) expect((await rooms().addLine('t', 'r', line(n, { text: 'another' }))).isNew).toBe(false);
      await rooms().open(opening());
      await rooms().close('t', 'r', { closed: 40, lines: 2 });
      expect(await rooms().archive('t', 'r')).toBe(true);
      expect(await rooms().archived('t', 'r')).toEqual([line(1), line(2)]);
    });

    it('takes a closed empty room, not an open or unknown one', async () => {
      await rooms().close('t', 'r', { closed: 40, lines: 0 });
      expect(await rooms().archive('t', 'r')).toBe(true);
      await rooms().open(opening());
      expect((await rooms().room('t', 'r'))!.isArchived).toBe(true);
      await rooms().open(opening('open'));
      expect(await rooms().archive('t', 'open')).toBe(false);
      expect(await rooms().archive('t', 'unknown')).toBe(false);
      expect(await archived('unknown')).toEqual([]);
    });
  });

  describe('marks', () => {
    it('never move back', async () => {
      await rooms().markRead('t', 'r', 2, 5);
      await rooms().markRead('t', 'r', 2, 3);
      await rooms().markRead('t', 'r', 0, 0);
      await rooms().markRead('t', 'another', 1, 9);
      expect(await rooms().readMarks('t', 'r')).toEqual([
        { seat: 0, line: 0 },
        { seat: 2, line: 5 },
      ]);
      await rooms().markRead('t', 'r', 2, 6);
      expect((await rooms().readMarks('t', 'r'))[1]).toEqual({ seat: 2, line: 6 });
      expect(await rooms().readMarks('u', 'r')).toEqual([]);
    });
  });
}

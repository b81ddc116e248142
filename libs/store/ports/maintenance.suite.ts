import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { eventDigest, chainLink } from '../integrity/hash-chain.ts';
import { line, opening } from './rooms.suite.ts';
import type { RecordedEvent } from './tapes.ts';
import type { Store } from '../store.ts';
import { about } from './tapes.suite.ts';
import { chainHead, verifyChain } from '../integrity/verify-chain.ts';

/** What every store promises to those who look after it. */
export function maintenanceSuite(store: () => Store): void {
  const upkeep = () => store().maintenance;
  const append: Store['tapes']['append'] = (...args) => store().tapes.append(...args);
  const over = { stage: 'over' };

  /** The hashes that a tape should have, worked out from what is read. */
  const linksOf = (tape: readonly RecordedEvent[]) => {
    let link: string | undefined;
    return tape.map((event) => (link = chainLink(link, eventDigest(event))));
  };

  describe('the chain', () => {
    it('links each event to the one before it, through appends of one event, of many, and of none', async () => {
      await append('t', 0, [{ type: 'opened' }, { type: 'a', says: ['é'] }], about({ cause: 'm1' }));
      await append('t', 2, [], about({ cause: 'm2', wake: 9 }));
      await append('t', 2, [{ type: 'b' }], about({ cause: 'm3', at: 2 }));
      await append('t', 3, [{ type: 'c' }, { type: 'd' }, { type: 'e' }], about({ cause: 'm4', at: 3 }));
      const kept = (await upkeep().readTable('t'))!;
      const links = linksOf(await store().tapes.read('t'));
      expect(links).toHaveLength(6);
      expect(kept.tape.map(({ hash }) => hash)).toEqual(links);
      expect(kept.row).toMatchObject({ last: 6, head: links[5] });
      expect(verifyChain(kept)).toEqual({ faults: [], isGapless: true, unchained: 0 });
      expect(chainHead(kept)).toEqual({ sequence: 6, hash: links[5] });
    });

    it('is each table’s own, also of those that are written together', async () => {
      const ids = Array.from({ length: 30 }, (_, i) => `t${i}`);
      await Promise.all(ids.map((id) => append(id, 0, [{ type: 'opened' }, { type: 'x', id }], about())));
      await Promise.all(ids.map((id) => append(id, 2, [{ type: 'y' }, { type: 'z' }], about())));
      for (const id of ids) {
        const kept = (await upkeep().readTable(id))!;
        expect(kept.tape.map(({ hash }) => hash)).toEqual(linksOf(kept.tape));
        expect(verifyChain(kept).faults).toEqual([]);
      }
    });

    it('is not moved by a writer who comes too late', async () => {
      await append('t', 0, [{ type: 'opened' }], about());
      const before = (await upkeep().readTable('t'))!;
      await append('t', 0, [{ type: 'again' }], about()).catch(() => undefined);
      await append('t', 5, [{ type: 'ahead' }], about()).catch(() => undefined);
      expect(await upkeep().readTable('t')).toEqual(before);
    });

    it('fits what is read back, whatever JSON an event is', async () => {
      let n = 0;
      const key = fc.oneof(
        fc.constantFrom('__proto__', 'toString', '10', '9', '', 'aa', 'B', '\u{FB33}', '😀', '\u0001', 'a"b'),
        fc.string({ unit: fc.constantFrom('x', 'é', '狼', '🐺', ' '), maxLength: 4 }),
      );
      const number = fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(1.0, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER, 0.1, 1e100),
      );
      const { value: any } = fc.letrec<{ value: unknown }>((tie) => ({
        value: fc.oneof(
          { maxDepth: 4, depthSize: 'small' },
          number,
          fc.string({ unit: fc.constantFrom('x', 'é', '🐺', '"', '\u2028', '\u0001') }),
          fc.constantFrom(null, true, false, undefined),
          fc.array(tie('value'), { maxLength: 3 }),
          fc.dictionary(key, tie('value'), { maxKeys: 4 }),
        ),
      }));
      await fc.assert(
        fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 4 }), async (values) => {
          const id = `any${n++}`;
          await append(
            id,
            0,
            values.map((value) => ({ type: 'x', value })),
            about({ cause: 'é"🐺' }),
          );
          const kept = (await upkeep().readTable(id))!;
          expect(verifyChain(kept)).toEqual({ faults: [], isGapless: true, unchained: 0 });
          expect(kept.tape.map(({ hash: _, ...event }) => event)).toEqual(await store().tapes.read(id));
        }),
        { numRuns: 60 },
      );
    }, 600_000);
  });

  describe('looking through everything', () => {
    it('shows all that is kept of a table', async () => {
      expect(await upkeep().readTable('t')).toBeUndefined();
      await append('t', 0, [{ type: 'opened' }], about({ at: 5, wake: 10, cause: 'm1' }));
      await append('t', 1, [{ type: 'closed' }], about({ at: 7, summary: over, result: { winners: [1] }, cause: 'm2' }));
      await store().rooms.open(opening('day'));
      await store().rooms.close('t', 'day', { closed: 40, lines: 3 });
      for (const n of [1, 2, 3]) await store().rooms.addLine('t', 'day', line(n, n === 2 ? { to: 1, says: ['seat:1'] } : {}));
      await store().rooms.purge('t', 'day', 1);
      await store().rooms.close('t', 'closed', { closed: 41, lines: 0 });
      await store().rooms.addLine('t', 'stray', line(4));
      await store().rooms.addLine('u', 'other', line(1));
      const links = linksOf(await store().tapes.read('t'));
      const { table: _, room: __, ...terms } = opening('day');
      expect(await upkeep().readTable('t')).toEqual({
        table: 't',
        row: { opened: 5, last: 2, head: links[1], wake: undefined, summary: over, isOver: true, retired: undefined },
        tape: [
          { table: 't', sequence: 1, at: 5, cause: 'm1', event: { type: 'opened' }, hash: links[0] },
          { table: 't', sequence: 2, at: 7, cause: 'm2', event: { type: 'closed' }, hash: links[1] },
        ],
        result: { winners: [1] },
        rooms: [
          { room: 'closed', opening: undefined, closing: { closed: 41, lines: 0 }, isArchived: false, purged: 0, live: [], archive: [] },
          {
            room: 'day',
            opening: terms,
            closing: { closed: 40, lines: 3 },
            isArchived: false,
            purged: 1,
            live: [line(2, { to: 1, says: ['seat:1'] }), line(3)],
            archive: [line(1)],
          },
          { room: 'stray', opening: undefined, closing: undefined, isArchived: false, purged: 0, live: [line(4)], archive: [] },
        ],
      });
      expect((await upkeep().readTable('u'))!.row).toBeUndefined();
    });

    it('goes through the ids in the order of their bytes, a page at a time, and finds what has no row', async () => {
      for (const id of ['b', 'a', 'B', 'a-1', 'a_1']) await append(id, 0, [{ type: 'opened' }, { type: 'x' }], about());
      await store().rooms.addLine('lost', 'r', line(1));
      await store().rooms.close('alone', 'r', { closed: 1, lines: 0 });
      const all = ['B', 'a', 'a-1', 'a_1', 'alone', 'b', 'lost'];
      expect(await upkeep().listTables('', 100)).toEqual(all);
      expect(await upkeep().listTables('', 3)).toEqual(all.slice(0, 3));
      expect(await upkeep().listTables('a-1', 3)).toEqual(all.slice(3, 6));
      expect(await upkeep().listTables('lost', 3)).toEqual([]);
      expect(await upkeep().countTables()).toBe(5);
    });
  });

  describe('retiring', () => {
    /** A table of three events that was opened and ended at these times, with something of every kind. */
    const ended = async (id: string, opened: number, end: number) => {
      await append(id, 0, [{ type: 'opened' }, { type: 'x' }], about({ at: opened, wake: 1 }));
      await append(id, 2, [{ type: 'closed' }], about({ at: end, summary: over, result: { of: id } }));
      await store().rooms.open(opening('r', { table: id }));
      await store().rooms.addLine(id, 'r', line(1));
      await store().rooms.addLine(id, 'r', line(2));
      await store().rooms.purge(id, 'r', 1);
      await store().rooms.markRead(id, 'r', 0, 1);
      await store().thoughts.record({ table: id, seat: 0, decision: 'd', step: 1, kind: 'k', name: 'n', at: 1, content: {} });
      await store().thoughts.remember(id, 0, 1, { kept: id });
      await store().recordings.save({ recording: 'r', hash: 'h', id: 'm', table: id, asker: 'a', at: 1, request: 1, outcome: 2 });
    };
    beforeEach(async () => {
      for (const [id, opened, end] of [
        ['new', 60, 100],
        ['b', 20, 99],
        ['a', 20, 50],
        ['c', 10, 200],
        ['d', 10, 30],
      ] as const)
        await ended(id, opened, end);
      await append('running', 0, [{ type: 'opened' }], about({ at: 1, wake: 5 }));
    });
    const next = async (before: number, more: Partial<Parameters<Store['maintenance']['listExpired']>[0]> = {}) =>
      (await upkeep().listExpired({ before, keepResults: false, limit: 100, ...more })).map(({ table }) => table);

    it('takes those that ended before a time, the one that ended first before the others; never one that runs', async () => {
      expect(await next(100)).toEqual(['d', 'a', 'b']);
      expect(await next(101)).toEqual(['d', 'a', 'b', 'new']);
      expect(await next(1_000_000)).toEqual(['d', 'a', 'b', 'new', 'c']);
      expect(await next(1_000_000, { limit: 2 })).toEqual(['d', 'a']);
      expect(await next(1_000_000, { limit: 2, after: { ended: 50, table: 'a' } })).toEqual(['b', 'new']);
      expect(await next(1_000_000, { after: { ended: 99, table: 'a' } })).toEqual(['b', 'new', 'c']);
      expect(await next(30)).toEqual([]);
      expect(await upkeep().countExpired({ before: 101, keepResults: false })).toEqual({ tables: 4, events: 12 });
      expect(await upkeep().countExpired({ before: 30, keepResults: true })).toEqual({ tables: 0, events: 0 });
    });

    it('removes everything of a table and nothing of another', async () => {
      const other = await upkeep().readTable('b');
      expect(await upkeep().removeTables(['a', 'nobody'], { keepResults: false, at: 500 })).toEqual({
        tables: 1,
        events: 3,
        lines: 2,
        thoughts: 1,
        takes: 1,
      });
      expect(await upkeep().readTable('a')).toBeUndefined();
      expect(await upkeep().listTables('', 100)).toEqual(['b', 'c', 'd', 'new', 'running']);
      expect([await store().tapes.read('a'), await store().tapes.result('a'), await store().rooms.readMarks('a', 'r')]).toEqual([
        [],
        undefined,
        [],
      ]);
      expect([await store().thoughts.list('a'), await store().thoughts.recall('a', 0)]).toEqual([[], undefined]);
      expect((await store().recordings.list('r', { limit: 9 })).map(({ table }) => table)).toEqual(['b', 'c', 'd', 'new']);
      expect(await upkeep().readTable('b')).toEqual(other);
      expect([await store().thoughts.recall('b', 0), await store().rooms.readMarks('b', 'r')]).toEqual([
        { kept: 'b' },
        [{ seat: 0, line: 1 }],
      ]);
      expect(await upkeep().removeTables(['a'], { keepResults: false, at: 501 })).toEqual({
        tables: 0,
        events: 0,
        lines: 0,
        thoughts: 0,
        takes: 0,
      });
    });

    it('keeps summary, result and head when it is asked to; what is left may go later', async () => {
      const { head } = (await upkeep().readTable('a'))!.row!;
      expect(await upkeep().removeTables(['a'], { keepResults: true, at: 500 })).toEqual({
        tables: 1,
        events: 3,
        lines: 2,
        thoughts: 1,
        takes: 1,
      });
      const left = await upkeep().readTable('a');
      const row = { opened: 20, last: 3, head, wake: undefined, summary: over, isOver: true, retired: 500 };
      expect(left).toEqual({ table: 'a', row, tape: [], result: { of: 'a' }, rooms: [] });
      expect(verifyChain(left!).faults).toEqual([]);
      expect(chainHead(left!)).toEqual({ sequence: 3, hash: head });
      expect(await store().tapes.result('a')).toEqual({ of: 'a' });
      expect((await store().tapes.list({ limit: 9 })).map(({ table }) => table)).toContain('a');
      expect(await next(100, { keepResults: true })).toEqual(['d', 'b']);
      expect(await upkeep().removeTables(['a'], { keepResults: true, at: 501 })).toMatchObject({ tables: 0, events: 0 });
      expect((await upkeep().readTable('a'))!.row!.retired).toBe(500);
      expect(await next(100)).toEqual(['d', 'a', 'b']);
      expect(await upkeep().countExpired({ before: 100, keepResults: false })).toEqual({ tables: 3, events: 6 });
      expect(await upkeep().removeTables(['a'], { keepResults: false, at: 502 })).toMatchObject({ tables: 1, events: 0 });
      expect(await upkeep().readTable('a')).toBeUndefined();
    });

    it('spares a table that runs, whoever names it', async () => {
      const before = await upkeep().readTable('running');
      for (const keepResults of [true, false])
        expect(await upkeep().removeTables(['running'], { keepResults, at: 500 })).toEqual({
          tables: 0,
          events: 0,
          lines: 0,
          thoughts: 0,
          takes: 0,
        });
      expect(await upkeep().readTable('running')).toEqual(before);
    });

    it('counts a table once that two remove at the same time', async () => {
      const ids = ['a', 'b', 'd'];
      const removed = await Promise.all(
        [ids, ids.toReversed()].map((each) => upkeep().removeTables(each, { keepResults: false, at: 500 })),
      );
      expect(removed.reduce((sum, { tables }) => sum + tables, 0)).toBe(3);
      expect(removed.reduce((sum, { events }) => sum + events, 0)).toBe(9);
    });
  });
}

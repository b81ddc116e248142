import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { eventDigest, chainLink } from '../integrity/hash-chain.ts';
import { line, opening } from './rooms.suite.ts';
import type { RecordedEvent } from './tapes.ts';
import type { Store } from '../store.ts';
import { about } from './tapes.suite.ts';
import { chainHead, verifyChain } from '../integrity/verify-chain.ts';

/** The contract of maintenance. */
export function maintenanceSuite(store: () => Store): void {
  const maintenance = () => store().maintenance;
  const append: Store['tapes']['append'] = (...args) => store().tapes.append(...args);
  const over = { stage: 'over' };

  /** The hashes that a tape should have, worked out from what is read. */
  const linksOf = (tape: readonly RecordedEvent[]) => {
    let link: string | undefined;
    return tape.map((event) => (link = chainLink(link, eventDigest(event))));
  };

  describe('the hash chain', () => {
    it('links each event to the one before it, across appends of any size', async () => {
      await append('t', 0, [{ type: 'opened' }, { type: 'a', says: ['é'] }], about({ cause: 'm1' }));
      await append('t', 2, [], about({ cause: 'm2', wake: 9 }));
      await append('t', 2, [{ type: 'b' }], about({ cause: 'm3', at: 2 }));
      await append('t', 3, [{ type: 'c' }, { type: 'd' }, { type: 'e' }], about({ cause: 'm4', at: 3 }));
      const kept = (await maintenance().readTable('t'))!;
      const links = linksOf(await store().tapes.read('t'));
      expect(links).toHaveLength(6);
      expect(kept.tape.map(({ hash }) => hash)).toEqual(links);
      expect(kept.row).toMatchObject({ last: 6, head: links[5] });
      expect(verifyChain(kept)).toEqual({ faults: [], isGapless: true, unchained: 0 });
      expect(chainHead(kept)).toEqual({ sequence: 6, hash: links[5] });
    });

    it('is separate for each table of a group commit', async () => {
      const ids = Array.from({ length: 30 }, (_, i) => `t${i}`);
      await Promise.all(ids.map((id) => append(id, 0, [{ type: 'opened' }, { type: 'x', id }], about())));
      await Promise.all(ids.map((id) => append(id, 2, [{ type: 'y' }, { type: 'z' }], about())));
      for (const id of ids) {
        const kept = (await maintenance().readTable(id))!;
        expect(kept.tape.map(({ hash }) => hash)).toEqual(linksOf(kept.tape));
        expect(verifyChain(kept).faults).toEqual([]);
      }
    });

    it('is not changed by an append that conflicts', async () => {
      await append('t', 0, [{ type: 'opened' }], about());
      const before = (await maintenance().readTable('t'))!;
      await append('t', 0, [{ type: 'again' }], about()).catch(() => undefined);
      await append('t', 5, [{ type: 'ahead' }], about()).catch(() => undefined);
      expect(await maintenance().readTable('t')).toEqual(before);
    });

    it('verifies what is read back, for any JSON', async () => {
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
          const kept = (await maintenance().readTable(id))!;
          expect(verifyChain(kept)).toEqual({ faults: [], isGapless: true, unchained: 0 });
          expect(kept.tape.map(({ hash: _, ...event }) => event)).toEqual(await store().tapes.read(id));
        }),
        { numRuns: 25 },
      );
    }, 600_000);
  });

  describe('reading tables', () => {
    it('returns all that is stored of a table', async () => {
      expect(await maintenance().readTable('t')).toBeUndefined();
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
      expect(await maintenance().readTable('t')).toEqual({
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
      expect((await maintenance().readTable('u'))!.row).toBeUndefined();
    });

    it('lists ids in byte order, page by page, also without a row', async () => {
      for (const id of ['b', 'a', 'B', 'a-1', 'a_1']) await append(id, 0, [{ type: 'opened' }, { type: 'x' }], about());
      await store().rooms.addLine('lost', 'r', line(1));
      await store().rooms.close('alone', 'r', { closed: 1, lines: 0 });
      const all = ['B', 'a', 'a-1', 'a_1', 'alone', 'b', 'lost'];
      expect(await maintenance().listTables('', 100)).toEqual(all);
      expect(await maintenance().listTables('', 3)).toEqual(all.slice(0, 3));
      expect(await maintenance().listTables('a-1', 3)).toEqual(all.slice(3, 6));
      expect(await maintenance().listTables('lost', 3)).toEqual([]);
      expect(await maintenance().countTables()).toBe(5);
    });
  });

  describe('retention', () => {
    const nothing = { tables: 0, events: 0, lines: 0, thoughts: 0, takes: 0 };
    const one = { tables: 1, events: 3, lines: 2, thoughts: 1, takes: 1 };
    const score = { rules: 'maw', side: 'wolves', kind: 'mind' as const, games: 1, wins: 0 };
    const games = async () => (await store().tapes.scores())[0]!.games;
    /** A table of three events that was opened and ended at these times, with something of every kind. */
    const ended = async (id: string, opened: number, end: number) => {
      await append(id, 0, [{ type: 'opened' }, { type: 'x' }], about({ at: opened, wake: 1 }));
      await append(id, 2, [{ type: 'closed' }], about({ at: end, summary: over, result: { of: id }, scores: [score] }));
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
      (await maintenance().listExpired({ before, keepResults: false, limit: 100, ...more })).map(({ table }) => table);

    it('lists ended tables in order, never a running one', async () => {
      expect(await next(100)).toEqual(['d', 'a', 'b']);
      expect(await next(101)).toEqual(['d', 'a', 'b', 'new']);
      expect(await next(1_000_000)).toEqual(['d', 'a', 'b', 'new', 'c']);
      expect(await next(1_000_000, { limit: 2 })).toEqual(['d', 'a']);
      expect(await next(1_000_000, { limit: 2, after: { ended: 50, table: 'a' } })).toEqual(['b', 'new']);
      expect(await next(1_000_000, { after: { ended: 99, table: 'a' } })).toEqual(['b', 'new', 'c']);
      expect(await next(30)).toEqual([]);
      expect(await maintenance().countExpired({ before: 101, keepResults: false })).toEqual({ tables: 4, events: 12 });
      expect(await maintenance().countExpired({ before: 30, keepResults: true })).toEqual({ tables: 0, events: 0 });
    });

    it('removes everything of one table only', async () => {
      const other = await maintenance().readTable('b');
      expect(await maintenance().removeTables(['a', 'nobody'], { keepResults: false, at: 500 })).toEqual(one);
      expect(await maintenance().readTable('a')).toBeUndefined();
      expect(await games()).toBe(4);
      expect(await maintenance().listTables('', 100)).toEqual(['b', 'c', 'd', 'new', 'running']);
      expect([await store().tapes.read('a'), await store().tapes.result('a'), await store().rooms.readMarks('a', 'r')]).toEqual([
        [],
        undefined,
        [],
      ]);
      expect([await store().thoughts.list('a'), await store().thoughts.recall('a', 0)]).toEqual([[], undefined]);
      expect((await store().recordings.list('r', { limit: 9 })).map(({ table }) => table)).toEqual(['b', 'c', 'd', 'new']);
      expect(await maintenance().readTable('b')).toEqual(other);
      expect([await store().thoughts.recall('b', 0), await store().rooms.readMarks('b', 'r')]).toEqual([
        { kept: 'b' },
        [{ seat: 0, line: 1 }],
      ]);
      expect(await maintenance().removeTables(['a'], { keepResults: false, at: 501 })).toEqual(nothing);
    });

    it('keeps summary, result and head on request', async () => {
      const { head } = (await maintenance().readTable('a'))!.row!;
      expect(await maintenance().removeTables(['a'], { keepResults: true, at: 500 })).toEqual(one);
      const left = await maintenance().readTable('a');
      const row = { opened: 20, last: 3, head, wake: undefined, summary: over, isOver: true, retired: 500 };
      expect(left).toEqual({ table: 'a', row, tape: [], result: { of: 'a' }, rooms: [] });
      expect(verifyChain(left!).faults).toEqual([]);
      expect(chainHead(left!)).toEqual({ sequence: 3, hash: head });
      expect([await store().tapes.result('a'), await games()]).toEqual([{ of: 'a' }, 5]);
      expect((await store().tapes.list({ limit: 9 })).map(({ table }) => table)).toContain('a');
      expect(await next(100, { keepResults: true })).toEqual(['d', 'b']);
      expect(await maintenance().removeTables(['a'], { keepResults: true, at: 501 })).toMatchObject({ tables: 0, events: 0 });
      expect((await maintenance().readTable('a'))!.row!.retired).toBe(500);
      expect(await next(100)).toEqual(['d', 'a', 'b']);
      expect(await maintenance().countExpired({ before: 100, keepResults: false })).toEqual({ tables: 3, events: 6 });
      expect(await maintenance().removeTables(['a'], { keepResults: false, at: 502 })).toMatchObject({ tables: 1, events: 0 });
      expect(await maintenance().readTable('a')).toBeUndefined();
    });

    it('removes only thoughts and memories on request', async () => {
      const filter = { keepResults: false, onlyThoughts: true };
      const before = await maintenance().readTable('a');
      expect(await maintenance().countExpired({ before: 60, ...filter })).toEqual({ tables: 2, events: 6 });
      expect(await maintenance().removeTables(['a', 'running'], { ...filter, at: 500 })).toEqual({ ...nothing, tables: 1, thoughts: 1 });
      expect(await maintenance().readTable('a')).toEqual(before);
      expect([await store().thoughts.list('a'), await store().thoughts.recall('a', 0)]).toEqual([[], undefined]);
      expect((await store().recordings.list('r', { limit: 9 })).map(({ table }) => table)).toContain('a');
      expect(await next(60, filter)).toEqual(['d']);
    });

    it('does not remove a running table', async () => {
      const before = await maintenance().readTable('running');
      for (const keepResults of [true, false])
        expect(await maintenance().removeTables(['running'], { keepResults, at: 500 })).toEqual(nothing);
      expect(await maintenance().readTable('running')).toEqual(before);
    });

    it('counts a table once when removed concurrently', async () => {
      const ids = ['a', 'b', 'd'];
      const removed = await Promise.all(
        [ids, ids.toReversed()].map((each) => maintenance().removeTables(each, { keepResults: false, at: 500 })),
      );
      expect(removed.reduce((sum, { tables }) => sum + tables, 0)).toBe(3);
      expect(removed.reduce((sum, { events }) => sum + events, 0)).toBe(9);
    });
  });
}

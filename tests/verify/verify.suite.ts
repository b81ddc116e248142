import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyTable } from '@maw/gamemaster/service.ts';
import type { Fault } from '@maw/store/integrity/fault.ts';
import type { Sql } from '@maw/store/driver/sql.ts';
import { sqlStore } from '@maw/store/sql/sql-store.ts';
import type { Store } from '@maw/store/store.ts';
import type { StoredTable } from '@maw/store/ports/maintenance.ts';
import { tamperings, type Victim } from './tampering.ts';
import { gamemasterAndChatroom, START, type Terms } from './played-tables.ts';

/** Long after everything: nothing is on its way any more. */
export const LATER = { now: START + 10 * 86_400_000, lagMs: 120_000 };

export const GAMES: readonly Terms[] = [
  { table: 'maw', rules: 'maw', players: 5, options: { whisper: true, seer: true, maxDays: 3 } },
  { table: 'rounds', rules: 'onuw', players: 4, rounds: 2 },
  { table: 'quest', rules: 'avalon', players: 5 },
  { table: 'wolves', rules: 'werewolf-7', players: 7 },
  { table: 'ai', rules: 'aiwolf', players: 5 },
  { table: 'running', rules: 'maw', players: 5, rounds: 9, acts: 60 },
  { table: 'lobby', rules: 'maw', players: 5, acts: 0 },
];

/** What of the games that were played is the victim of who alters them: the first two lines that follow on each other, once many were said. */
export function victimOf(kept: StoredTable): Victim {
  const { tape, rooms } = kept;
  const spoken = tape.map(({ event, cause, at }, i) => {
    const { by, says } = (event['answer'] ?? {}) as { readonly by?: number; readonly says?: readonly string[] };
    const isAlone = tape[i - 1]?.cause !== cause && tape[i + 1]?.cause !== cause;
    if (event.type !== 'answered' || !isAlone) return undefined;
    return rooms.flatMap(({ room, archive }) =>
      archive
        .filter((line) => line.by === by && line.text === says?.[0] && line.at === at && line.to === undefined)
        .map(({ line }) => ({ room, line, lines: archive.length })),
    )[0];
  });
  const first = spoken.findIndex((one, i) => one && spoken[i + 1]?.room === one.room && spoken[i + 1]!.line === one.line + 1);
  if (first < 0) throw new Error('no two lines of the game follow on each other');
  const hashes = tape.map(({ hash }) => hash!);
  return { table: kept.table, last: tape.length, opened: tape[0]!.at, hashes, said: { ...spoken[first]!, sequence: first + 1 } };
}

/** What every SQL store lets be found. `open` gives a database of its own, on one connection. */
export function verifySuite(name: string, open: () => Promise<Sql>, games = GAMES): void {
  describe(`verifying ${name}`, () => {
    let sql: Sql;
    let store: Store;
    const look = async (table: string): Promise<readonly Fault[]> => verifyTable((await store.maintenance.readTable(table))!, LATER);

    beforeAll(async () => {
      sql = await open();
      store = await sqlStore(sql);
      const here = await gamemasterAndChatroom(store);
      for (const terms of games) await here.play(terms);
      await here.heard();
      await here.close();
    }, 600_000);
    afterAll(() => store.close());

    it('finds no fault in untouched tables, ended or running', async () => {
      const found = await Promise.all(games.map(async ({ table }) => [table, await look(table)]));
      expect(found).toEqual(games.map(({ table }) => [table, []]));
      expect((await store.maintenance.readTable('running'))!.row).toMatchObject({ isOver: false, wake: expect.any(Number) });
      expect((await store.maintenance.readTable('maw'))!.row).toMatchObject({ isOver: true, wake: undefined });
    });

    it('finds every kind of tampering, at its place only', async () => {
      const victim = victimOf((await store.maintenance.readTable('maw'))!);
      const all = tamperings(victim);
      expect(all.length).toBeGreaterThan(30);
      for (const { does, sql: statements, faults } of all) {
        await sql.query('begin');
        try {
          for (const statement of statements) expect([does, (await sql.query(statement)).affected > 0]).toEqual([does, true]);
          const found = await look('maw');
          expect([does, found.map(({ place, wrong }) => `${place}: ${wrong}`)]).toEqual([
            does,
            faults.map(({ place, wrong }) => `${place}: ${wrong}`),
          ]);
          for (const [i, fault] of faults.entries()) expect([does, found[i]]).toEqual([does, expect.objectContaining(like(fault))]);
        } finally {
          await sql.query('rollback');
        }
      }
      expect(await look('maw')).toEqual([]);
    }, 600_000);

    it('finds a wrong alarm of a running game', async () => {
      await sql.query('begin');
      await sql.query(`update game set wake = null where id = 'running'`);
      expect(await look('running')).toEqual([{ place: 'row', wrong: 'wake', expected: expect.stringMatching(/^\d+$/), found: 'none' }]);
      await sql.query('rollback');
    });

    it('accepts events older than the hash chain, and starts the chain after them', async () => {
      await sql.query('begin');
      await sql.query(`update tape set hash = null where game = 'running'`);
      await sql.query(`update game set head = null where id = 'running'`);
      expect(await look('running')).toEqual([]);
      const before = (await store.maintenance.readTable('running'))!.tape.length;
      const { summary, wake } = (await store.maintenance.readTable('running'))!.row!;
      const refused = { type: 'refused', question: 'nowhere', seat: 0, reason: 'dead', detail: '' };
      const more = { at: START + 1, cause: 'later', wake, summary };
      await store.tapes.append('running', before, [refused, refused], more);
      await store.tapes.append('running', before + 2, [refused], more);
      const kept = (await store.maintenance.readTable('running'))!;
      expect(kept.tape.map(({ hash }) => hash !== undefined)).toEqual(kept.tape.map((_, i) => i >= before));
      expect(verifyTable(kept, LATER)).toEqual([]);
      await sql.query(`update tape set cause = 'other' where game = 'running' and sequence = ${before + 1}`);
      expect((await look('running')).map(({ place, wrong }) => [place, wrong])).toEqual([[`event ${before + 1}`, 'chain']]);
      await sql.query('rollback');
    });

    it('reports no fault while games are played', async () => {
      const here = await gamemasterAndChatroom(store);
      let isOver = false;
      const played = Promise.all(
        [1, 2, 3].map((n) => here.play({ table: `live-${n}`, rules: 'maw', players: 5, options: { maxDays: 1 } })),
      );
      const playing = played.finally(() => (isOver = true));
      let looks = 0;
      const found: unknown[] = [];
      while (!isOver) {
        for (const table of ['live-1', 'live-2', 'live-3']) {
          // PGlite answers without a turn of the event loop, and the games want theirs.
          await new Promise(setImmediate);
          const kept = await store.maintenance.readTable(table);
          if (!kept) continue;
          looks++;
          // Everything of the last days may still be on its way.
          found.push(...verifyTable(kept, { now: here.clock.now, lagMs: 20 * 86_400_000 }));
        }
      }
      await playing;
      await here.heard();
      await here.close();
      expect(found).toEqual([]);
      expect(looks).toBeGreaterThan(3);
      for (const table of ['live-1', 'live-2', 'live-3']) expect(await look(table)).toEqual([]);
    }, 600_000);
  });
}

/** A fault as it is expected: texts need only be somewhere in it. */
const like = ({ expected, found, ...rest }: Partial<Fault>) => ({
  ...rest,
  ...(expected === undefined ? {} : { expected: expect.stringContaining(expected) }),
  ...(found === undefined ? {} : { found: expect.stringContaining(found) }),
});

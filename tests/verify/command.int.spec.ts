import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventDigest, chainLink } from '@maw/store/integrity/hash-chain.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import { postgresSql } from '@maw/store/postgres.ts';
import type { Sql } from '@maw/store/driver/sql.ts';
import { sqlStore } from '@maw/store/sql/sql-store.ts';
import type { StoredTable } from '@maw/store/ports/maintenance.ts';
import type { Store } from '@maw/store/store.ts';
import { databaseUrl, testDatabase } from '@maw/store/test-database.suite.ts';
import { runMaw } from '@maw/cli/command.suite.ts';
import { gamemasterAndChatroom } from './played-tables.ts';
import { GAMES, victimOf } from './verify.suite.ts';

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!databaseUrl) it.skip('maw verify and maw retention: skipped, because DATABASE_URL is not set', () => undefined);
else
  describe('maw verify and maw retention', () => {
    let database: Awaited<ReturnType<typeof testDatabase>>;
    let sql: Sql;
    let store: Store;
    let cwd: string;
    const maw = (...args: readonly string[]) => runMaw(args, { cwd, env: { DATABASE_URL: database.url } });
    const games = async (of: Store) => {
      const here = await gamemasterAndChatroom(of);
      for (const terms of GAMES) if (terms.table === 'maw' || terms.table === 'running') await here.play(terms);
      await here.heard();
      await here.close();
    };

    beforeAll(async () => {
      cwd = await mkdtemp(join(tmpdir(), 'maw-verify-'));
      database = await testDatabase();
      sql = postgresSql({ url: database.url });
      store = await sqlStore(sql);
      await games(store);
    }, 600_000);
    afterAll(async () => {
      await store.close();
      await database.close();
      await rm(cwd, { recursive: true, force: true });
    });

    const stored = async () => [(await store.maintenance.readTable('maw'))!, (await store.maintenance.readTable('running'))!] as const;

    it('verify prints heads and finds tampering', async () => {
      const [over, running] = await stored();
      const events = over.tape.length + running.tape.length;
      const heads = headsOf(over, running);

      const clean = await maw('verify', '--all');
      expect(clean).toEqual({ code: 0, out: heads, err: `2 tables, ${events} events, nothing is wrong\n`, lines: expect.any(Array) });
      await writeFile(join(cwd, 'heads.txt'), heads);
      const nobody = await maw('verify', 'nobody');
      expect([nobody.code, nobody.err]).toEqual([1, 'maw: there is no table nobody; ./maw tables lists them\n']);

      // Somebody changes what was said.
      const { said } = victimOf(over);
      const text = `jsonb_set(event, '{answer,says,0}', '"I am the wolf."')`;
      await sql.query(`update tape set event = ${text} where game = 'maw' and sequence = ${said.sequence}`);
      await sql.query(
        `update line_archive set text = 'I am the wolf.' where game = 'maw' and room = '${said.room}' and line = ${said.line}`,
      );
      const altered = await maw('verify', '--all', '--heads', 'heads.txt', '--json');
      expect([altered.code, altered.lines[1]]).toEqual([1, `2 tables, ${events} events, 1 fault in 1 table`]);
      expect(altered.lines[0]).toMatch(
        new RegExp(
          `^maw: maw: event ${said.sequence}: chain: expected [0-9a-f]{64}, the hash of what stands there, found ${over.tape[said.sequence - 1]!.hash}$`,
        ),
      );
      expect(
        altered.out
          .split('\n')
          .filter(Boolean)
          .map((line): unknown => JSON.parse(line)),
      ).toEqual([
        expect.objectContaining({
          type: 'table',
          table: 'maw',
          head: { sequence: over.row!.last, hash: over.row!.head },
          faults: [expect.objectContaining({ wrong: 'chain' })],
        }),
        expect.objectContaining({ type: 'table', table: 'running', events: running.tape.length, before: 0, faults: [] }),
        { type: 'summary', tables: 2, events, before: 0, faults: 1, faulty: 1, stopped: false },
      ]);

      // ... and works out the whole chain anew: only a head that was noted tells.
      await rewriteChain(store, sql, 'maw');
      const rewritten = await maw('verify', 'maw');
      expect([rewritten.code, rewritten.err]).toEqual([0, `1 table, ${over.tape.length} events, nothing is wrong\n`]);
      const noted = await maw('verify', 'maw', '--heads', 'heads.txt');
      expect([noted.code, noted.lines[0]]).toEqual([
        1,
        `maw: maw: event ${over.row!.last}: noted: expected ${over.row!.head}, as it was noted, found ${(await store.maintenance.readTable('maw'))!.row!.head}`,
      ]);
    }, 600_000);

    it('retention removes old tables', async () => {
      const [over, running] = await stored();
      await writeFile(join(cwd, 'heads.txt'), headsOf(over, running));
      const old = ['retention', '--older', '1h'];
      expect((await maw(...old, '--dry-run')).out).toMatch(
        new RegExp(`^1 table that ended before 20\\S+Z would be removed, with ${over.tape.length} events\\.\n$`),
      );
      expect((await store.maintenance.readTable('maw'))!.tape.length).toBe(over.tape.length);
      const kept = JSON.parse((await maw(...old, '--keep-results', '--json')).out) as unknown;
      expect(kept).toMatchObject({ keepResults: true, dryRun: false, tables: 1, events: over.tape.length, stopped: false });
      expect((await store.maintenance.readTable('maw'))!.row).toMatchObject({ retired: expect.any(Number), last: over.tape.length });
      expect(await store.tapes.result('maw')).toEqual(over.result);
      expect((await maw(...old)).out).toMatch(/^Removed 1 table that ended before \S+, with 0 events, 0 lines, 0 thoughts, 0 takes\.\n$/);
      expect(await store.maintenance.listTables('', 9)).toEqual(['running']);

      const gone = await maw('verify', '--all', '--heads', 'heads.txt');
      expect([gone.code, gone.lines]).toEqual([
        1,
        [
          `maw: maw: table: noted: expected event ${over.row!.last} with ${over.row!.head}, as it was noted, found no such table`,
          `1 table, ${running.tape.length} events, 1 fault in 1 table`,
        ],
      ]);
      expect(await store.maintenance.readTable('running')).toEqual(running);
    }, 600_000);

    it('verify reads the tables of a data folder', async () => {
      const folder = join(cwd, 'data', 'tables');
      const inFolder = await pgliteStore({ folder });
      await inFolder.tapes.append('t', 0, [{ type: 'opened' }], { at: 1, cause: 'c', wake: undefined, summary: { stage: 'lobby' } });
      await inFolder.close();
      const { code, lines } = await runMaw(['verify', '--all', '--data', 'data'], { cwd, env: { DATABASE_URL: '' } });
      expect([code, lines[0]]).toEqual([1, expect.stringMatching(/^maw: t: event 1: fold: expected an event that can follow/)]);
    }, 600_000);
  });

const headsOf = (...tables: readonly StoredTable[]): string =>
  tables.map(({ table, row }) => `${table}  ${row!.last}  ${row!.head}\n`).join('');

/** What somebody does who may write the database and knows of the chain. */
async function rewriteChain(store: Store, sql: Sql, table: string): Promise<void> {
  const { tape } = (await store.maintenance.readTable(table))!;
  let link: string | undefined;
  for (const event of tape) {
    link = chainLink(link, eventDigest(event));
    await sql.query(`update tape set hash = decode($1, 'hex') where game = $2 and sequence = $3::int`, [link, table, event.sequence]);
  }
  await sql.query(`update game set head = decode($1, 'hex') where id = $2`, [link!, table]);
}

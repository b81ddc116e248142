import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyTable } from '@maw/gamemaster/service.ts';
import { tableListsSuite } from '@maw/store/ports/table-lists.suite.ts';
import { postgresSql } from '@maw/store/postgres.ts';
import type { Sql } from '@maw/store/driver/sql.ts';
import { sqlStore } from '@maw/store/sql/sql-store.ts';
import type { Store } from '@maw/store/store.ts';
import { tapesSuite } from '@maw/store/ports/tapes.suite.ts';
import { databaseUrl, truncateAll, testDatabase } from '@maw/store/test-database.suite.ts';
import { maintenanceSuite } from '@maw/store/ports/maintenance.suite.ts';
import { gamemasterAndChatroom } from './played-tables.ts';
import { LATER } from './verify.suite.ts';

/** The SQL that a section of the page for operators has, block by block. */
function sqlOf(heading: string): readonly string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const from = page.indexOf(`\n### ${heading}\n`);
  const next = page.slice(from + 1).search(/\n##+ /);
  const section = page.slice(from, next < 0 ? undefined : from + 1 + next);
  return [...section.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
}

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!databaseUrl) it.skip('a tape in partitions: skipped, because DATABASE_URL is not set', () => undefined);
else
  describe('a tape that is partitioned as the page for operators says', () => {
    let database: Awaited<ReturnType<typeof testDatabase>>;
    let sql: Sql;
    let store: Store;
    const blocks = sqlOf('Hundreds of millions of events');

    beforeAll(async () => {
      database = await testDatabase();
      sql = postgresSql({ url: database.url });
      store = await sqlStore(sql);
    }, 600_000);
    afterAll(async () => {
      await store.close();
      await database.close();
    });

    it('keeps every event, accepts new ones, verifies, and supports retention', async () => {
      const here = await gamemasterAndChatroom(store);
      for (const n of [1, 2, 3, 4]) await here.play({ table: `old-${n}`, rules: 'onuw', players: 3 });
      const before = await sql.query('select * from tape order by game, sequence');
      expect(before.rows.length).toBeGreaterThan(20);

      expect(blocks.length).toBe(2);
      for (const block of blocks) await sql.query(block);
      expect(await sql.query('select * from tape order by game, sequence')).toEqual(before);
      const { rows: parts } = await sql.query<{ of: string; isSet: boolean }>(
        `select relid::text as of, reloptions is not null as "isSet" from pg_partition_tree('tape') join pg_class on oid = relid where isleaf`,
      );
      expect(parts).toHaveLength(32);
      expect(parts.filter(({ isSet }) => !isSet)).toEqual([]);
      const { rows: used } = await sql.query('select distinct tableoid from tape');
      expect(used.length).toBeGreaterThan(1);

      await here.play({ table: 'new-1', rules: 'onuw', players: 3 });
      await here.heard();
      await here.close();
      const ids = await store.maintenance.listTables('', 100);
      expect(ids).toEqual(['new-1', 'old-1', 'old-2', 'old-3', 'old-4']);
      for (const id of ids) expect([id, verifyTable((await store.maintenance.readTable(id))!, LATER)]).toEqual([id, []]);

      const { tables, events } = await store.maintenance.removeTables(['old-1', 'old-2'], { keepResults: false, at: 1 });
      expect([tables, events]).toEqual([2, before.rows.filter((row) => row['game'] === 'old-1' || row['game'] === 'old-2').length]);
      expect(await store.maintenance.listTables('', 100)).toEqual(['new-1', 'old-3', 'old-4']);
    }, 600_000);

    it('is entered by one partition for one table', async () => {
      const { rows } = await sql.query<{ 'QUERY PLAN': string }>(
        `explain select * from tape where game = 'old-3' and sequence > 1 order by sequence`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan.match(/\btape_\d+/g)?.length).toBeGreaterThan(0);
      expect(new Set(plan.match(/\btape_\d+\b(?!_)/g)).size).toBe(1);
    });

    describe('and keeps what every store promises', () => {
      beforeEach(() => truncateAll(sql));
      tapesSuite(() => store);
      tableListsSuite(() => store);
      maintenanceSuite(() => store);
    });
  });

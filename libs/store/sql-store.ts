import { checked } from './checked.ts';
import { timed } from './database-measures.ts';
import { sqlLedger } from './ledger.ts';
import { measured } from './measured.ts';
import { sqlAudit, sqlPermits } from './permits-sql.ts';
import { sqlPulse } from './pulse-sql.ts';
import { sqlRecordings } from './recordings.ts';
import { sqlRooms } from './rooms.ts';
import { migrate } from './schema.ts';
import type { Sql } from './sql.ts';
import type { Store } from './store.ts';
import { sqlTapes } from './tapes.ts';
import { sqlThoughts } from './thoughts.ts';
import { sqlUpkeep } from './upkeep-sql.ts';

/**
 * A store on any PostgreSQL. Closing it finishes the appends in hand, then closes what it was given.
 * @throws when the tables cannot be brought up to date
 */
export async function sqlStore(given: Sql, service = 'store'): Promise<Store> {
  await migrate(given);
  const sql = timed(given, service);
  const tapes = sqlTapes(sql);
  return checked({
    tapes: measured(tapes, service),
    rooms: sqlRooms(sql),
    thoughts: sqlThoughts(sql),
    recordings: sqlRecordings(sql),
    upkeep: sqlUpkeep(sql),
    permits: sqlPermits(sql),
    audit: sqlAudit(sql),
    pulse: sqlPulse(sql),
    ledger: sqlLedger(sql),
    async ping() {
      await sql.query('select 1');
    },
    async close() {
      await tapes.drained();
      await sql.close();
    },
  });
}

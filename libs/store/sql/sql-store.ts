import { withAppendMetrics } from '../append-metrics.ts';
import { timedSql } from '../driver/database-metrics.ts';
import { databaseUse } from '../driver/database-use.ts';
import { errorCode } from '../driver/error-code.ts';
import { watchDisk } from '../driver/full-disk.ts';
import type { Sql } from '../driver/sql.ts';
import type { AccountUsage, BudgetUsage } from '../ports/budget-usage.ts';
import type { GatewayKeys, StoredKey } from '../ports/gateway-keys.ts';
import type { Store } from '../store.ts';
import { sqlAgentSets } from './agent-sets.ts';
import { sqlAuditLog } from './audit-log.ts';
import { sqlContests } from './contests/contests.ts';
import { DATABASE_CLOCK, sqlHeartbeat } from './heartbeat.ts';
import { sqlExperience } from './learned/experience.ts';
import { sqlPolicies } from './learned/policies.ts';
import { sqlStrategies } from './learned/strategies.ts';
import { sqlLlmUsage } from './llm-usage.ts';
import { sqlMaintenance } from './maintenance.ts';
import { sqlRecordings } from './recordings.ts';
import { sqlRooms } from './rooms.ts';
import { migrate } from './schema.ts';
import { sqlTapes } from './tapes.ts';
import { sqlThoughts } from './thoughts.ts';
import { sqlTokens } from './tokens.ts';

/**
 * A store on any PostgreSQL. Closing waits for appends in flight, then closes `given`; closing again waits for the same.
 * @throws when the schema cannot be migrated
 */
export async function sqlStore(given: Sql, service = 'store'): Promise<Store> {
  await migrate(given);
  const sql = watchDisk(markPermanent(timedSql(given, service)));
  const tapes = sqlTapes(sql);
  let closing: Promise<void> | undefined;
  const close = async () => {
    await tapes.drained();
    await sql.close();
  };
  return {
    tapes: withAppendMetrics(tapes, service),
    rooms: sqlRooms(sql),
    thoughts: sqlThoughts(sql),
    recordings: sqlRecordings(sql),
    experience: sqlExperience(sql),
    strategies: sqlStrategies(sql),
    policies: sqlPolicies(sql),
    agentSets: sqlAgentSets(sql),
    contests: sqlContests(sql),
    maintenance: sqlMaintenance(sql),
    tokens: sqlTokens(sql),
    auditLog: sqlAuditLog(sql),
    heartbeat: sqlHeartbeat(sql),
    budgetUsage: sqlBudgetUsage(sql),
    llmUsage: sqlLlmUsage(sql),
    gatewayKeys: sqlGatewayKeys(sql),
    async ping() {
      await sql.query('select 1');
    },
    async now() {
      const { rows } = await sql.query<{ now: number }>(`select ${DATABASE_CLOCK} as now`);
      return rows[0]!.now;
    },
    use: () => databaseUse(sql),
    isFull: () => sql.isFull(),
    close: () => (closing ??= close()),
  };
}

/** Marks errors about the values themselves (SQLSTATE class 22): retry loops give up then. */
const markPermanent = ({ query, close }: Sql): Sql => ({
  query: (text, params) =>
    query<never>(text, params).catch((error: unknown) => {
      throw /^22/.test(errorCode(error) ?? '') ? Object.assign(error as Error, { isPermanent: true }) : error;
    }),
  close,
});

/** Budget usage in SQL. */
const sqlBudgetUsage = (sql: Sql): BudgetUsage => ({
  async record(at, totals) {
    if (totals.length === 0) return;
    const rows = totals.map(({ kind, who, period, used, most }) => ({ kind, who, period, used, most }));
    await sql.query(
      `insert into tally as t (kind, who, period, used, most, at)
       select kind, who, period, used, most, $1::bigint from json_to_recordset($2::text::json)
         as given (kind text, who text, period int, used bigint, most bigint)
       on conflict (kind, who) do update set period = excluded.period, used = excluded.used, most = excluded.most, at = excluded.at
         where (excluded.period, excluded.used) >= (t.period, t.used) or excluded.period < t.period - 1`,
      [at, JSON.stringify(rows)],
    );
  },

  async list(kind, { since, limit }) {
    const { rows } = await sql.query<AccountUsage>(
      `select kind, who, period, used, most from tally where kind = $1 and at >= $2::bigint order by at desc, who limit $3::int`,
      [kind, since, limit],
    );
    return rows;
  },

  async prune(before) {
    await sql.query('delete from tally where at < $1::bigint', [before]);
  },
});

/** Keys of the gateway in SQL. */
const sqlGatewayKeys = (sql: Sql): GatewayKeys => ({
  async list() {
    const { rows } = await sql.query<StoredKey>('select id, digest, at, by_whom as by, about from gateway_key order by at, id');
    return rows;
  },
  async add({ id, digest, at, by, about }) {
    await sql.query('insert into gateway_key (id, digest, at, by_whom, about) values ($1, $2, $3::bigint, $4, $5::jsonb)', [
      id,
      digest,
      at,
      by,
      JSON.stringify(about),
    ]);
  },
  async remove(id) {
    const { affected } = await sql.query('delete from gateway_key where id = $1', [id]);
    return affected > 0;
  },
});

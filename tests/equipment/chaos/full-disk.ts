import { pollUntil } from '@maw/async/poll-until.ts';
import { Client } from 'pg';

const SWITCH_MS = 300_000;
const LOOK_MS = 100;

/** What inserts into every table of the store call. */
const trigger = (what: string): string =>
  `create or replace function disk_full() returns trigger language plpgsql as $$ begin ${what}; end $$`;
const REFUSE = trigger(`raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'`);
const ACCEPT = trigger('return new');
/** The row of the heartbeat fits into its page: it is overwritten on a full disk, too. */
const TABLES = `select table_name as name from information_schema.tables
  where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> 'pulse'`;

/** Fills the disk of a database, or makes room, as far as its clients can tell: rows are refused that may need more space. */
export async function setDiskFull(url: () => string, isFull: boolean, signal: AbortSignal): Promise<void> {
  const change = async () => {
    const client = new Client({ connectionString: url() });
    client.on('error', () => undefined); // the query fails as well
    try {
      await client.connect();
      if (isFull) await addTriggers(client);
      await client.query(isFull ? REFUSE : ACCEPT);
    } finally {
      await client.end();
    }
    return true;
  };
  const how = { timeoutMs: SWITCH_MS, everyMs: LOOK_MS, retryErrors: true, signal };
  await pollUntil(`the disk is ${isFull ? 'full' : 'free again'}`, change, how); // the database may be restarting
}

/** One table at a time: locks on several could deadlock with the services. */
async function addTriggers(client: Client): Promise<void> {
  await client.query(ACCEPT);
  const { rows } = await client.query<{ name: string }>(TABLES);
  for (const { name } of rows)
    await client.query(
      `create or replace trigger disk_full before insert on ${client.escapeIdentifier(name)} for each row execute function disk_full()`,
    );
}

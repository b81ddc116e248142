import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pollUntil } from '@maw/async/poll-until.ts';
import { readDevServersConfig } from '@maw/dev-servers/config.ts';
import { withRestoredDump } from '@maw/dev-servers/restore-dump.ts';
import { databaseTls } from '@maw/dev-servers/tls.ts';
import { RESTORE_TEST, storable } from '@maw/store/ports/audit-log.ts';
import { DatabaseUnavailable } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import type { CliConfig } from '../config.ts';
import { openDatabase, openStore } from './open-store.ts';
import { verifyStore } from './verify.ts';
import { counted, say } from '../output.ts';

interface RestoreTestOptions {
  /** How long to wait until the database that was restored answers, in milliseconds. */
  readonly within: number;
  /** The file with heads that were noted before the backup. */
  readonly heads?: string;
  /** How far rooms may be behind the last event, in milliseconds. */
  readonly lag: number;
  /** Whether the live database is compared, and told of the outcome. */
  readonly live: boolean;
  /** How much older than the live database the backup may be, in milliseconds. */
  readonly behind: number;
  /** Why nothing could be restored, if the caller has tried to: this is noted, and nothing verified. */
  readonly failed?: string;
  readonly data: string;
}

/** What is known of a database. */
interface Extent {
  readonly tables: number;
  /** Of its last event, in milliseconds since the epoch. */
  readonly at: number | undefined;
}

/** What came of a test. */
interface TestResult extends Extent {
  readonly events: number;
  readonly isStopped: boolean;
  /** What is wrong with the backup; undefined: nothing. */
  readonly wrong: string | undefined;
}

/**
 * `maw restore-test [DUMP]`: restores a dump into a PostgreSQL of its own, or takes the database at RESTORED_URL as what
 * was restored, and verifies all tables as `maw verify` does. Rooms are compared as of the last event, since nobody goes on writing there.
 * @returns the exit code: 0 when the backup is good, 1 when it is not, 130 when it was stopped
 * @throws Error when the backup cannot be restored or read, or the live database not be told
 */
export async function restoreTest(
  dump: string | undefined,
  options: RestoreTestOptions,
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  if (options.failed === undefined) requireBackup(dump, config);
  const live = options.live ? await openStore(options, config) : undefined;
  try {
    if (options.failed !== undefined) throw await notRestored(live, dump, options.failed);
    const now = live && (await extentOf(live));
    const check = (url: string, tls?: Tls): Promise<TestResult> => checkRestored(url, { tls, now, options, signal });
    const { path } = readDevServersConfig(config.all);
    const checked =
      dump === undefined ? check(config.restoredUrl!, databaseTls(config.all)) : withRestoredDump(dump, { path, signal }, check);
    const result = await checked.catch(async (error: Error) => {
      if (!signal.aborted) await note(live, dump, error.message);
      throw error;
    });
    if (result.isStopped) return 130;
    await note(live, dump, result.wrong ?? 'done', result);
    if (result.wrong !== undefined) throw new Error(`this backup is not good: ${result.wrong}`);
    say(
      `This backup can be restored: ${counted(result.tables, 'table')}, ${counted(result.events, 'event')}, the last of ${timeOf(result.at)}.`,
    );
    return 0;
  } finally {
    await live?.close();
  }
}

/** Notes why nothing was restored. @returns what is told about it */
async function notRestored(live: Store | undefined, dump: string | undefined, said: string): Promise<Error> {
  const why = `it was not restored: ${said.trim().replaceAll(/\s*\n\s*/g, '; ') || 'nobody says why'}`;
  await note(live, dump, why);
  return new Error(`this backup is not good: ${why}`);
}

/** @throws Error when it is not clear what is tested, or nothing was restored there */
function requireBackup(dump: string | undefined, { restoredUrl, databaseUrl }: CliConfig): void {
  if (dump === undefined && restoredUrl === undefined)
    throw new Error('which backup? Name what pg_dump -Fc has written, or set RESTORED_URL to the address of a database that was restored');
  const isLive = restoredUrl !== undefined && databaseUrl !== undefined && placeOf(restoredUrl) === placeOf(databaseUrl);
  if (isLive && dump === undefined)
    throw new Error('RESTORED_URL is the live database, the one of DATABASE_URL: set it to the address of a database that was restored');
}

/** The server and the database of an address, whoever connects there. */
function placeOf(url: string): string {
  const at = URL.parse(url);
  return at ? `${at.hostname}:${at.port || '5432'}${at.pathname}` : url;
}

type Tls = ReturnType<typeof databaseTls> | undefined;

interface CheckContext {
  readonly tls: Tls;
  /** What the live database had before. */
  readonly now: Extent | undefined;
  readonly options: RestoreTestOptions;
  readonly signal: AbortSignal;
}

/** Verifies a database that was restored. */
async function checkRestored(url: string, { tls, now, options, signal }: CheckContext): Promise<TestResult> {
  const { heads, lag, behind, within } = options;
  const store = await openRestored(url, { tls, within, signal });
  try {
    const { at } = await extentOf(store);
    const all = { table: undefined, ...(heads !== undefined && { heads }), lag, json: false, isListed: false, now: () => at ?? 0 };
    const { tables, events, faults, faulty, isStopped } = await verifyStore(store, all, signal);
    const found = { tables, events, at, isStopped };
    if (faults > 0) return { ...found, wrong: `${counted(faults, 'fault')} in ${faulty} of ${counted(tables, 'table')}` };
    if (tables === 0 && now?.tables !== 0) return { ...found, wrong: 'there is no table in it' };
    const isOld = now?.at !== undefined && now.at - (at ?? 0) > behind;
    const wrong = isOld ? `its last event is of ${timeOf(at)}, and the live database has one of ${timeOf(now.at)}` : undefined;
    return { ...found, wrong };
  } finally {
    await store.close();
  }
}

/** Opens the database once it answers; something else may still be restoring it. @throws DatabaseUnavailable when it does not in time */
async function openRestored(
  url: string,
  { tls, within, signal }: { readonly tls: Tls; readonly within: number; readonly signal: AbortSignal },
): Promise<Store> {
  const givenUpAt = Date.now() + within;
  const probe = () =>
    openDatabase(url, tls).catch((error: unknown) => {
      if (/^There are no tables/.test((error as Error).message))
        throw new Error('there is no table in it: nothing was restored there; what pg_restore said stands above', { cause: error });
      if (!(error instanceof DatabaseUnavailable) || Date.now() >= givenUpAt) throw error;
      return undefined;
    });
  return pollUntil('the restored database answers', probe, { timeoutMs: Infinity, everyMs: 5_000, signal });
}

const extentOf = async ({ maintenance }: Store): Promise<Extent> => ({
  tables: await maintenance.countTables(),
  at: await maintenance.lastEventAt(),
});

const timeOf = (at: number | undefined): string => (at === undefined ? 'never' : new Date(at).toISOString());

/** Writes the outcome into the audit log of the live database. @throws Error when it cannot be written */
async function note(live: Store | undefined, dump: string | undefined, outcome: string, found: Partial<Extent> = {}): Promise<void> {
  if (!live) return;
  const about = {
    ...(dump !== undefined && { dump }),
    ...(found.tables !== undefined && { tables: found.tables, last: timeOf(found.at) }),
  };
  const entry = {
    id: randomUUID(),
    at: await live.now(),
    who: 'operator',
    token: '',
    from: hostname(),
    what: RESTORE_TEST,
    about,
    outcome,
  };
  await live.auditLog.write(storable(entry)).catch((cause: Error) => {
    throw new Error(`the audit log cannot be written (${cause.message}); connect to the live database as maw_keeper. ${wordsOf(outcome)}`, {
      cause,
    });
  });
}

const wordsOf = (outcome: string): string => (outcome === 'done' ? 'The backup is good' : `The test of the backup failed: ${outcome}`);

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pgliteStore } from '@maw/store/pglite.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import type { CliConfig } from '../config.ts';
import { readConnectionFile } from '../clients/connection-file.ts';
import { databaseTls } from '@maw/dev-servers/tls.ts';

/** The options of commands that read a store. */
export interface StoreOptions {
  readonly data: string;
  readonly json: boolean;
}

/** The timeout of a statement, in milliseconds: maintenance reads much at once, and nobody waits for it. */
const STATEMENT_MS = 300_000;

/** Whether there is a store: a database is named, or runs, or is in the folder. */
export const hasStore = async ({ data }: { readonly data: string }, config: CliConfig): Promise<boolean> =>
  config.databaseUrl !== undefined || (await readConnectionFile(data))?.databaseUrl !== undefined || existsSync(join(data, 'tables'));

/**
 * The store to maintain: the database that is named, that of the system that runs from this folder, or the tables in the folder.
 * @throws Error when there is none; FolderInUse while a game is played in the folder
 */
export async function openStore({ data }: { readonly data: string }, config: CliConfig): Promise<Store> {
  const url = config.databaseUrl ?? (await readConnectionFile(data))?.databaseUrl;
  if (url !== undefined) return openDatabase(url, config.databaseUrl === undefined ? undefined : databaseTls(config.all));
  const folder = join(data, 'tables');
  if (!existsSync(folder))
    throw new Error(`which store? Set DATABASE_URL, or name the folder of a game or a ./maw up with --data (there is no table in ${data})`);
  return pgliteStore({ folder, service: 'maw' });
}

/** The store in the database at an address. */
export const openDatabase = (url: string, tls: ReturnType<typeof databaseTls> | undefined): Promise<Store> =>
  postgresStore({ url, tls, service: 'maw', poolSize: 2, statementMs: STATEMENT_MS });

/** Opens the store, and closes it once the work is done. Returns its result. */
export async function withStore<T>(options: { readonly data: string }, config: CliConfig, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(options, config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

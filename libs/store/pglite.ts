import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { lockFolder } from './driver/folder-lock.ts';
import { dropImage, imageFolder, readImage, saveImage, unpackImage } from './driver/pglite-image.ts';
import { sqlStore } from './sql/sql-store.ts';
import type { QueryResult, Sql } from './driver/sql.ts';
import type { Store } from './store.ts';

export { FolderInUse } from './driver/folder-lock.ts';

interface PgliteOptions {
  /** The data folder, for one process at a time; in memory when not given. */
  readonly folder?: string;
  /** The `service` label of its metrics. */
  readonly service?: string;
}

/**
 * A store on PGlite, a PostgreSQL inside this process.
 * @throws FolderInUse while another process holds the folder
 */
export async function pgliteStore({ folder, service }: PgliteOptions = {}): Promise<Store> {
  const sql = await pgliteSql(folder);
  try {
    return await sqlStore(sql, service);
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** PGlite as an Sql. It does not lock its folder itself, and two processes would destroy the data. */
export async function pgliteSql(folder?: string, images: string | undefined = imageFolder()): Promise<Sql> {
  const lock = folder === undefined ? undefined : await lockFolder(folder);
  try {
    const db = await openDatabase(folder === undefined ? undefined : join(folder, 'postgres'), images);
    let closing: Promise<void> | undefined;
    const close = async () => {
      await db.close();
      await lock?.release();
    };
    return {
      async query<R>(text: string, params: readonly (string | number | boolean | null)[] = []): Promise<QueryResult<R>> {
        if (closing) throw new Error('The store is closed'); // the folder may be another process's by now
        const { rows, affectedRows } = await db.query<R>(text, [...params]);
        return { rows, affected: affectedRows ?? 0 };
      },
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

const INT8 = 20;
/** PostgreSQL's 128 MB of buffers are for a server; a table's rows fit into 8. */
const SMALL_BUFFERS = ['-c', 'shared_buffers=8MB'];

/** Opens the database in `dataDir`, or a new one; a new one starts from the image in `images`, and is saved there when it is the first. */
async function openDatabase(dataDir: string | undefined, images: string | undefined): Promise<PGlite> {
  const options: PGliteOptions = {
    ...(dataDir !== undefined && { dataDir }),
    parsers: { [INT8]: Number },
    startParams: [...PGlite.defaultStartParams, ...SMALL_BUFFERS],
  };
  const isNew = dataDir === undefined || !existsSync(join(dataDir, 'PG_VERSION'));
  if (!isNew || images === undefined || (dataDir !== undefined && (await unpackImage(images, dataDir)))) return PGlite.create(options);
  const image = await readImage(images);
  if (image)
    try {
      return await PGlite.create({ ...options, loadDataDir: image });
    } catch {
      // It is damaged, as after a crash, and every further start would fail with it.
      await dropImage(images);
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
    }
  const db = await PGlite.create(options);
  await saveImage(images, db);
  return db;
}

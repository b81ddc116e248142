import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import about from '../package.json' with { type: 'json' };

/** Where `./maw` lets Node keep what it compiled; nothing is kept without. */
export const imageFolder = (): string | undefined => getCompileCacheDir();

const pathIn = (folder: string): string => join(folder, `pglite-${about.dependencies['@electric-sql/pglite']}.tar`);

/** The files of an empty database. To read them takes a fifth of the processor time that it takes to make them (initdb). */
export const readImage = async (folder: string): Promise<Blob | undefined> =>
  readFile(pathIn(folder)).then(
    (bytes) => new Blob([bytes]),
    () => undefined,
  );

/** Saves the files of `db`, in which nothing may have been written yet. An image that is there already stays; where none can be written, there is none. */
export async function saveImage(folder: string, db: PGlite): Promise<void> {
  const dump = await db.dumpDataDir('none');
  const unfinished = join(folder, `pglite-${randomUUID()}`);
  try {
    await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
    await link(unfinished, pathIn(folder));
  } catch {
    // The next start makes its files itself.
  } finally {
    await rm(unfinished, { force: true });
  }
}

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PGlite } from '@electric-sql/pglite';
import about from '../package.json' with { type: 'json' };

const cache = getCompileCacheDir();
/** Where `./maw` lets Node keep what it compiled, whatever the options of Node; nothing is kept without. */
export const imageFolder = (): string | undefined => cache && dirname(cache);

/** Users who share the folder need not trust each other. */
const name = `pglite-${about.dependencies['@electric-sql/pglite']}-${process.getuid?.() ?? 0}.tar`;
const pathIn = (folder: string): string => join(folder, name);

/** The files of an empty database. To read them takes a fifth of the processor time that it takes to make them (initdb). */
export const readImage = async (folder: string): Promise<Blob | undefined> =>
  readFile(pathIn(folder)).then(
    (bytes) => new Blob([bytes]),
    () => undefined,
  );

/**
 * Writes the files of an empty database to `dataDir`, where there are none, with the `tar` of the system: PGlite would keep all 40 MB in memory.
 * @returns whether they are there; not where there is no whole image, or no `tar`
 */
export async function unpackImage(folder: string, dataDir: string): Promise<boolean> {
  const unfinished = `${dataDir}-unfinished`; // there may be one of a process that was killed
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await promisify(execFile)('tar', ['-xof', pathIn(folder), '-C', unfinished]);
    await rename(unfinished, dataDir);
    return true;
  } catch {
    await rm(unfinished, { recursive: true, force: true });
    return false;
  }
}

/** Throws away a damaged image, so that the next one is whole. */
export const dropImage = (folder: string): Promise<void> => rm(pathIn(folder), { force: true });

/** Saves the files of `db`, in which nothing may have been written yet. An image that is there already stays; where none can be written, there is none. */
export async function saveImage(folder: string, db: PGlite): Promise<void> {
  const dump = await db.dumpDataDir('none');
  const unfinished = join(folder, `pglite-${randomUUID()}`);
  try {
    await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()), { flush: true });
    await link(unfinished, pathIn(folder));
  } catch {
    // The next start makes its files itself.
  } finally {
    await rm(unfinished, { force: true });
  }
}

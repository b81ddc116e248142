import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from './error-code.ts';

/** Another process, or another store of this process, holds the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  readonly folder: string;
  /** Undefined for a moment, while the holder has not said who it is. */
  readonly pid: number | undefined;

  constructor(folder: string, { pid, host = hostname() }: Partial<Holder>, file: string) {
    const advice =
      host === hostname()
        ? `Stop that process${pid === undefined ? '' : ` (kill ${pid})`} or use another folder.`
        : `Stop it there or use another folder. If that machine or container is gone for good, delete ${file}.`;
    super(`The folder ${folder} is in use by process ${pid ?? 'unknown'}${host === hostname() ? '' : ` on ${host}`}. ${advice}`);
    this.folder = folder;
    this.pid = pid;
  }
}

/**
 * Locks a folder for this process until it is released or the process has ended, however it ended: SQLite locks the file lock.sqlite, and the
 * operating system frees it. A file lock.N says who holds the folder. Older versions trust it alone, so they keep away too.
 * @throws FolderInUse
 */
export async function lockFolder(path: string): Promise<{ release(): Promise<void> }> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'));
  try {
    const isFree = begin(lock);
    const note = await noteIn(folder);
    const holder = await holderIn(note);
    if (!isFree || (holder && mayRun(holder))) throw new FolderInUse(folder, holder ?? {}, note);
    await writeFile(note, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
    return {
      async release() {
        await truncate(note).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error; // ENOENT: the folder was removed
        });
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** SQLITE_BUSY: https://sqlite.org/rescode.html#busy */
const BUSY = 5;

/** Begins to write, which one connection at a time can do. Returns whether it could; nothing is ever written. */
function begin(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin immediate');
    return true;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}

/** Who holds a folder. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The start time of the process. Only older versions note it: they do not lock the file. */
  readonly began?: string;
}

/** The last of the files lock.1, lock.2 ... of older versions, or the first one. */
async function noteIn(folder: string): Promise<string> {
  const numbers = (await readdir(folder)).map((name) => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? 0));
  return join(folder, `lock.${Math.max(1, ...numbers)}`);
}

/** Undefined when nobody has noted it, it was released, or a power loss tore the file. */
async function holderIn(note: string): Promise<Holder | undefined> {
  try {
    const holder: Holder = JSON.parse(await readFile(note, 'utf8'));
    return holder;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Whether a holder without a lock that this system knows may still run: on another machine, or of an older version. True when in doubt: a
 * folder used by two processes is destroyed.
 */
function mayRun({ pid, host, began }: Holder): boolean {
  if (host !== hostname()) return true;
  if (began === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

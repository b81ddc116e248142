import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from './error-code.ts';

/** Another process, or another store of this process, holds the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, { pid, host }: Holder, file: string) {
    const advice =
      host === hostname()
        ? `Stop that process (kill ${pid}) or use another folder.`
        : `Stop it there or use another folder. If that machine or container is gone for good, delete ${file}.`;
    super(`The folder ${folder} is in use by process ${pid}${host === hostname() ? '' : ` on ${host}`}. ${advice}`);
    this.folder = folder;
    this.pid = pid;
  }
}

/**
 * Locks a folder for this process until it is released or the process has ended, however it ended.
 *
 * The lock is a chain of files lock.1, lock.2 ...; the maker of the last one holds the folder, unless the file is empty (released) or its
 * process has ended. link(2) lets exactly one of several starters make the next file. Only the maker of a later file deletes one, so a starter
 * that acts on an outdated listing finds that its file is not the last, and gives way.
 * @throws FolderInUse
 */
export async function lockFolder(path: string): Promise<{ release(): Promise<void> }> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true });
  const me: Holder = { pid: process.pid, began: await startTimeOf(process.pid), host: hostname() };
  for (;;) {
    const last = await lastOf(folder);
    const holder = last > 0 ? await holderOf(nameOf(folder, last)) : undefined;
    if (holder === 'gone') continue;
    if (holder && (await isAlive(holder))) throw new FolderInUse(folder, holder, nameOf(folder, last));
    const mine = await claim(folder, last, me);
    if (mine === undefined) continue;
    await sweep(folder, last);
    return {
      async release() {
        await truncate(mine).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error; // ENOENT: the folder was removed
        });
      },
    };
  }
}

/** Makes the file after `last` and checks that it is the last. Returns its path, or undefined when another starter was faster. */
export async function claim(folder: string, last: number, me: Holder): Promise<string | undefined> {
  if (!(await make(folder, last + 1, me))) return undefined;
  const mine = nameOf(folder, last + 1);
  if ((await lastOf(folder)) === last + 1) return mine;
  await rm(mine, { force: true });
  return undefined;
}

/** The owner of a lock. */
interface Holder {
  readonly pid: number;
  /** The start time of the process as the system has it; tells it from a later process with the same pid. */
  readonly began: string | undefined;
  readonly host: string;
}

const nameOf = (folder: string, n: number) => join(folder, `lock.${n}`);

const numbersIn = async (folder: string) =>
  (await readdir(folder)).map((name) => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? 0)).filter((n) => n > 0);

const lastOf = async (folder: string) => Math.max(0, ...(await numbersIn(folder)));

/** Makes a file of the chain, complete from its first moment. Returns false when it exists already. */
async function make(folder: string, n: number, me: Holder): Promise<boolean> {
  const draft = join(folder, `draft.${randomUUID()}`);
  await writeFile(draft, JSON.stringify(me));
  try {
    await link(draft, nameOf(folder, n));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

/** The owner of a lock file; undefined when it was released or torn by a power loss; 'gone' when it was deleted because there is a later one. */
async function holderOf(file: string): Promise<Holder | undefined | 'gone'> {
  try {
    const holder: Holder = JSON.parse(await readFile(file, 'utf8'));
    return holder;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Deletes all files before `before`: that one stays, so that a concurrent listing never finds the folder empty. */
async function sweep(folder: string, before: number): Promise<void> {
  for (const n of await numbersIn(folder)) if (n < before) await rm(nameOf(folder, n), { force: true });
}

/** True when in doubt: a folder used by two processes is destroyed. */
async function isAlive({ pid, began, host }: Holder): Promise<boolean> {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
  }
  const now = await startTimeOf(pid);
  return began === undefined || now === undefined || began === now;
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    // Linux: in ticks since boot. The command name, in brackets, may contain anything.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing any more.
    return fields[0] === 'Z' ? 'over' : `${boot}/${fields[19]}`;
  } catch {
    const said = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
    }).catch(() => undefined);
    return said?.stdout.trim() || undefined;
  }
}

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from './error-code.ts';

/** Another process, or another store of this one, has the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, { pid, host }: Holder, file: string) {
    const todo =
      host === hostname()
        ? `Stop that process (kill ${pid}) or use another folder.`
        : `Stop it there or use another folder. If that machine or container is gone for good, delete ${file}.`;
    super(`The folder ${folder} is in use by process ${pid}${host === hostname() ? '' : ` on ${host}`}. ${todo}`);
    this.folder = folder;
    this.pid = pid;
  }
}

/**
 * Takes a folder for this process, until it is released or the process is gone, however it went.
 *
 * The lock is a chain of files lock.1, lock.2 ...; whoever made the last one has the folder, unless it is empty (released) or its process
 * is gone. link(2) lets exactly one of several starters make the next. A file is deleted only by the maker of a later one, so a starter that
 * has looked too long ago finds, looking again, that it is not the last, and steps back.
 * @throws FolderInUse
 */
export async function lockFolder(path: string): Promise<{ release(): Promise<void> }> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true });
  const me: Holder = { pid: process.pid, began: await beginningOf(process.pid), host: hostname() };
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
          if (error.code !== 'ENOENT') throw error; // somebody has removed the folder
        });
      },
    };
  }
}

/** Makes the link after `last` and looks once more. Returns its file, or undefined when somebody was faster. */
export async function claim(folder: string, last: number, me: Holder): Promise<string | undefined> {
  if (!(await make(folder, last + 1, me))) return undefined;
  const mine = nameOf(folder, last + 1);
  if ((await lastOf(folder)) === last + 1) return mine;
  await rm(mine, { force: true });
  return undefined;
}

/** Whose a lock is. */
export interface Holder {
  readonly pid: number;
  /** When the process began, as the system says it; a later process with the same number has another. */
  readonly began: string | undefined;
  readonly host: string;
}

const nameOf = (folder: string, n: number) => join(folder, `lock.${n}`);

const numbersIn = async (folder: string) =>
  (await readdir(folder)).map((name) => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? 0)).filter((n) => n > 0);

const lastOf = async (folder: string) => Math.max(0, ...(await numbersIn(folder)));

/** Makes a link of the chain, whole from the first moment. Returns whether nobody was faster. */
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

/** Who made a link; undefined when it has been released, or was lost with the power; 'gone' when there is a later one by now. */
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

/** Deletes what is before the last link but one: that one stays, so that nobody who lists the folder in between finds it empty. */
async function sweep(folder: string, before: number): Promise<void> {
  for (const n of await numbersIn(folder)) if (n < before) await rm(nameOf(folder, n), { force: true });
}

/** When in doubt it is alive: a folder that is used twice is lost, a message is not. */
async function isAlive({ pid, began, host }: Holder): Promise<boolean> {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
  }
  const now = await beginningOf(pid);
  return began === undefined || now === undefined || began === now;
}

async function beginningOf(pid: number): Promise<string | undefined> {
  try {
    // Linux: in ticks since the machine booted. The command's name, in brackets, may hold anything.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Killed, and its parent has not looked yet: it holds nothing any more.
    return fields[0] === 'Z' ? 'over' : `${boot}/${fields[19]}`;
  } catch {
    const said = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
    }).catch(() => undefined);
    return said?.stdout.trim() || undefined;
  }
}

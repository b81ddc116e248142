import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Account } from './account.ts';
import { runProgram } from './run-program.ts';
import { Unavailable } from '../strategy.ts';

/** Makes a private folder for a server: `dataFolder/name`, or a new temporary one. Throws `Unavailable` when its account may not enter it. */
export async function createServerFolder(name: string, dataFolder: string | undefined, account: Account | undefined): Promise<string> {
  if (dataFolder) await mkdir(dataFolder, { recursive: true });
  const folder = dataFolder ? resolve(dataFolder, name) : await mkdtemp(join(tmpdir(), `maw-${name}-`));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!account) return folder;
  await chown(folder, account.uid, account.gid);
  const seen = await runProgram('/bin/sh', ['-c', 'cd -- "$0" && test -w .', folder], { account });
  if (seen.code === 0) return folder;
  if (!dataFolder) await rm(folder, { recursive: true });
  throw new Unavailable(`the user ${account.name} may not enter ${folder}: choose a folder that is open to other users`);
}

/** Writes a file that only this account may read. */
export async function writePrivateFile(file: string, text: string, account?: Account): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  if (account) await chown(file, account.uid, account.gid);
}

/** The password in `folder/password`; `make` makes it the first time. */
export async function readOrCreatePassword(folder: string, make: () => string, account?: Account): Promise<string> {
  const file = join(folder, 'password');
  if (!existsSync(file)) await writePrivateFile(file, make(), account);
  return (await readFile(file, 'utf8')).trim();
}

import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The folder that `get.sh` fills. */
export const realFolder = (env = process.env): string =>
  env['MAW_REAL'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'maw-real');

/** A program on the path, else of `get.sh`, by the first of its names that is there; undefined where none is. */
export function findProgram(names: readonly string[], env = process.env): string | undefined {
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), join(realFolder(env), 'bin')];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

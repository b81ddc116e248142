import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../../..');

/** Every tracked or untracked, not ignored file, as paths from the root. Without git (an unpacked archive): every file outside of node_modules. */
export function repositoryFiles(): readonly string[] {
  return (listedByGit() ?? walk('')).filter((path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile()).toSorted();
}

/** All TypeScript files of the repository. */
export function sourceFiles(): readonly string[] {
  return repositoryFiles().filter((path) => /^(libs|services|apps|bench|tests|infra)\/.*\.tsx?$/.test(path));
}

/** Whether a file is a spec or a suite that specs share. */
export function isTest(path: string): boolean {
  return /\.(spec|suite)\.tsx?$/.test(path);
}

function listedByGit(): readonly string[] | undefined {
  try {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const paths = list.toString().split('\0').filter(Boolean);
    return paths.length ? [...new Set(paths)] : undefined;
  } catch {
    return undefined;
  }
}

function walk(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return ['node_modules', '.git', '.maw', 'coverage'].includes(entry.name) ? [] : walk(path);
  });
}

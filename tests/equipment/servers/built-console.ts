import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root } from '../source/repository.ts';

const BUILD = "import { buildConsole } from '@maw/console/build.ts'; console.log(await buildConsole());";

/** The folder of the built page. It is built in a process of its own: the bundler does not run inside of Jest. */
export async function builtConsole(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '--eval', BUILD], {
    cwd: root,
  });
  return stdout.trim().split('\n').at(-1)!;
}

/** The files of a built page that a browser loads before anything is clicked, by their paths: the page and what it names. */
export function firstFiles(folder: string): readonly string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return ['index.html', ...Array.from(page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g), ([, path]) => path!)];
}

/** The files that are loaded when they are wanted: pages of operators. */
export const laterFiles = (folder: string): readonly string[] => {
  const first = firstFiles(folder);
  return globSync('assets/**/*.{js,css,svg}', { cwd: folder }).filter((path) => !first.includes(path));
};

/** The size of files, each compressed with gzip, in bytes. */
export const gzippedBytes = (folder: string, files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

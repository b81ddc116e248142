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

/** The size of what a browser loads of a built page: scripts, styles, page and pictures, each compressed with gzip, in bytes. */
export const gzippedBytes = (folder: string): number =>
  globSync(['index.html', 'assets/**/*.{js,css,svg}'], { cwd: folder }).reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length,
    0,
  );

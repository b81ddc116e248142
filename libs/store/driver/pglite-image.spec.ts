import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PGlite } from '@electric-sql/pglite';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { saveImage, unpackImage } from './pglite-image.ts';

const base = temporaryFolder();
const FILES = { control: 'c', wal: 'w'.repeat(100_000) };
const run = promisify(execFile);
const WITHOUT_TAR = `
  import { unpackImage } from ${JSON.stringify(new URL('pglite-image.ts', import.meta.url).href)};
  console.log(await unpackImage(...process.argv.slice(1)));`;

let images: string;
/** Where a store is, and its database. */
let folder: string;
let dataDir: string;

/** An archive in place of what PGlite gives, which takes seconds. @param share how much of it there is */
async function save(share = 1): Promise<void> {
  const source = await mkdtemp(join(base, 'source-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(source, name), text);
  const { stdout } = await run('tar', ['-cf', '-', '-C', source, ...Object.keys(FILES)], { encoding: 'buffer' });
  const dumpDataDir = async () => new Blob([stdout.subarray(0, stdout.length * share)]);
  await saveImage(images, { dumpDataDir } as unknown as PGlite);
}

async function expectUnpacked(): Promise<void> {
  expect(await unpackImage(images, dataDir)).toBe(true);
  expect(await readdir(folder)).toEqual(['postgres']);
  const read = async (name: string) => [name, await readFile(join(dataDir, name), 'utf8')] as const;
  expect(Object.fromEntries(await Promise.all((await readdir(dataDir)).map(read)))).toEqual(FILES);
}

describe('unpacking the first database', () => {
  beforeEach(async () => {
    [images, folder] = [await mkdtemp(join(base, 'images-')), await mkdtemp(join(base, 'folder-'))];
    dataDir = join(folder, 'postgres');
  });

  it('begins anew where an earlier one was interrupted', async () => {
    await save();
    await mkdir(`${dataDir}-unfinished`);
    await writeFile(join(`${dataDir}-unfinished`, 'wal'), 'w');
    await writeFile(join(`${dataDir}-unfinished`, 'old'), '');
    await expectUnpacked();
  });

  it('leaves nothing of a damaged image', async () => {
    await save(0.5);
    expect(await unpackImage(images, dataDir)).toBe(false);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves nothing without tar, and keeps the image', async () => {
    await save();
    const args = ['--no-warnings', '--input-type=module', '-e', WITHOUT_TAR, images, dataDir];
    expect((await run(process.execPath, args, { env: { PATH: folder } })).stdout).toBe('false\n');
    expect(await readdir(folder)).toEqual([]);
    await expectUnpacked();
  });
});

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderInUse, lockFolder } from './folder-lock.ts';

/** Above every system's highest number of a process. */
const NOBODY = 2 ** 22 + 1;

describe('the lock of a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const locks = async () => (await readdir(folder)).toSorted();
  const leave = (n: number, holder: unknown) =>
    writeFile(join(folder, `lock.${n}`), typeof holder === 'string' ? holder : JSON.stringify(holder));
  const stale = { pid: NOBODY, began: 'boot/1', host: hostname() };

  it('is held once, released, and taken again', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse);
    await lock.release();
    const again = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse);
    await again.release();
  });

  it('names its holder and the remedy', async () => {
    const lock = await lockFolder(join(folder, 'new', 'deep'));
    await expect(lockFolder(join(folder, 'new', 'deep'))).rejects.toThrow(
      `The folder ${join(folder, 'new', 'deep')} is in use by process ${process.pid}. Stop that process (kill ${process.pid}) or use another folder.`,
    );
    await lock.release();
  });

  it('is taken over from a dead process', async () => {
    await leave(1, stale);
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    await lock.release();
  });

  it('is not taken over from a process of an older version that may run', async () => {
    await leave(3, { ...stale, pid: process.pid });
    await leave(2, stale);
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    await leave(3, '');
    await (await lockFolder(folder)).release();
  });

  it('is taken over from a process that has not released it, even when another process has its number', async () => {
    await leave(1, { pid: process.ppid, host: hostname() });
    await (await lockFolder(folder)).release();
  });

  it('keeps older versions away, which read the last lock file alone', async () => {
    await leave(7, stale);
    const lock = await lockFolder(folder);
    expect(JSON.parse(await readFile(join(folder, 'lock.7'), 'utf8'))).toEqual({ pid: process.pid, host: hostname() });
    await lock.release();
    expect(await readFile(join(folder, 'lock.7'), 'utf8')).toBe('');
  });

  it('is taken over after a power loss', async () => {
    for (const torn of ['', '\0\0\0\0', '{"pid":']) {
      await leave(10, torn);
      await (await lockFolder(folder)).release();
    }
  });

  it('is not taken over from another machine', async () => {
    await leave(1, { ...stale, host: 'another-machine' });
    await expect(lockFolder(folder)).rejects.toThrow(
      new RegExp(`in use by process ${NOBODY} on another-machine.*gone for good, delete ${join(folder, 'lock.1')}`),
    );
  });

  it('is granted to exactly one of many concurrent callers', async () => {
    for (let round = 0; round < 20; round++) {
      if (round % 2) await leave(1000 + round, stale);
      const all = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
      const got = all.filter((each) => each.status === 'fulfilled');
      expect(got.length).toBe(1);
      expect(all.flatMap((each) => (each.status === 'rejected' ? [each.reason.name] : []))).toEqual(
        Array.from({ length: 7 }, () => 'FolderInUse'),
      );
      await got[0]!.value.release();
    }
  });

  it('leaves two files behind, and may be released when the folder is gone', async () => {
    for (let i = 0; i < 5; i++) await (await lockFolder(folder)).release();
    expect(await locks()).toEqual(['lock.1', 'lock.sqlite']);
    const lock = await lockFolder(folder);
    await rm(folder, { recursive: true });
    await lock.release();
  });
});

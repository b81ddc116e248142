import { execFile } from 'node:child_process';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { prepareFolder } from './prepare-folder.ts';

describe('the folder of a command', () => {
  const home = temporaryFolder();
  beforeAll(async () => {
    await writeFile(join(home, 'file'), '');
    await symlink(join(home, 'nowhere'), join(home, 'dangling'));
  });

  it('is created with its parents, by several at once, and left empty', async () => {
    const folder = join(home, 'a', 'b', 'c');
    await Promise.all([prepareFolder(folder), prepareFolder(folder), prepareFolder(join(home, 'a', 'b'))]);
    await prepareFolder(folder);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['a file', 'file', 'a file is in the way'],
    ['below a file', 'file/sub/folder', 'a file is in the way'],
    ['a link to nothing', 'dangling', 'a file is in the way'],
    ['named too long', 'n'.repeat(300), 'ENAMETOOLONG: name too long.*'],
    ['one that accepts no files', '/proc/self', 'its file system accepts no new folders'],
    ['in a place where nobody may write', '/sys/maw', '(you may not write there|its file system is read-only)'],
  ])('is refused with a reason where it is %s', async (_, name, why) => {
    const folder = name.startsWith('/') ? name : join(home, name);
    const advice = 'choose a folder that is writable or can be created';
    await expect(prepareFolder(folder)).rejects.toThrow(new RegExp(`^the folder ${folder} cannot be used: ${why}; ${advice}$`));
    await expect(prepareFolder(folder, '--data')).rejects.toThrow(new RegExp(`; ${advice}, with --data$`));
  });

  // In a process of its own: one that loops in the file system cannot be ended from inside.
  it('ends maw play with an error where no folder can be made', async () => {
    const folder = '/proc/x';
    const args = ['--no-warnings', join(import.meta.dirname, 'main.ts'), 'play', '--model', 'sim', '--data', folder];
    const run = promisify(execFile)(process.execPath, args, { timeout: 300_000, killSignal: 'SIGKILL' });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^maw: the folder ${folder} cannot be used: .*; choose a folder .* with --data\n$`)),
    });
  });
});

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { allowedKeyFile, withAllowedKey } from './key-folder.ts';
import { parseServer } from './parse-server.ts';

const OUTSIDE = "keyFile: it must be inside the gateway's KEY_FOLDER, and so must what it links to";
const base = temporaryFolder();
const folder = join(base, 'keys');

beforeAll(async () => {
  await mkdir(join(folder, 'sub'), { recursive: true });
  await mkdir(`${folder}-of-others`);
  for (const path of [join(folder, 'one'), join(folder, 'sub', '..two'), join(`${folder}-of-others`, 'key'), join(base, 'secret')])
    await writeFile(path, 'sk-1');
  await symlink(join(folder, 'one'), join(folder, 'inside'));
  await symlink(join(base, 'secret'), join(folder, 'outside'));
  await symlink(base, join(folder, 'up'));
  await symlink(folder, join(base, 'link'));
});

describe('allowedKeyFile', () => {
  it('accepts every path that resolves into the folder, links included', () => {
    for (const [given, path] of [
      [join(folder, 'one'), join(folder, 'one')],
      ['one', join(folder, 'one')],
      ['./sub/../one', join(folder, 'one')],
      ['sub/..two', join(folder, 'sub', '..two')],
      ['inside', join(folder, 'inside')],
    ] as const)
      expect(allowedKeyFile(folder, given)).toBe(path);
    expect(allowedKeyFile(join(base, 'link'), 'one')).toBe(join(base, 'link', 'one'));
    expect(allowedKeyFile(join(base, 'link'), join(folder, 'one'))).toBe(join(folder, 'one'));
  });

  it.each([
    ['elsewhere', () => join(base, 'secret')],
    ['beside the folder', () => '../secret'],
    ['in a folder whose name begins alike', () => `${folder}-of-others/key`],
    ['behind a link', () => 'outside'],
    ['behind a folder that is a link', () => 'up/secret'],
    ['back through a link to the folder itself', () => 'up/keys/../secret'],
    ['nowhere', () => '/nobody/has/this'],
    ['no file at all', () => folder],
  ])('refuses a file %s without saying whether it exists', (_, path) => {
    expect(() => allowedKeyFile(folder, path())).toThrow(new Error(OUTSIDE));
  });

  it('names the cause when the file or folder is unreadable or unset', () => {
    expect(() => allowedKeyFile(folder, 'none')).toThrow(`keyFile: ${join(folder, 'none')} cannot be read: ENOENT`);
    expect(() => allowedKeyFile(join(base, 'none'), 'one')).toThrow(`KEY_FOLDER: ${join(base, 'none')} cannot be read: ENOENT`);
    expect(() => allowedKeyFile(undefined, join(folder, 'one'))).toThrow('keyFile: only the file in GATEWAY_CONFIG may name key files');
  });

  it('accepts, outside the folder, only the file configured for the same server', () => {
    const one = (url: string, keyFile?: string) => parseServer({ url, kind: 'openai', slots: 1, keyFile });
    const known = [one('https://a', join(base, 'secret'))];
    const allowed = (given: ReturnType<typeof one>) => withAllowedKey(given, { keyFolder: undefined }, known);
    expect(allowed(known[0]!)).toBe(known[0]);
    expect(allowed(one('https://b'))).not.toHaveProperty('keyFile');
    for (const given of [one('https://b', join(base, 'secret')), one('https://a', join(folder, 'one'))])
      expect(() => allowed(given)).toThrow('keyFile: only the file');
    expect(withAllowedKey(one('https://b', 'one'), { keyFolder: folder }, []).keyFile).toBe(join(folder, 'one'));
  });
});

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findPostgres, newestFirst } from './find-programs.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'maw-programs-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const program = (path: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), '');
  chmodSync(join(folder, path), 0o755);
};

describe('findPostgres', () => {
  it('follows a link on the path to the folder with initdb', async () => {
    program('15/bin/postgres');
    program('15/bin/initdb');
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(folder, '15/bin/postgres'), join(folder, 'bin/postgres'));
    expect(await findPostgres([join(folder, 'bin')])).toEqual({
      postgres: join(folder, '15/bin/postgres'),
      initdb: join(folder, '15/bin/initdb'),
    });
  });

  it('skips a postgres without initdb', async () => {
    program('client/postgres');
    program('server/postgres');
    program('server/initdb');
    expect((await findPostgres([join(folder, 'client'), join(folder, 'server')])).postgres).toBe(join(folder, 'server/postgres'));
  });

  it('orders versions by number', () => {
    expect(['/p/9/bin', '/p/17/bin', '/p/15/bin'].toSorted(newestFirst)).toEqual(['/p/17/bin', '/p/15/bin', '/p/9/bin']);
  });
});

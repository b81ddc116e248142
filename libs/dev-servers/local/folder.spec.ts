import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServerFolder, readOrCreatePassword } from './folder.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'maw-folder-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the folder of a server', () => {
  it('is private, and a new one each time unless a data folder is given', async () => {
    const [one, other] = [await createServerFolder('x', undefined, undefined), await createServerFolder('x', undefined, undefined)];
    expect(one).not.toBe(other);
    expect(statSync(one).mode & 0o777).toBe(0o700);
    for (const each of [one, other]) rmSync(each, { recursive: true });
    expect(await createServerFolder('x', join(folder, 'kept'), undefined)).toBe(join(folder, 'kept/x'));
    expect(statSync(join(folder, 'kept/x')).mode & 0o777).toBe(0o700);
  });

  it('keeps its first password', async () => {
    expect(await readOrCreatePassword(folder, () => 'first')).toBe('first');
    expect(await readOrCreatePassword(folder, () => 'second')).toBe('first');
    expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'password'), 'utf8')).toBe('first');
  });
});

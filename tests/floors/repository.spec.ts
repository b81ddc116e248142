import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryFiles, root } from '../equipment/source/repository.ts';

const files = repositoryFiles();

/** Assembled here, so that this file does not contain them. */
const forbidden = [...['work', 'farm'].map((name) => `/${name}/`), ['"resolved"', ' "http'].join(':')];

describe('the repository', () => {
  it('is listed', () => {
    expect(files).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'maw', 'tests/equipment/runner/main.ts']));
  });

  it('mentions no path of a developer machine and no registry address', () => {
    const found = files.flatMap((path) => {
      const text = readFileSync(join(root, path), 'latin1');
      return forbidden.filter((words) => text.includes(words)).map((words) => `${path} has ${words}`);
    });
    expect(found).toEqual([]);
  });

  it('has no barrel files', () => {
    expect(files.filter((path) => /^index\.(ts|tsx|js)$/.test(basename(path)))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesOfTheRepository, isTest, root } from './tree.ts';

const files = filesOfTheRepository();

/** Put together here, so that this file does not contain them. */
const forbidden = [...['work', 'farm'].map((name) => `/${name}/`), ['"resolved"', ' "http'].join(':')];

/** Names that say nothing about what is inside. */
const empty = new Set(['common', 'shared', 'util', 'utils', 'core', 'helper', 'helpers', 'manager', 'managers']);

const linesOf = (path: string) => readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;

describe('the repository', () => {
  it('is seen', () => {
    expect(files).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'maw', 'testing/runner/main.ts']));
  });

  it('mentions no path of a machine it was written on, and no address packages came from', () => {
    const found = files.flatMap((path) => {
      const text = readFileSync(join(root, path), 'latin1');
      return forbidden.filter((words) => text.includes(words)).map((words) => `${path} has ${words}`);
    });
    expect(found).toEqual([]);
  });

  it('has no file or folder whose name says nothing', () => {
    expect(files.filter((path) => path.split(/[/.-]/).some((part) => empty.has(part.toLowerCase())))).toEqual([]);
  });

  it('has no file that only passes on what others export', () => {
    expect(files.filter((path) => /^index\.(ts|tsx|js)$/.test(basename(path)))).toEqual([]);
  });

  it('has no file of the product longer than 250 lines', () => {
    const product = files.filter((path) => /^(libs|services|apps)\/.*\.tsx?$/.test(path) && !isTest(path));
    expect(product.length).toBeGreaterThan(0);
    expect(product.filter((path) => linesOf(path) > 250).map((path) => `${path}: ${linesOf(path)}`)).toEqual([]);
  });
});

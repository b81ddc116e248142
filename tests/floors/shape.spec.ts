import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root, sourceFiles } from '../equipment/source/repository.ts';
import { crowdedFolders, fileTooLong, limits, longFunctions } from './shape.ts';

const files = sourceFiles();
const text = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the source', () => {
  it('has no function that is too long', () => {
    expect(files.flatMap((path) => longFunctions(path, text(path)).map((found) => `${path}: ${found}`))).toEqual([]);
  });

  it('has no file that is too long', () => {
    expect(files.flatMap((path) => fileTooLong(path, text(path))?.replace(/^/, `${path}: `) ?? [])).toEqual([]);
  });

  it('has no folder with too many files', () => {
    expect(crowdedFolders(files)).toEqual([]);
  });
});

const body = (lines: number) => `{\n${'  a();\n'.repeat(lines - 2)}}`;

describe('longFunctions', () => {
  it.each([
    [`function long() ${body(61)}`, 'line 1: long has 61 lines'],
    [`\nconst long = () => ${body(61)};`, 'line 2: long has 61 lines'],
    [`const part = { long() ${body(61)} };`, 'line 1: long has 61 lines'],
    [`run(() => ${body(61)});`, 'line 1: a function has 61 lines'],
  ])('reports %#', (code, expected) => {
    expect(longFunctions('a.ts', code)).toEqual([expected]);
  });

  it('accepts a function at the limit and a long table', () => {
    expect(longFunctions('a.ts', `function f() ${body(limits.functionLines)}`)).toEqual([]);
    expect(longFunctions('a.ts', `const table = [\n${'  [1, 2],\n'.repeat(100)}];`)).toEqual([]);
  });

  it('accepts the table of rules of a game, but no other long function there', () => {
    expect(longFunctions('libs/games/avalon/avalon.ts', `function rulesOf() ${body(61)}`)).toEqual([]);
    expect(longFunctions('libs/games/avalon/avalon.ts', `function deal() ${body(61)}`)).toHaveLength(1);
    expect(longFunctions('services/web/app.ts', `function rulesOf() ${body(61)}`)).toHaveLength(1);
  });

  it('accepts a long suite in a spec, but not a long function beside it', () => {
    const suite = `describe('x', () => ${body(61)});`;
    expect(longFunctions('a.spec.ts', suite)).toEqual([]);
    expect(longFunctions('a.ts', suite)).toHaveLength(1);
    expect(longFunctions('a.spec.ts', `function prepare() ${body(61)}`)).toHaveLength(1);
  });
});

describe('fileTooLong', () => {
  it('gives specs more lines than other files', () => {
    expect(fileTooLong('a.ts', 'a\n'.repeat(400))).toBeUndefined();
    expect(fileTooLong('a.ts', 'a\n'.repeat(401))).toBe('401 lines');
    expect(fileTooLong('a.spec.ts', 'a\n'.repeat(600))).toBeUndefined();
    expect(fileTooLong('a.spec.ts', 'a\n'.repeat(601))).toBe('601 lines');
  });
});

describe('crowdedFolders', () => {
  it('counts the files of each folder without specs and subfolders', () => {
    const folder = Array.from({ length: 15 }, (_, n) => `a/${n}.ts`);
    expect(crowdedFolders([...folder, 'a/1.spec.ts', 'a/b/1.ts'])).toEqual([]);
    expect(crowdedFolders([...folder, 'a/more.ts'])).toEqual(['a: 16 files']);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importGraph } from '../equipment/source/import-graph.ts';
import { root, sourceFiles } from '../equipment/source/repository.ts';
import { crumbs, MIN_FILE_LINES, type SourceFile } from './crumbs.ts';

const isProduct = (path: string): boolean => /^(libs|services|apps)\//.test(path);

it('has no small file in the product that only one file beside it imports', () => {
  const graph = importGraph(sourceFiles());
  const files = [...graph].map(([path, imports]) => [path, { imports, text: readFileSync(join(root, path), 'utf8') }] as const);
  expect(crumbs(new Map(files)).filter(isProduct)).toEqual([]);
});

const file = (lines: number, imports: readonly string[] = [], last = ''): SourceFile => ({
  imports,
  text: `${'a();\n'.repeat(lines - 1)}${last || 'a();'}\n`,
});
const found = (files: Record<string, SourceFile>) => crumbs(new Map(Object.entries(files)));

describe('crumbs', () => {
  it('reports a small file with one importer beside it, specs not counted', () => {
    const files = {
      'a/small.ts': file(MIN_FILE_LINES - 1),
      'a/user.ts': file(50, ['a/small.ts']),
      'a/small.spec.ts': file(9, ['a/small.ts']),
    };
    expect(found(files)).toEqual(['a/small.ts becomes a function of a/user.ts']);
  });

  it('accepts a file of 40 lines, one that two import, and one that another folder imports', () => {
    expect(found({ 'a/b.ts': file(MIN_FILE_LINES), 'a/user.ts': file(50, ['a/b.ts']) })).toEqual([]);
    expect(found({ 'a/b.ts': file(9), 'a/c.ts': file(50, ['a/b.ts']), 'b/d.ts': file(50, ['a/b.ts']) })).toEqual([]);
    expect(found({ 'a/b.ts': file(9), 'b/user.ts': file(50, ['a/b.ts']) })).toEqual([]);
  });

  it('accepts a file that would make its importer too long', () => {
    expect(found({ 'a/b.ts': file(9), 'a/user.ts': file(392, ['a/b.ts']) })).toEqual([]);
    expect(found({ 'a/b.ts': file(9), 'a/user.ts': file(391, ['a/b.ts']) })).toHaveLength(1);
  });

  it('accepts the code of a thread, but not a file beside it', () => {
    const user = file(50, ['a/worker.ts', 'a/b.ts'], "new Worker(new URL('worker.ts', import.meta.url));");
    expect(found({ 'a/worker.ts': file(9), 'a/b.ts': file(9), 'a/user.ts': user })).toEqual(['a/b.ts becomes a function of a/user.ts']);
  });

  it('accepts the file that reads the environment', () => {
    expect(found({ 'a/config.ts': file(9), 'a/user.ts': file(50, ['a/config.ts']) })).toEqual([]);
  });

  it('accepts a module beside a component only when a spec loads it', () => {
    const files = { 'a/b.ts': file(9), 'a/user.tsx': file(50, ['a/b.ts']) };
    expect(found(files)).toEqual(['a/b.ts becomes a function of a/user.tsx']);
    expect(found({ ...files, 'a/b.spec.ts': file(9, ['a/b.ts']) })).toEqual([]);
  });
});

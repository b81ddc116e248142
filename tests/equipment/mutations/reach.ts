import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ownPath } from '../source/import-graph.ts';
import { root, sourceFiles } from '../source/repository.ts';

/** Who names whom: imports of any kind, and paths of files in strings (programs that specs start). */
export function importersOf(files: readonly string[] = sourceFiles()): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const path of files) {
    for (const target of new Set(namedIn(path))) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  return importers;
}

/** The unit specs that reach a file, the nearest first. */
export function specsReaching(file: string, importers: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const distance = new Map([[file, 0]]);
  for (const path of distance.keys()) {
    for (const next of importers.get(path) ?? []) if (!distance.has(next)) distance.set(next, distance.get(path)! + 1);
  }
  return [...distance.keys()]
    .filter((path) => path.endsWith('.spec.ts') && !/\.(int|e2e)\.spec\.ts$/.test(path))
    .toSorted((a, b) => distance.get(a)! - distance.get(b)! || sharedFolders(b, file) - sharedFolders(a, file) || (a < b ? -1 : 1));
}

function namedIn(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/['"]((?:\.{0,2}\/|@maw\/)?[\w@./-]+\.tsx?)['"]/g)].flatMap(([, name = '']) => {
    const own = ownPath(path, name) ?? posix.join(posix.dirname(path), name);
    return [own, name].filter((each) => existsSync(join(root, each))).slice(0, 1);
  });
}

function sharedFolders(a: string, b: string): number {
  const other = b.split('/');
  const differs = a.split('/').findIndex((part, index) => part !== other[index]);
  return differs < 0 ? other.length : differs;
}

import { posix } from 'node:path';
import { isTest } from '../equipment/source/repository.ts';
import { limits } from './shape.ts';

/** Shorter files are read faster where they are used. */
export const MIN_FILE_LINES = 40;

/** A source file, and what it imports of this repository. */
export interface SourceFile {
  readonly text: string;
  readonly imports: readonly string[];
}

/**
 * Small files that one file beside them alone imports, as "PATH becomes a function of IMPORTER". They stay apart when both together were too long a
 * file, when they are loaded by their address (a thread of its own), when they are the `config.ts` that alone may read the environment, or when
 * they are a module without JSX beside a component, and a spec loads them without a page.
 */
export function crumbs(files: ReadonlyMap<string, SourceFile>): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [path, { imports }] of files) for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  return [...files].flatMap(([path, { text }]) => {
    if (isTest(path) || posix.basename(path) === 'config.ts' || linesOf(text) >= MIN_FILE_LINES) return [];
    const users = (importers.get(path) ?? []).filter((each) => !isTest(each));
    const [user] = users;
    if (user === undefined || users.length > 1 || posix.dirname(user) !== posix.dirname(path)) return [];
    const into = files.get(user)!.text;
    const hasSpec = importers.get(path)!.some(isTest);
    if (linesOf(text) + linesOf(into) > limits.fileLines || isLoadedByAddress(path, into)) return [];
    return path.endsWith('.ts') && user.endsWith('.tsx') && hasSpec ? [] : [`${path} becomes a function of ${user}`];
  });
}

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

const isLoadedByAddress = (path: string, text: string): boolean =>
  ['', './'].some((prefix) => text.includes(`new URL('${prefix}${posix.basename(path)}'`));

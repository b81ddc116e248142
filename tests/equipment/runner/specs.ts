import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Stage, Suite } from './options.ts';

const ignored = new Set(['node_modules', '.maw', '.git', 'coverage']);

/** Every test file under `root` by its stage: absolute paths in alphabetical order. */
export function findSpecs(root: string): Record<Exclude<Stage, 'static'>, readonly string[]> {
  const all = walk(root)
    .filter((path) => path.endsWith('.spec.ts'))
    .toSorted();
  const int = all.filter((path) => path.endsWith('.int.spec.ts'));
  const e2e = all.filter((path) => path.endsWith('.e2e.spec.ts'));
  return { unit: all.filter((path) => !int.includes(path) && !e2e.includes(path)), int, e2e };
}

/** The end-to-end suite that every run plays. */
const PLAIN_E2E = 'tests/e2e/rule-sets.e2e.spec.ts';

/** Which suite a spec belongs to, by its path below the root. */
export function suiteOf(path: string): Suite {
  if (path.startsWith('tests/containers/') && path.endsWith('.e2e.spec.ts')) return 'containers';
  if (path.startsWith('tests/engine/') && path.endsWith('.e2e.spec.ts')) return 'engine';
  if (path.startsWith('tests/real/') && path.endsWith('.e2e.spec.ts')) return 'real';
  return path.includes('.storm.') || (path.endsWith('.e2e.spec.ts') && path !== PLAIN_E2E) ? 'storms' : 'plain';
}

/** The specs of some suites. */
export const ofSuites = (specs: readonly string[], suites: readonly Suite[], root: string): readonly string[] =>
  specs.filter((path) => suites.includes(suiteOf(relative(root, path))));

/** The specs with one of `parts` in their path below `root`; all when there are no parts. */
export function filterByPath(specs: readonly string[], parts: readonly string[], root: string): readonly string[] {
  const wanted = parts.map((part) => (part.startsWith('/') ? relative(root, part) : part.replace(/^\.\//, '')));
  return wanted.length ? specs.filter((path) => wanted.some((part) => relative(root, path).includes(part))) : specs;
}

function walk(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ignored.has(entry.name) ? [] : walk(path);
    return entry.isFile() ? [path] : [];
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { importsOf } from './imports.ts';
import { root } from './repository.ts';

/** The files of this repository that each file imports, type-only imports included. Paths from the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Reads the imports of `files`. Imports of packages and of files that are not in `files` are left out. */
export function importGraph(files: readonly string[]): ImportGraph {
  const known = new Set(files);
  return new Map(
    files.map((path) => {
      const targets = importsOf(path, readFileSync(join(root, path), 'utf8')).map((name) => ownPath(path, name));
      return [path, [...new Set(targets)].filter((target) => target !== undefined && known.has(target)) as string[]];
    }),
  );
}

/** The same graph with files merged into groups. Edges inside of a group are dropped; a file whose group is undefined is left out. */
export function groupedGraph(graph: ImportGraph, groupOf: (path: string) => string | undefined): ImportGraph {
  const grouped = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const from = groupOf(path);
    if (from === undefined) continue;
    const edges = grouped.get(from) ?? new Set<string>();
    grouped.set(from, edges);
    for (const to of targets.map(groupOf)) if (to !== undefined && to !== from) edges.add(to);
  }
  return new Map([...grouped].map(([from, edges]) => [from, [...edges].toSorted()]));
}

/** The circles of a graph: its strongly connected components of more than one node (Tarjan, SIAM J. Comput. 1972). */
export function circlesOf(graph: ImportGraph): readonly (readonly string[])[] {
  const search: Search = { graph, index: new Map(), low: new Map(), stack: [], circles: [] };
  for (const node of graph.keys()) if (!search.index.has(node)) connect(search, node);
  return search.circles;
}

interface Search {
  readonly graph: ImportGraph;
  readonly index: Map<string, number>;
  readonly low: Map<string, number>;
  readonly stack: string[];
  readonly circles: string[][];
}

function connect(search: Search, node: string): void {
  const { graph, index, low, stack, circles } = search;
  const own = index.size;
  index.set(node, own);
  low.set(node, own);
  stack.push(node);
  for (const next of graph.get(node) ?? []) {
    if (!index.has(next)) connect(search, next);
    if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
  }
  if (low.get(node) !== own) return;
  const circle = stack.splice(stack.indexOf(node));
  if (circle.length > 1) circles.push(circle.toSorted());
}

/** The path from the root of an imported file of this repository; undefined for packages and node: modules. */
export function ownPath(from: string, name: string): string | undefined {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name);
  const [, short, rest] = /^@maw\/([^/]+)\/?(.*)$/.exec(name) ?? [];
  if (short === undefined) return undefined;
  if (short === 'tests' || short === 'bench') return `${short}/${rest}`;
  if (short === 'aiwolf-service') return `services/aiwolf/${rest}`;
  const folder = ['libs', 'services', 'apps'].map((each) => `${each}/${short}`).find((each) => existsSync(join(root, each)));
  return `${folder ?? `libs/${short}`}/${rest}`;
}

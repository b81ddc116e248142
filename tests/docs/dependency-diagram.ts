import { groupedGraph, importGraph, type ImportGraph } from '../equipment/source/import-graph.ts';
import { isTest, sourceFiles } from '../equipment/source/repository.ts';

/** The product's packages and their imports, as a Mermaid diagram: an arrow leads from the importer to what it imports. */
export function packageDiagram(): string {
  const graph = groupedGraph(importGraph(productFiles()), (path) => path.split('/').slice(0, 2).join('/'));
  return mermaid(graph, (name) => name.split('/')[0]!);
}

/** One package from the inside: its folders, and the files beside them. */
export function insideDiagram(folder: string): string {
  const files = productFiles().filter((path) => path.startsWith(`${folder}/`));
  const graph = groupedGraph(importGraph(files), (path) => {
    const [first = '', ...rest] = path.slice(folder.length + 1).split('/');
    return rest.length ? `${first}/` : first;
  });
  return mermaid(graph, () => undefined);
}

/** `page` with the block after `<!-- NAME -->` replaced by `block`. Throws when the page has no such mark. */
export function withBlock(page: string, name: string, block: string): string {
  const mark = `<!-- ${name} -->`;
  const at = page.indexOf(mark);
  const end = page.indexOf('\n```\n', at + mark.length);
  if (at < 0 || end < 0) throw new Error(`the page has no code block after ${mark}`);
  return `${page.slice(0, at + mark.length)}\n\n${block}${page.slice(end + 5)}`;
}

/** Edges that follow from others are left out, so that the picture stays readable. Requires a graph without circles. */
export function reduced(graph: ImportGraph): ImportGraph {
  const reachable = new Map<string, Set<string>>();
  const reach = (node: string): Set<string> => {
    const known = reachable.get(node);
    if (known) return known;
    const found = new Set<string>();
    reachable.set(node, found);
    for (const next of graph.get(node) ?? []) for (const each of [next, ...reach(next)]) found.add(each);
    return found;
  };
  return new Map(
    [...graph].map(([node, targets]) => [
      node,
      targets.filter((target) => !targets.some((via) => via !== target && reach(via).has(target))),
    ]),
  );
}

const productFiles = (): readonly string[] => sourceFiles().filter((path) => /^(libs|services|apps)\//.test(path) && !isTest(path));

function mermaid(graph: ImportGraph, groupOf: (node: string) => string | undefined): string {
  const nodes = [...graph.keys()].toSorted();
  const label = (node: string) => `${idOf(node)}["${groupOf(node) === undefined ? node : node.slice(node.indexOf('/') + 1)}"]`;
  const groups = Map.groupBy(nodes, groupOf);
  const declared = [...groups].flatMap(([group, inside]) =>
    group === undefined
      ? inside.map((node) => `  ${label(node)}`)
      : [`  subgraph ${group}`, ...inside.map((node) => `    ${label(node)}`), '  end'],
  );
  const edges = [...reduced(graph)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([from, targets]) => targets.map((to) => `  ${idOf(from)} --> ${idOf(to)}`));
  return ['```mermaid', 'flowchart TD', ...declared, ...edges, '```', ''].join('\n');
}

/** A name that Mermaid takes without quotes. */
const idOf = (node: string): string => node.replace(/\W+$/, '').replaceAll(/\W/g, '_');

import { describe, expect, it } from '@jest/globals';
import { circlesOf, groupedGraph, importGraph } from '../equipment/source/import-graph.ts';
import { isTest, sourceFiles } from '../equipment/source/repository.ts';
import { layerFolderOf } from './layers.ts';

const graph = importGraph(sourceFiles());
const packages = [...new Set([...graph.keys()].map(layerFolderOf))];

/** Within a package: its first-level folders, and the single files beside them. */
const partOf = (folder: string) => (path: string) => {
  if (!path.startsWith(`${folder}/`) || isTest(path)) return undefined;
  const [first = '', ...rest] = path.slice(folder.length + 1).split('/');
  return rest.length ? `${first}/` : first;
};

/** Every file that a file imports, and those import. */
function reachedFrom(start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const path of reached) for (const target of graph.get(path) ?? []) reached.add(target);
  return reached;
}

describe('imports', () => {
  it.each(['player', 'gamemaster', 'contest'])('of the service %s reach policies, and nothing that trains them', (service) => {
    const learning = [...reachedFrom(`services/${service}/main.ts`)].filter((path) => path.startsWith('libs/learning/'));
    expect(learning).toContain('libs/learning/policy/served-policy.ts');
    expect(learning.filter((path) => /training|environments|adam|dataset\.ts/.test(path))).toEqual([]);
  });

  it('are seen', () => {
    expect(packages.length).toBeGreaterThan(10);
    expect([...graph.values()].flat().length).toBeGreaterThan(1_000);
  });

  it('form no circles between files', () => {
    expect(circlesOf(graph)).toEqual([]);
  });

  it.each(packages)('form no circles between the folders of %s', (folder) => {
    expect(circlesOf(groupedGraph(graph, partOf(folder)))).toEqual([]);
  });
});

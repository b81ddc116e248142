import { describe, expect, it } from '@jest/globals';
import { circlesOf, groupedGraph, importGraph } from '@maw/testing/source/import-graph.ts';
import { isTest, sourceFiles } from '@maw/testing/source/repository.ts';
import { layerFolderOf } from './layers.ts';

const graph = importGraph(sourceFiles());
const packages = [...new Set([...graph.keys()].map(layerFolderOf))];

/** Within a package: its first-level folders, and the single files beside them. */
const partOf = (folder: string) => (path: string) => {
  if (!path.startsWith(`${folder}/`) || isTest(path)) return undefined;
  const [first = '', ...rest] = path.slice(folder.length + 1).split('/');
  return rest.length ? `${first}/` : first;
};

describe('imports', () => {
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

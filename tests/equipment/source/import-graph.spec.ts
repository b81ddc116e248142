import { describe, expect, it } from '@jest/globals';
import { circlesOf, groupedGraph } from './import-graph.ts';

const graph = (edges: Record<string, readonly string[]>) => new Map(Object.entries(edges));

describe('circlesOf', () => {
  it('finds nothing in a graph whose paths meet but never return', () => {
    expect(circlesOf(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([]);
  });

  it('finds each circle once, with all of its files and none that only leads there', () => {
    expect(circlesOf(graph({ start: ['a'], a: ['b'], b: ['c'], c: ['a', 'x'], x: ['y'], y: ['x'] }))).toEqual([
      ['x', 'y'],
      ['a', 'b', 'c'],
    ]);
  });

  it('joins circles that share a file', () => {
    expect(circlesOf(graph({ a: ['b'], b: ['a', 'c'], c: ['b'] }))).toEqual([['a', 'b', 'c']]);
  });
});

describe('groupedGraph', () => {
  it('finds a circle of folders where no files form one', () => {
    const files = graph({ 'p/a/1': ['p/b/1'], 'p/b/1': [], 'p/b/2': ['p/a/2'], 'p/a/2': [] });
    expect(circlesOf(files)).toEqual([]);
    expect(circlesOf(groupedGraph(files, (path) => path.split('/')[1]))).toEqual([['a', 'b']]);
  });

  it('drops edges inside of a group and files without one', () => {
    const files = graph({ 'a/1': ['a/2', 'c/1'], 'a/2': [], 'c/1': ['a/1'] });
    expect([...groupedGraph(files, (path) => (path.startsWith('c') ? undefined : 'a'))]).toEqual([['a', []]]);
  });
});

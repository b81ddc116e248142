import { describe, expect, it } from '@jest/globals';
import { insideDiagram, packageDiagram, reduced, withBlock } from './dependency-diagram.ts';

describe('reduced', () => {
  it('drops an edge that a longer way implies and keeps the others', () => {
    const graph = new Map([
      ['a', ['b', 'c', 'd']],
      ['b', ['c']],
      ['c', []],
      ['d', []],
    ]);
    expect([...reduced(graph)]).toEqual([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', []],
      ['d', []],
    ]);
  });
});

describe('withBlock', () => {
  it('replaces only the code block after the mark', () => {
    const page = 'a\n\n<!-- x -->\n\n```mermaid\nold\n```\n\nb\n\n```\nkept\n```\n';
    expect(withBlock(page, 'x', '```mermaid\nnew\n```\n')).toBe('a\n\n<!-- x -->\n\n```mermaid\nnew\n```\n\nb\n\n```\nkept\n```\n');
  });

  it('refuses a page without the mark', () => {
    expect(() => withBlock('a', 'x', '')).toThrow('<!-- x -->');
  });
});

describe('the diagrams', () => {
  it('show every package, and the rooms of the gateway', () => {
    expect(packageDiagram()).toMatch(/subgraph libs[^]*\["games"\][^]*subgraph services[^]*\["llm-gateway"\]/);
    expect(insideDiagram('services/llm-gateway')).toMatch(/\["scheduler\/"\][^]*\["service\.ts"\][^]*-->/);
  });
});

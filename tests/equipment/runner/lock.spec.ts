import { describe, expect, it } from '@jest/globals';
import { lockProblems } from './lock.ts';

const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });

describe('lockProblems', () => {
  it('accepts optional dependencies with an entry where Node looks', () => {
    const packages = {
      '': { optionalDependencies: { a: '1.0.0' } },
      'node_modules/a': { optionalDependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/b': {},
      'node_modules/c': {},
      'apps/x': { optionalDependencies: { c: '1.2.3-beta.1' } },
      'node_modules/@scope/d': { optionalDependencies: { c: '1' } },
    };
    expect(lockProblems(lock(packages))).toEqual([]);
  });

  it('reports an optional dependency without an entry', () => {
    const packages = { '': {}, 'node_modules/a': { optionalDependencies: { 'a-darwin': '1' } } };
    expect(lockProblems(lock(packages))).toEqual(['a-darwin, an optional dependency of node_modules/a, has no entry']);
  });

  it('ignores an entry inside another package', () => {
    const packages = { '': {}, 'node_modules/a': { optionalDependencies: { b: '1' } }, 'node_modules/c/node_modules/b': {} };
    expect(lockProblems(lock(packages))).toHaveLength(1);
  });

  it('reports version ranges of our own dependencies', () => {
    const other = { 'node_modules/b': { dependencies: { c: '^1.0.0' } } };
    for (const version of ['^1.0.0', '~1.0.0', '1', '1.x', 'latest', '>=1.0.0'])
      for (const kind of ['dependencies', 'devDependencies'])
        expect(lockProblems(lock({ 'apps/x': { [kind]: { b: version } }, ...other }))).toEqual([
          expect.stringContaining(`requested as ${version}`),
        ]);
    expect(lockProblems(lock({ 'apps/x': { dependencies: { 'b': '1.0.0', '@maw/bus': '*' } }, ...other }))).toEqual([]);
  });

  it('reports packages without SHA-512', () => {
    const integrity = 'sha512-abc';
    expect(lockProblems(lock({ 'node_modules/a': { version: '1.0.0', integrity } }))).toEqual([]);
    expect(lockProblems(lock({ 'node_modules/a': { version: '1.0.0' } }))).toHaveLength(1);
    expect(lockProblems(lock({ 'node_modules/a': { version: '1.0.0', integrity: 'sha1-abc' } }))).toHaveLength(1);
    expect(lockProblems(lock({ 'apps/a': { version: '1.0.0' }, 'node_modules/@maw/a': { version: '1.0.0', link: true } }))).toEqual([]);
  });

  it('reports addresses that packages came from', () => {
    const address = ['https', '//registry.example/a.tgz'].join(':');
    expect(lockProblems(lock({ 'node_modules/a': { resolved: address } }).replaceAll('":"', '": "'))).toHaveLength(1);
    expect(lockProblems(lock({ 'node_modules/a': { resolved: address } }))).toHaveLength(1);
    expect(lockProblems(lock({ 'node_modules/a': { resolved: 'apps/a', link: true } }))).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { lockFaults } from './lock.ts';

const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });

describe('a lock file', () => {
  it('is good when every optional dependency has an entry where Node would find it', () => {
    const packages = {
      '': { optionalDependencies: { a: '1.0.0' } },
      'node_modules/a': { optionalDependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/b': {},
      'node_modules/c': {},
      'apps/x': { optionalDependencies: { c: '1.2.3-beta.1' } },
      'node_modules/@scope/d': { optionalDependencies: { c: '1' } },
    };
    expect(lockFaults(lock(packages))).toEqual([]);
  });

  it('lacks an optional dependency that has no entry', () => {
    const packages = { '': {}, 'node_modules/a': { optionalDependencies: { 'a-darwin': '1' } } };
    expect(lockFaults(lock(packages))).toEqual(['a-darwin, an optional dependency of node_modules/a, has no entry']);
  });

  it('does not find one that lies in another package', () => {
    const packages = { '': {}, 'node_modules/a': { optionalDependencies: { b: '1' } }, 'node_modules/c/node_modules/b': {} };
    expect(lockFaults(lock(packages))).toHaveLength(1);
  });

  it('names one version of whatever we depend on ourselves', () => {
    const other = { 'node_modules/b': { dependencies: { c: '^1.0.0' } } };
    for (const version of ['^1.0.0', '~1.0.0', '1', '1.x', 'latest', '>=1.0.0'])
      for (const kind of ['dependencies', 'devDependencies'])
        expect(lockFaults(lock({ 'apps/x': { [kind]: { b: version } }, ...other }))).toEqual([
          expect.stringContaining(`asked for as ${version}`),
        ]);
    expect(lockFaults(lock({ 'apps/x': { dependencies: { 'b': '1.0.0', '@maw/bus': '*' } }, ...other }))).toEqual([]);
  });

  it('says what is in each package', () => {
    const integrity = 'sha512-abc';
    expect(lockFaults(lock({ 'node_modules/a': { version: '1.0.0', integrity } }))).toEqual([]);
    expect(lockFaults(lock({ 'node_modules/a': { version: '1.0.0' } }))).toHaveLength(1);
    expect(lockFaults(lock({ 'node_modules/a': { version: '1.0.0', integrity: 'sha1-abc' } }))).toHaveLength(1);
    expect(lockFaults(lock({ 'apps/a': { version: '1.0.0' }, 'node_modules/@maw/a': { version: '1.0.0', link: true } }))).toEqual([]);
  });

  it('must not say where packages came from', () => {
    const address = ['https', '//registry.example/a.tgz'].join(':');
    expect(lockFaults(lock({ 'node_modules/a': { resolved: address } }).replaceAll('":"', '": "'))).toHaveLength(1);
    expect(lockFaults(lock({ 'node_modules/a': { resolved: address } }))).toHaveLength(1);
    expect(lockFaults(lock({ 'node_modules/a': { resolved: 'apps/a', link: true } }))).toEqual([]);
  });
});

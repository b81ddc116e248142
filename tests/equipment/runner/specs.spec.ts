import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { needsOf } from './needs.ts';
import { filterByPath, findSpecs, ofSuites, suiteOf } from './specs.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'maw-specs-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, text = '') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
};

describe('findSpecs and filterByPath', () => {
  it('finds specs by their names, outside of installed packages', () => {
    for (const path of [
      'b.spec.ts',
      'a/a.spec.ts',
      'a/a.int.spec.ts',
      'a/a.e2e.spec.ts',
      'a/a.ts',
      'node_modules/x/x.spec.ts',
      '.maw/y.spec.ts',
    ])
      write(path);
    const { unit, int, e2e } = findSpecs(root);
    const names = (paths: readonly string[]) => paths.map((path) => relative(root, path));
    expect(names(unit)).toEqual(['a/a.spec.ts', 'b.spec.ts']);
    expect(names(int)).toEqual(['a/a.int.spec.ts']);
    expect(names(e2e)).toEqual(['a/a.e2e.spec.ts']);
  });

  it('chooses specs by a part of their path below the root', () => {
    const all = ['/r/libs/bus/a.spec.ts', '/r/apps/x.spec.ts'];
    expect(filterByPath(all, [], '/r')).toEqual(all);
    expect(filterByPath(all, ['libs/bus'], '/r')).toEqual([all[0]]);
    expect(filterByPath(all, ['./apps/x'], '/r')).toEqual([all[1]]);
    expect(filterByPath(all, ['/r/apps'], '/r')).toEqual([all[1]]);
    expect(filterByPath(all, ['r/'], '/r')).toEqual([]);
  });
});

describe('suiteOf', () => {
  it.each([
    ['libs/bus/core/consumer.spec.ts', 'plain'],
    ['tests/verify/verify.int.spec.ts', 'plain'],
    ['tests/containers/compose.spec.ts', 'plain'],
    ['tests/e2e/rule-sets.e2e.spec.ts', 'plain'],
    ['tests/e2e/human.e2e.spec.ts', 'storms'],
    ['tests/equipment/fuzz/fuzz.storm.spec.ts', 'storms'],
    ['tests/containers/system.e2e.spec.ts', 'containers'],
    ['tests/engine/games.e2e.spec.ts', 'engine'],
    ['tests/engine/figures.spec.ts', 'plain'],
    ['tests/real/system.e2e.spec.ts', 'real'],
    ['tests/real/programs.spec.ts', 'plain'],
  ] as const)('has %s in the suite %s', (path, suite) => {
    expect(suiteOf(path)).toBe(suite);
    expect(ofSuites([join('/r', path)], [suite], '/r')).toHaveLength(1);
    expect(ofSuites([join('/r', path)], [], '/r')).toHaveLength(0);
  });
});

describe('needsOf', () => {
  it('finds the servers that a suite names', () => {
    expect(needsOf(write('a.int.spec.ts', 'process.env.AMQP_URL'))).toEqual({
      broker: true,
      database: false,
      containers: false,
      engine: false,
      real: false,
    });
    expect(needsOf(write('b.int.spec.ts', 'process.env.DATABASE_URL'))).toEqual({
      broker: false,
      database: true,
      containers: false,
      engine: false,
      real: false,
    });
  });

  it('follows imports, also in circles', () => {
    write('x.ts', "import './deep/y.ts'");
    write('deep/y.ts', "import '../x.ts'; process.env.AMQP_URL");
    expect(needsOf(write('a.e2e.spec.ts', "import { x } from './x.ts'"))).toEqual({
      broker: true,
      database: false,
      containers: false,
      engine: false,
      real: false,
    });
  });

  it('defaults to both for integration and to none for end-to-end suites', () => {
    expect(needsOf(write('a.int.spec.ts'))).toEqual({ broker: true, database: true, containers: false, engine: false, real: false });
    expect(needsOf(write('a.e2e.spec.ts'))).toEqual({ broker: false, database: false, containers: false, engine: false, real: false });
  });

  it('finds containers by the import of tests/equipment/containers/engine.ts', () => {
    write('containers/engine.ts');
    expect(needsOf(write('containers/a.e2e.spec.ts', "import './engine.ts'"))).toEqual({
      broker: false,
      database: false,
      containers: true,
      engine: false,
      real: false,
    });
    expect(needsOf(write('containers/b.spec.ts', "'engine.ts'")).containers).toBe(false);
  });

  it('finds the programs of tests/real/get.sh by the import of tests/real/programs.ts', () => {
    write('real/programs.ts');
    expect(needsOf(write('real/a.e2e.spec.ts', "import './programs.ts'"))).toMatchObject({ real: true, engine: false, containers: false });
    expect(needsOf(write('real/b.e2e.spec.ts', "'programs.ts'")).real).toBe(false);
  });
});

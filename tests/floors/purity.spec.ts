import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isTest, root, sourceFiles } from '../equipment/source/repository.ts';
import { impurities } from './purity.ts';

describe('the rules of the games and the statistics of contests', () => {
  it.each(['libs/games/', 'libs/lab/ratings/'])('use no clock, randomness or await: %s', (folder) => {
    const rules = sourceFiles().filter((path) => path.startsWith(folder) && !isTest(path));
    expect(rules.length).toBeGreaterThan(10);
    const found = rules.flatMap((path) => impurities(path, readFileSync(join(root, path), 'utf8')).map((what) => `${path}: ${what}`));
    expect(found).toEqual([]);
  });
});

describe('the services', () => {
  it('take the time from the clock they are given, never from the machine', () => {
    const services = sourceFiles().filter((path) => path.startsWith('services/') && !isTest(path));
    expect(services.length).toBeGreaterThan(100);
    const found = services.filter((path) => /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });
});

describe('impurities', () => {
  it.each([
    ['const t = Date.now()', 'Date'],
    ['const t = new Date()', 'Date'],
    ['const d = Math.random()', 'Math.random'],
    ["const d = Math['random']()", 'Math.random'],
    ['setTimeout(() => 1, 2)', 'setTimeout'],
    ['const e = process.env', 'process'],
    ['const f = async () => 1', 'async'],
    ['const g = { async say() { return 1 } }', 'async'],
    ['const h = await x', 'await'],
    ['let p: Promise<number>', 'Promise'],
    ['const o = { Date }', 'Date'],
  ])('finds it in %s', (code, what) => {
    expect(impurities('a.ts', code).map((line) => line.replace(/^line \d+: /, ''))).toContain(what);
  });

  it.each([
    '// Date.now(), await\nconst a = "Math.random() process async"',
    'const a = { process: 1, fetch: 2 }; const b = a.process + a.fetch',
    'const a = Math.max(1, 2)',
    'interface A { readonly Date: string; process(): void }',
  ])('finds none in %s', (code) => {
    expect(impurities('a.ts', code)).toEqual([]);
  });
});

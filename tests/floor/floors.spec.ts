import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { environmentReads } from './environment.ts';
import { folderOf, objectionTo } from './floors.ts';
import { importsOf } from './imports.ts';
import { impurities } from './purity.ts';
import { isTest, root, sources } from './tree.ts';

const files = sources();
const text = (path: string) => readFileSync(join(root, path), 'utf8');

const hasCode = (folder: string) => globSync('**/*.ts', { cwd: join(root, folder), exclude: ['node_modules'] }).length > 0;

/** Who may read the environment beside files called config.ts, and why. */
const readers: readonly { readonly where: RegExp; readonly because: string }[] = [
  { where: /^(tests|testing)\//, because: 'the runner hands suites their servers by environment, and suites their own to what they start' },
  { where: /\.(spec|suite)\.ts$/, because: 'integration suites find AMQP_URL and DATABASE_URL there' },
];

describe('the floors', () => {
  it('see code in every folder that has some', () => {
    const seen = files.map(folderOf);
    const folders = ['libs', 'services', 'apps'].flatMap((each) => readdirSync(join(root, each)).map((name) => `${each}/${name}`));
    for (const folder of [...folders, 'testing', 'tests'].filter(hasCode)) expect(seen).toContain(folder);
    expect(seen).toEqual(expect.arrayContaining(['libs/games', 'apps/cli', 'testing', 'tests']));
    expect(files.flatMap((path) => importsOf(path, text(path))).length).toBeGreaterThan(100);
  });

  it('are kept: every file imports only what its folder may', () => {
    const broken = files.flatMap((path) =>
      importsOf(path, text(path))
        .map((name) => objectionTo(path, name, isTest(path)))
        .flatMap((objection) => (objection ? [`${path}: ${objection}`] : [])),
    );
    expect(broken).toEqual([]);
  });

  it('keep the rules of the games from asking the time, rolling dice, waiting or reaching outside', () => {
    const rules = files.filter((path) => path.startsWith('libs/games/') && !isTest(path));
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.flatMap((path) => impurities(path, text(path)).map((what) => `${path}: ${what}`))).toEqual([]);
  });

  it('let only files called config.ts read the environment', () => {
    const others = files.filter((path) => !/(^|\/)config\.ts$/.test(path) && !readers.some(({ where }) => where.test(path)));
    expect(others.length).toBeGreaterThan(0);
    expect(others.flatMap((path) => environmentReads(path, text(path)).map((line) => `${path}: ${line}`))).toEqual([]);
  });
});

describe('an import', () => {
  it.each([
    ["import a from 'x'", ['x']],
    ["import type { A } from 'x'", ['x']],
    ["export * from 'x'; export { a } from 'y'; export const b = 1", ['x', 'y']],
    ["const a = await import('x')", ['x']],
    ["type A = import('x').B", ['x']],
    ["const a = require('x')", ['x']],
    ['const a = await import(name)', ['?']],
    ["// import a from 'x'\nconst s = \"follows from 'y'\"", []],
  ])('is found in %s', (code, found) => {
    expect(importsOf('a.ts', code)).toEqual(found);
  });

  it.each([
    ['libs/games/a.ts', 'node:fs'],
    ['libs/games/a.ts', 'zod'],
    ['libs/games/a.ts', '@maw/contracts/a.ts'],
    ['libs/games/a.ts', '../contracts/a.ts'],
    ['libs/bus/a.ts', 'pg'],
    ['libs/bus/a.ts', '@maw/games/a.ts'],
    ['libs/store/a.ts', 'amqplib'],
    ['libs/telemetry/a.ts', 'fs'],
    ['services/web/a.ts', '@maw/player/service.ts'],
    ['services/web/a.ts', '@maw/web-not-there/a.ts'],
    ['services/web/a.ts', 'amqplib'],
    ['services/web/a.ts', '../../testing/main.ts'],
    ['apps/cli/a.ts', '@maw/web/door.ts'],
    ['apps/cli/a.ts', '@maw/ollama-sim/config.ts'],
    ['apps/cli/a.ts', '@maw/testing/runner/child.ts'],
    ['apps/cli/a.ts', 'testcontainers'],
    ['apps/ollama-sim/a.ts', '@maw/bus/a.ts'],
    ['libs/unheard-of/a.ts', '?'],
    ['libs/sneaky/a.ts', 'zod'],
  ])('of %s may not be %s', (path, name) => {
    expect(objectionTo(path, name, false)).toEqual(expect.any(String));
  });

  it.each([
    ['libs/games/a.ts', './maw/b.ts'],
    ['libs/telemetry/a.ts', '@opentelemetry/sdk-node'],
    ['libs/contracts/a.ts', '@maw/games/question.ts'],
    ['services/web/a.ts', 'express'],
    ['services/web/a.ts', '@maw/bus/bus.ts'],
    ['apps/cli/a.ts', '@maw/web/service.ts'],
    ['apps/cli/a.ts', '@maw/ollama-sim/simulator.ts'],
    ['apps/cli/dev-servers/a.ts', '@testcontainers/rabbitmq'],
    ['tests/laws/a.ts', '@maw/web/door.ts'],
  ])('of %s may be %s', (path, name) => {
    expect(objectionTo(path, name, false)).toBeUndefined();
  });

  it('of a spec may be any package of others and anything in tests, but nothing more of ours', () => {
    expect(objectionTo('libs/games/a.spec.ts', 'fast-check', true)).toBeUndefined();
    expect(objectionTo('libs/games/a.spec.ts', '../../tests/laws/table.ts', true)).toBeUndefined();
    expect(objectionTo('libs/games/a.spec.ts', '@maw/bus/bus.ts', true)).toEqual(expect.any(String));
    expect(objectionTo('services/web/a.spec.ts', '@maw/player/service.ts', true)).toEqual(expect.any(String));
  });
});

describe('purity', () => {
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
  ])('is missed in %s', (code, what) => {
    expect(impurities('a.ts', code).map((line) => line.replace(/^line \d+: /, ''))).toContain(what);
  });

  it.each([
    '// Date.now(), await\nconst a = "Math.random() process async"',
    'const a = { process: 1, fetch: 2 }; const b = a.process + a.fetch',
    'const a = Math.max(1, 2)',
    'interface A { readonly Date: string; process(): void }',
  ])('is granted to %s', (code) => {
    expect(impurities('a.ts', code)).toEqual([]);
  });
});

describe('reading the environment', () => {
  it.each([
    'const a = process.env.A',
    "const a = process['env']",
    'const { env } = process',
    "import { env } from 'node:process'",
    "import process from 'process'",
  ])('is found in %s', (code) => expect(environmentReads('a.ts', code)).toEqual(['line 1']));

  it.each(['const a = process.pid', '// process.env', 'const a = other.env'])('is not found in %s', (code) => {
    expect(environmentReads('a.ts', code)).toEqual([]);
  });
});

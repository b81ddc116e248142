import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importGraph } from '../equipment/source/import-graph.ts';
import { importsOf } from '../equipment/source/imports.ts';
import { isTest, root, sourceFiles } from '../equipment/source/repository.ts';
import { importError, layerFolderOf, layers } from './layers.ts';

const files = sourceFiles();
const hasCode = (folder: string) => globSync('**/*.ts', { cwd: join(root, folder), exclude: ['node_modules'] }).length > 0;

describe('the layers', () => {
  it('cover every folder that has code', () => {
    const covered = files.map(layerFolderOf);
    const folders = ['libs', 'services', 'apps'].flatMap((each) => readdirSync(join(root, each)).map((name) => `${each}/${name}`));
    for (const folder of [...folders, 'infra', 'bench', 'tests'].filter(hasCode)) expect(covered).toContain(folder);
    expect(covered).toEqual(expect.arrayContaining(['libs/games', 'apps/cli', 'bench', 'tests']));
  });

  it('hold for every import of every file', () => {
    const imports = files.flatMap((path) => importsOf(path, readFileSync(join(root, path), 'utf8')).map((name) => ({ path, name })));
    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.flatMap(({ path, name }) => importError(path, name)?.replace(/^/, `${path}: `) ?? [])).toEqual([]);
  });
});

it('no layer names a single file, but the entry point that every service has', () => {
  const named = Object.values(layers).flatMap(({ own }) => own.filter((each) => each.endsWith('.ts')));
  expect([...new Set(named)]).toEqual(['services/*/service.ts']);
});

/** All that the start of a service, or one of its threads, loads. */
function loadedBy(...mains: readonly string[]): ReadonlySet<string> {
  const graph = importGraph(files.filter((path) => !isTest(path)));
  const loaded = new Set<string>();
  const rest = [...mains];
  for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    rest.push(...(graph.get(path) ?? []));
  }
  return loaded;
}

describe('the steps of minds', () => {
  const isStep = (path: string) => /^libs\/(minds\/(step-kinds|steps\/)|rule-players\/|lab\/training\/)/.test(path);

  it.each([
    ['gamemaster', ['services/gamemaster/main.ts']],
    ['web', ['services/web/main.ts', 'services/web/contest-report/worker.ts']],
    ['aiwolf', ['services/aiwolf/main.ts']],
    ['chatroom', ['services/chatroom/main.ts']],
  ])('are not loaded by the service %s, however indirectly', (_, mains) => {
    const loaded = loadedBy(...mains);
    expect(loaded.size).toBeGreaterThan(50);
    expect([...loaded].filter(isStep)).toEqual([]);
  });

  it('are loaded by the player', () => {
    expect([...loadedBy('services/player/main.ts')].filter(isStep)).toContain('libs/minds/step-kinds.ts');
  });
});

describe('importError', () => {
  it.each([
    ['libs/games/a.ts', 'node:fs'],
    ['libs/games/a.ts', 'zod'],
    ['libs/games/a.ts', '@maw/contracts/a.ts'],
    ['libs/games/a.ts', '../contracts/a.ts'],
    ['libs/async/a.ts', '@maw/contracts/a.ts'],
    ['libs/bus/a.ts', 'pg'],
    ['libs/bus/a.ts', '@maw/games/a.ts'],
    ['libs/store/a.ts', 'amqplib'],
    ['libs/telemetry/a.ts', 'fs'],
    ['services/web/a.ts', '@maw/player/service.ts'],
    ['services/web/a.ts', '@maw/not-there/a.ts'],
    ['services/web/a.ts', 'amqplib'],
    ['services/web/a.ts', '@maw/tests/equipment/main.ts'],
    ['services/web/a.ts', '../../bench/main.ts'],
    ['services/web/a.ts', '../../tests/docs/pages.ts'],
    ['services/gamemaster/a.ts', '@maw/minds/mind.ts'],
    ['libs/recipes/a.ts', '@maw/minds/mind.ts'],
    ['apps/cli/a.ts', '@maw/web/token.ts'],
    ['apps/cli/a.ts', '@maw/tests/equipment/runner/child.ts'],
    ['apps/cli/a.ts', 'undici'],
    ['apps/ollama-sim/a.ts', '@maw/bus/a.ts'],
    ['libs/unheard-of/a.ts', '?'],
    ['libs/unheard-of/a.ts', 'zod'],
  ])('forbids %s to import %s', (path, name) => {
    expect(importError(path, name)).toEqual(expect.any(String));
  });

  it.each([
    ['libs/games/a.ts', './maw/b.ts'],
    ['libs/telemetry/a.ts', '@opentelemetry/sdk-node'],
    ['libs/minds/a.ts', '@maw/games/question.ts'],
    ['services/player/a.ts', '@maw/minds/mind.ts'],
    ['services/web/a.ts', 'express'],
    ['services/web/a.ts', '@maw/bus/bus.ts'],
    ['apps/cli/a.ts', '@maw/web/service.ts'],
    ['apps/cli/a.ts', '@maw/ollama-sim/simulator.ts'],
    ['tests/equipment/laws/a.ts', '@maw/web/token.ts'],
    ['tests/e2e/a.ts', '@maw/tests/equipment/chaos/storm.ts'],
  ])('allows %s to import %s', (path, name) => {
    expect(importError(path, name)).toBeUndefined();
  });

  it('forbids a package of this repository that package.json does not declare', () => {
    expect(importError('libs/store/a.ts', '@maw/contracts/a.ts')).toMatch('does not declare');
  });

  it('lets specs import any package and tests/, but no higher layer', () => {
    expect(importError('libs/games/a.spec.ts', 'fast-check')).toBeUndefined();
    expect(importError('libs/games/a.spec.ts', '@maw/tests/equipment/laws/table.ts')).toBeUndefined();
    expect(importError('libs/games/a.spec.ts', '@maw/bus/bus.ts')).toEqual(expect.any(String));
    expect(importError('services/web/a.spec.ts', '@maw/player/service.ts')).toEqual(expect.any(String));
  });
});

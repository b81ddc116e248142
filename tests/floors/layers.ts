import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ownPath } from '../equipment/source/import-graph.ts';
import { isTest, root } from '../equipment/source/repository.ts';

/** What the files of one folder may import. */
export interface Layer {
  /** Folders of this repository, and what every service calls its entry point. No single file is named. A folder may always import from itself. */
  readonly own: readonly string[];
  /** Packages and node: modules; `*` at the end matches anything. Undefined: what the folder's package.json declares, and node:*. */
  readonly packages?: readonly string[];
  /** Development packages that are loaded on demand, and done without where they are not installed. */
  readonly onDemand?: readonly string[];
}

const base = ['libs/async', 'libs/contracts', 'libs/telemetry'];
/** What a service needs. What a recipe needs to be known for stands on its card. */
const servingLibs = [
  ...base,
  'libs/bus',
  'libs/games',
  'libs/http',
  'libs/learning',
  'libs/recipes',
  'libs/service',
  'libs/store',
  'libs/text',
];
const allLibs = [...servingLibs, 'libs/aiwolf', 'libs/dev-servers', 'libs/lab', 'libs/minds', 'libs/rule-players'];

/** Who may import whom. A folder of libs, services or apps without an entry or a matching pattern fails the test. */
export const layers: Readonly<Record<string, Layer>> = {
  // For the page too: games take `clean.ts` alone of it.
  'libs/text': { own: [] },
  'libs/games': { own: ['libs/text'], packages: [] },
  'libs/aiwolf': { own: ['libs/async', 'libs/contracts', 'libs/games', 'libs/minds', 'libs/text'] },
  'libs/async': { own: [], packages: ['node:*'] },
  'libs/telemetry': { own: [] },
  'libs/contracts': { own: ['libs/games'], packages: ['zod'] },
  'libs/http': { own: ['libs/async'] },
  // For the page too: of the contracts it takes types only.
  'libs/api-client': { own: ['libs/contracts/http', 'libs/http'] },
  'libs/service': { own: ['libs/async', 'libs/http', 'libs/telemetry'] },
  'libs/bus': { own: base },
  'libs/store': { own: base },
  'libs/recipes': { own: ['libs/games', 'libs/text'] },
  'libs/rule-players': { own: ['libs/games'] },
  'libs/minds': { own: [...base, 'libs/games', 'libs/learning', 'libs/recipes', 'libs/rule-players', 'libs/text'] },
  'libs/dev-servers': { own: ['libs/bus', 'libs/service', 'libs/store'], onDemand: ['testcontainers', '@testcontainers/*'] },
  'libs/learning': { own: ['libs/games'] },
  // The laboratory may import minds, never the reverse.
  'libs/lab': {
    own: [
      'libs/contracts',
      'libs/games',
      'libs/http',
      'libs/learning',
      'libs/minds',
      'libs/recipes',
      'libs/store',
      'libs/telemetry',
      'libs/text',
    ],
  },
  'services/aiwolf': { own: [...servingLibs, 'libs/aiwolf/server', 'libs/aiwolf/wire'] },
  // Of the services these two run the steps of minds. What rates and reports is a service's; what trains is not, except pools of the agents of a contest.
  'services/contest': {
    own: [...servingLibs, 'libs/minds', 'libs/lab/contests', 'libs/lab/ratings', 'libs/lab/measures', 'libs/lab/training/experience'],
  },
  'services/player': { own: [...servingLibs, 'libs/minds'] },
  'services/web': { own: [...servingLibs, 'libs/lab/contests', 'libs/lab/ratings', 'libs/lab/measures'] },
  'services/*': { own: servingLibs },
  'apps/ollama-sim': { own: ['libs/async', 'libs/http', 'libs/service'] },
  // The command line composes all services into one process, from the outside.
  'apps/cli': {
    own: [...allLibs, 'libs/api-client', 'services/*/service.ts', 'services/llm-gateway/discovery', 'apps/ollama-sim', 'apps/console'],
  },
  // A page that a bundler builds: its packages are needed then, and only then.
  'apps/console': {
    own: ['libs/aiwolf/logs', 'libs/api-client', 'libs/contracts', 'libs/games', 'libs/text'],
    packages: [
      'node:*',
      'react',
      'react-dom',
      'wouter',
      '@tanstack/react-virtual',
      'uqr',
      '@dicebear/core',
      '@dicebear/personas',
      'vite',
      '@vitejs/plugin-react',
    ],
  },
  'apps/*': { own: allLibs },
  'infra': { own: ['libs'], packages: ['*'] },
  // What programs of anybody are made with, and examples of them.
  'clients': { own: ['libs/api-client', 'libs/contracts/http'], packages: ['node:*'] },
  'examples': { own: ['clients'], packages: ['node:*'] },
  'bench': { own: ['libs', 'services', 'apps', 'infra', 'tests'], packages: ['*'] },
  'tests': { own: ['libs', 'services', 'apps', 'infra', 'bench', 'clients'], packages: ['*'] },
};

/** The folder of a file that has a layer: libs/x, services/x, apps/x, infra, clients, examples, bench or tests. */
export function layerFolderOf(path: string): string {
  const [top = '', name] = path.split('/');
  return top in layers ? top : `${top}/${name}`;
}

/** The layer of a folder; undefined when it has none. */
function layerOf(folder: string): Layer | undefined {
  return layers[folder] ?? layers[`${folder.split('/')[0]}/*`];
}

/**
 * Why the file at `path` may not import `name`; undefined when it may. Specs and suites may also use any package, `tests/`, `bench/` and the
 * simulator of Ollama.
 */
export function importError(path: string, name: string): string | undefined {
  const folder = layerFolderOf(path);
  const layer = layerOf(folder);
  if (!layer) return `${folder} has no layer: add it to layers.ts`;
  if (name === '?') return 'the import is computed: name the module';
  const own = ownPath(path, name);
  if (own !== undefined) {
    if (layerFolderOf(own) === folder) return undefined;
    if (layer.own.some((each) => matchesPattern(own, each) || matchesPattern(own, `${each}/*`))) return undeclaredError(path, name);
    return isTest(path) && /^(bench|tests|apps\/ollama-sim)\//.test(own) ? undefined : `${folder} may not import ${own}`;
  }
  const allowed = [...(layer.packages ?? declaredDependencies(folder)), ...(layer.onDemand ?? [])];
  if (isTest(path) || allowed.some((each) => matchesPattern(packageOf(name), each))) return undefined;
  return `${folder} may not import ${name}`;
}

/** A package of this repository must be declared too: it is installed in any case here, but not where one service is installed alone. */
function undeclaredError(path: string, name: string): string | undefined {
  const folder = layerFolderOf(path);
  if (isTest(path) || !folder.includes('/') || declaredDependencies(folder).includes(packageOf(name))) return undefined;
  return `${folder} imports ${packageOf(name)}, which its package.json does not declare`;
}

function packageOf(name: string): string {
  if (name.startsWith('node:')) return name;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

const versions = z.record(z.string(), z.string()).optional();
const Manifest = z.object({ dependencies: versions });

function declaredDependencies(folder: string): readonly string[] {
  const path = join(root, folder, 'package.json');
  if (!existsSync(path)) return [];
  const { dependencies = {} } = Manifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  return [...Object.keys(dependencies), 'node:*'];
}

/** Whether a path matches a pattern: `*` stands for one path segment, and at the end for anything. */
function matchesPattern(path: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*$/, '.+')
    .replaceAll('/*/', '/[^/]+/');
  return new RegExp(`^${source}$`).test(path);
}

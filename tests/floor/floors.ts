import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { root } from './tree.ts';

/** What the files of one folder may import. */
export interface Floor {
  /** Folders of ours, or single files. Their own folder is always allowed. */
  readonly ours: readonly string[];
  /** Packages and node: modules; a `*` at the end stands for anything. Undefined: what their own package.json declares, and node:*. */
  readonly theirs?: readonly string[];
}

const libs = [
  'libs/async',
  'libs/bus',
  'libs/contracts',
  'libs/games',
  'libs/http',
  'libs/minds',
  'libs/service',
  'libs/store',
  'libs/telemetry',
];

/** Who may import whom. A folder of libs, services or apps that is neither here nor covered by a pattern has no floor, and the test says so. */
export const floors: Readonly<Record<string, Floor>> = {
  'libs/games': { ours: [], theirs: [] },
  'libs/async': { ours: [], theirs: ['node:*'] },
  'libs/contracts': { ours: ['libs/games'], theirs: ['zod'] },
  'libs/telemetry': { ours: [], theirs: ['@opentelemetry/*', 'prom-client', 'pino', 'node:*'] },
  'libs/http': { ours: ['libs/async'], theirs: ['eventsource-parser', 'zod', 'node:*'] },
  'libs/service': { ours: ['libs/async', 'libs/http', 'libs/telemetry'], theirs: ['zod', 'node:*'] },
  'libs/bus': { ours: ['libs/async', 'libs/contracts', 'libs/telemetry'], theirs: ['amqplib', '@opentelemetry/api', 'node:*'] },
  'libs/store': {
    ours: ['libs/async', 'libs/contracts', 'libs/telemetry'],
    theirs: ['pg', '@electric-sql/pglite', '@opentelemetry/api', 'node:*'],
  },
  'libs/minds': { ours: ['libs/async', 'libs/contracts', 'libs/games', 'libs/telemetry'], theirs: ['zod', '@opentelemetry/api', 'node:*'] },
  'services/*': { ours: libs },
  'apps/ollama-sim': { ours: ['libs/async', 'libs/http', 'libs/service'], theirs: ['zod', 'node:*'] },
  // It composes all services into one process, from the outside.
  'apps/cli': { ours: [...libs, 'services/*/service.ts', 'apps/ollama-sim/simulator.ts'] },
  'apps/*': { ours: libs },
  'testing': { ours: ['libs', 'services', 'apps', 'infra', 'tests'], theirs: ['*'] },
  'tests': { ours: ['libs', 'services', 'apps', 'infra', 'testing'], theirs: ['*'] },
};

/** What single places may do beyond their floor, and why. */
export const exceptions: readonly { readonly where: string; readonly what: string; readonly because: string }[] = [
  { where: 'apps/cli/bench/', what: 'tests/chaos/*', because: 'it is the storm of the specs, longer and with more tables' },
  { where: 'apps/cli/bench/', what: 'tests/laws/*', because: 'it tries the laws of the games on more games, and the specs have them' },
  { where: 'apps/cli/bench/', what: 'tests/schedules/*', because: 'as the laws: it tries more schedules than the specs do' },
  { where: 'apps/cli/bench/', what: 'tests/fuzz/*', because: 'it sends more of what the specs send' },
  { where: 'apps/cli/bench/', what: 'tests/leaks/*', because: 'it hunts in more games than the specs do' },
  { where: 'apps/cli/bench/', what: 'testing/gateway-lab/*', because: 'it runs the load of the gateway under other policies' },
  {
    where: 'apps/cli/dev-servers/',
    what: 'testcontainers',
    because: 'loaded only where a Docker engine may be used; an installation without it does without Docker',
  },
  { where: 'apps/cli/dev-servers/', what: '@testcontainers/*', because: 'as testcontainers' },
];

/** The folder with a floor of its own that a file lies in: libs/x, services/x, apps/x, testing or tests. */
export function folderOf(path: string): string {
  const [top = ''] = path.split('/');
  return top === 'tests' || top === 'testing' ? top : path.split('/').slice(0, 2).join('/');
}

/** The floor of a folder; undefined when it has none. */
export function floorOf(folder: string): Floor | undefined {
  return floors[folder] ?? floors[`${folder.split('/')[0]}/*`];
}

/** Why the file at `path` may not import `name`; undefined when it may. A spec may use any package of others, what `tests` has for it, and the simulator. */
export function objectionTo(path: string, name: string, isSpec: boolean): string | undefined {
  const folder = folderOf(path);
  const floor = floorOf(folder);
  if (!floor) return `${folder} has no floor: give it one`;
  if (name === '?') return 'imports something computed: name it';
  const ours = ourPath(path, name);
  if (exceptions.some((each) => path.startsWith(each.where) && fits(ours ?? packageOf(name), each.what))) return undefined;
  if (ours !== undefined) {
    if (folderOf(ours) === folder || floor.ours.some((each) => fits(ours, each) || fits(ours, `${each}/*`))) return undefined;
    return isSpec && (/^test(s|ing)\//.test(ours) || ours.startsWith('apps/ollama-sim/')) ? undefined : `${folder} may not import ${ours}`;
  }
  if (isSpec || (floor.theirs ?? declaredBy(folder)).some((each) => fits(packageOf(name), each))) return undefined;
  return `${folder} may not import ${name}`;
}

/** The path from the root of what is ours; undefined for what is not. */
function ourPath(from: string, name: string): string | undefined {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name);
  const [, short, rest] = /^@maw\/([^/]+)\/?(.*)$/.exec(name) ?? [];
  if (short === undefined) return undefined;
  if (short === 'testing') return `testing/${rest}`;
  const home = ['libs', 'services', 'apps'].map((each) => `${each}/${short}`).find((each) => existsSync(join(root, each)));
  return `${home ?? `libs/${short}`}/${rest}`;
}

function packageOf(name: string): string {
  if (name.startsWith('node:')) return name;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

const Declared = z.object({ dependencies: z.record(z.string(), z.string()).optional() });

function declaredBy(folder: string): readonly string[] {
  const { dependencies = {} } = Declared.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
  return [...Object.keys(dependencies), 'node:*'];
}

/** Whether a path is what a pattern says: `*` stands for anything within a name, and at the end for anything at all. */
function fits(path: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*$/, '.+')
    .replaceAll('/*/', '/[^/]+/');
  return new RegExp(`^${source}$`).test(path);
}

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

type Open = { [key: string]: Open } & Open[] & string;

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

interface Generator {
  readonly name: string;
  readonly behavior?: 'create' | 'merge' | 'replace';
  readonly envs?: readonly string[];
  readonly files?: readonly string[];
  readonly literals?: readonly string[];
  readonly options?: GeneratorOptions;
}
interface GeneratorOptions {
  readonly disableNameSuffixHash?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}
interface Target {
  readonly kind: string;
  readonly name?: string;
  readonly labelSelector?: string;
}
interface Kustomization {
  readonly kind: string;
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly Generator[];
  /** Of all its generators; what one says of itself goes before. */
  readonly generatorOptions?: GeneratorOptions;
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
  readonly patches?: readonly { readonly target: Target; readonly path: string }[];
}

/** What this understands; anything else in a kustomization is an error, so that nothing is passed over in silence. */
const KEYS = ['apiVersion', 'kind', 'namespace', 'resources', 'components', 'configMapGenerator', 'generatorOptions', 'images', 'patches'];

/** Kinds that belong to no namespace. */
const CLUSTER_WIDE = new Set(['Namespace', 'PriorityClass']);

export const isClusterWide = ({ kind }: Resource): boolean => CLUSTER_WIDE.has(kind);

/**
 * Renders a folder as `kubectl kustomize` does, as far as ours go: the names of generated ConfigMaps have no hash. So the manifests can be looked at
 * where there is no kubectl; where there is one, a test compares the two.
 * @throws Error that names the file, for whatever this does not know
 */
export function render(folder: string): readonly Resource[] {
  const set: Resource[] = [];
  build(folder, set);
  return set;
}

/** The names that kubectl would put a hash behind. */
export function hashed(folder: string, found = new Set<string>()): ReadonlySet<string> {
  const of = kustomizationIn(folder);
  for (const { name, options } of of.configMapGenerator ?? [])
    if (!{ ...of.generatorOptions, ...options }.disableNameSuffixHash) found.add(name);
  for (const each of [...(of.resources ?? []), ...(of.components ?? [])])
    if (isFolder(join(folder, each))) hashed(join(folder, each), found);
  return found;
}

function build(folder: string, set: Resource[]): void {
  const of = kustomizationIn(folder);
  for (const each of of.resources ?? []) {
    const path = join(folder, each);
    if (isFolder(path)) {
      const below: Resource[] = [];
      build(path, below);
      for (const resource of below) add(set, resource, path);
    } else for (const resource of documentsOf(path)) add(set, resource, path);
  }
  for (const each of of.configMapGenerator ?? []) generate(folder, { ...each, options: { ...of.generatorOptions, ...each.options } }, set);
  for (const each of of.components ?? []) build(join(folder, each), set);
  for (const { target, path } of of.patches ?? []) patch(join(folder, path), target, set);
  for (const resource of set) {
    if (of.namespace !== undefined && !isClusterWide(resource)) Object.assign(resource.metadata, { namespace: of.namespace });
    for (const image of of.images ?? []) {
      walk(resource, (key, value, parent) => {
        if (key === 'image' && value === image.name) parent['image'] = `${image.newName}:${image.newTag}` as Open;
      });
    }
  }
}

function kustomizationIn(folder: string): Kustomization {
  const path = join(folder, 'kustomization.yaml');
  const read = parse(readFileSync(path, 'utf8')) as Kustomization;
  const unknown = Object.keys(read).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) throw new Error(`${path}: this renderer does not know ${unknown.join(', ')}`);
  return read;
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/** The resources of a file; anchors are resolved. */
export function documentsOf(path: string): readonly Resource[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]!.message}`);
    return structuredClone(document.toJS() as Resource);
  });
}

function add(set: Resource[], resource: Resource, path: string): void {
  const same = set.find((other) => other.kind === resource.kind && other.metadata.name === resource.metadata.name);
  if (same) throw new Error(`${path}: there is a ${resource.kind} ${resource.metadata.name} already`);
  set.push(JSON.parse(JSON.stringify(resource)) as Resource);
}

function generate(folder: string, of: Generator, set: Resource[]): void {
  const data: Record<string, string> = {};
  const put = (line: string) => {
    const at = line.indexOf('=');
    data[line.slice(0, at)] = line.slice(at + 1);
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  for (const path of of.envs ?? [])
    read(path)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .forEach(put);
  for (const each of of.files ?? []) {
    const [key, path = key!] = each.split('=');
    data[path === key ? basename(path) : key!] = read(path);
  }
  of.literals?.forEach(put);
  const there = set.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === of.name);
  const { behavior = 'create' } = of;
  if ((behavior === 'create') === (there !== undefined)) throw new Error(`${folder}: cannot ${behavior} the ConfigMap ${of.name}`);
  const { labels, annotations } = of.options ?? {};
  const metadata = { name: of.name, ...(labels && { labels }), ...(annotations && { annotations }) };
  if (!there) set.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  else Object.assign(there, { data: behavior === 'merge' ? { ...(there['data'] as object), ...data } : data });
}

/** JSON patches (RFC 6902) with `add` and `replace`. */
function patch(path: string, { kind, name, labelSelector }: Target, set: readonly Resource[]): void {
  const [key = '', value] = labelSelector?.split('=') ?? [];
  const targets = set.filter(
    (each) =>
      each.kind === kind &&
      (name === undefined || each.metadata.name === name) &&
      (!labelSelector || each.metadata.labels?.[key] === value),
  );
  if (targets.length === 0) throw new Error(`${path}: there is no ${kind} ${name ?? labelSelector} to patch`);
  const steps = parse(readFileSync(path, 'utf8')) as readonly { op: string; path: string; value: Open }[];
  for (const target of targets)
    for (const step of steps) apply(target, structuredClone(step), `${path} on ${kind} ${target.metadata.name}`);
}

function apply(target: Resource, { op, path, value }: { op: string; path: string; value: Open }, where: string): void {
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop()!;
  let at = target as unknown as Open;
  for (const key of keys) {
    const next = at[key as keyof Open] as Open | undefined;
    if (next === undefined) throw new Error(`${where}: there is no ${path}`);
    at = next;
  }
  if (op === 'add' && last === '-') at.push(value);
  else if (op === 'add' || (op === 'replace' && at[last as keyof Open] !== undefined)) Object.assign(at, { [last]: value });
  else throw new Error(`${where}: cannot ${op} ${path}`);
}

/** Visits every value of a resource, with its key and the object that it is in. */
export function walk(from: unknown, visit: (key: string, value: unknown, parent: Record<string, unknown>) => void): void {
  if (Array.isArray(from)) for (const each of from) walk(each, visit);
  else if (typeof from === 'object' && from !== null) {
    for (const [key, value] of Object.entries(from)) {
      visit(key, value, from as Record<string, unknown>);
      walk(value, visit);
    }
  }
}

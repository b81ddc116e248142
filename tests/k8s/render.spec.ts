import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { root } from '../equipment/source/repository.ts';
import { kubectlRenders, whyNoKubectl } from './kubectl.ts';
import { hashed, isClusterWide, type Resource, render } from './kustomize.ts';
import { allOf, overlay, overlays, podsOf, rendered } from './manifests.ts';
import { connectionsOf } from './network-policies.ts';

const operations = readFileSync(join(root, 'docs/operations-cluster.md'), 'utf8');
/** How many ConfigMaps have a name that changes with them. */
const settings = { small: 9, production: 10 };
const SETTINGS = { 'app.kubernetes.io/component': 'settings' };

const missing = whyNoKubectl();
const withKubectl = missing === undefined ? it : it.skip;

const byName = (set: readonly Resource[]) =>
  Object.fromEntries(set.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Without the hashes behind the names of generated ConfigMaps. */
function unhashed(set: readonly Resource[], names: ReadonlySet<string>): readonly Resource[] {
  const text = JSON.stringify(set, (_, value: unknown) => {
    const name = typeof value === 'string' ? /^([a-z-]+)-[0-9a-z]{10}$/.exec(value)?.[1] : undefined;
    return name !== undefined && names.has(name) ? name : value;
  });
  return JSON.parse(text) as readonly Resource[];
}

describe('each overlay', () => {
  it.each(overlays)('%s renders with namespaces and image versions', (name) => {
    expect(rendered[name].length).toBeGreaterThan(25);
    for (const resource of rendered[name])
      expect([resource.metadata, isClusterWide(resource)]).toEqual([resource.metadata, resource.metadata.namespace !== 'maw']);
  });

  withKubectl.each(overlays)(`%s is the same to kubectl kustomize${missing === undefined ? '' : ` (skipped: ${missing})`}`, (name) => {
    const theirs = kubectlRenders(overlay(name));
    expect(byName(unhashed(theirs, hashed(overlay(name))))).toEqual(byName(rendered[name]));
    // What is read at the start has a name that changes with it; what is watched keeps its name.
    const names = theirs.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
    expect(names.filter((each) => /-[0-9a-z]{10}$/.test(each)).length).toBe(settings[name]);
    expect(names).toEqual(expect.arrayContaining(['model-servers', 'postgres-roles']));
  });

  it.each(overlays)('%s labels every ConfigMap whose name changes, so that old ones can be removed', (name) => {
    const changing = allOf(rendered[name], 'ConfigMap').filter(({ metadata }) => hashed(overlay(name)).has(metadata.name));
    expect(changing.length).toBe(settings[name]);
    for (const { metadata } of changing) expect([metadata.name, metadata.labels]).toEqual([metadata.name, SETTINGS]);
    expect(operations).toContain(
      `kubectl apply -k infra/k8s/overlays/production -l ${Object.entries(SETTINGS).flat().join('=')} --prune --prune-allowlist=core/v1/ConfigMap`,
    );
  });
});

/** A set of the base with components, as somebody's own overlay has them. */
function composed(...components: readonly string[]): readonly Resource[] {
  const folder = mkdtempSync(join(tmpdir(), 'maw-k8s-'));
  const path = (each: string) => relative(folder, join(root, 'infra/k8s', each));
  writeFileSync(
    join(folder, 'kustomization.yaml'),
    JSON.stringify({ namespace: 'maw', resources: [path('base')], components: components.map((each) => path(`components/${each}`)) }),
  );
  try {
    return render(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('private-registry gives every pod of our image the secret', () => {
  const ours = podsOf(composed('rabbitmq', 'private-registry')).filter(({ containers }) => containers[0]!.image!.includes('/maw:'));
  expect(ours.length).toBe(11);
  for (const { name, spec } of ours) expect([name, spec.imagePullSecrets]).toEqual([name, [{ name: 'registry' }]]);
});

it('external-postgres creates no database and allows connections to it', () => {
  const set = composed('rabbitmq', 'external-postgres');
  expect(set.filter(({ apiVersion }) => apiVersion.includes('cnpg'))).toEqual([]);
  const { open } = connectionsOf(set, []);
  const going = open.filter((arrow) => arrow.endsWith(':5432'));
  expect(going).toEqual(
    ['aiwolf', 'chatroom', 'contest', 'gamemaster', 'llm-gateway', 'migrate', 'player', 'retention', 'tools', 'web'].map(
      (name) => `${name} -> 10.0.0.0/8:5432`,
    ),
  );
});

describe('the renderer of these tests', () => {
  let folder = '';
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const made = (files: Readonly<Record<string, string>>): string => {
    folder = mkdtempSync(join(tmpdir(), 'maw-k8s-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  };
  const thing = 'apiVersion: v1\nkind: Thing\nmetadata: { name: a }\nspec: { list: [1] }\n';

  it.each([
    ['a field that it does not know', { 'kustomization.yaml': 'kind: Kustomization\ncommonLabels: {}' }, /does not know commonLabels/],
    [
      'a patch of nothing',
      { 'kustomization.yaml': 'patches: [{ target: { kind: Thing, name: b }, path: p.yaml }]', 'p.yaml': '[]' },
      /no Thing b to patch/,
    ],
    [
      'a patch of a field that is not there',
      {
        'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ target: { kind: Thing }, path: p.yaml }]',
        'a.yaml': thing,
        'p.yaml': '[{ op: replace, path: /spec/none, value: 1 }]',
      },
      /cannot replace \/spec\/none/,
    ],
    [
      'the same thing twice',
      { 'kustomization.yaml': 'resources: [a.yaml, b.yaml]', 'a.yaml': thing, 'b.yaml': thing },
      /a Thing a already/,
    ],
    [
      'a merge into nothing',
      { 'kustomization.yaml': 'configMapGenerator: [{ name: c, behavior: merge, literals: [A=1] }]' },
      /cannot merge the ConfigMap c/,
    ],
  ])('refuses %s', (_, files, says) => {
    expect(() => render(made(files))).toThrow(says);
  });
});

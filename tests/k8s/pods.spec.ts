import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dotEnv } from '../equipment/containers/compose-file.ts';
import { root } from '../equipment/source/repository.ts';
import { documentsOf, type Resource, walk } from './kustomize.ts';
import { allOf, fewest, fits, overlays, podsOf, rendered, the, variablesOf } from './manifests.ts';

const replicated = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'contest'];
const services = [...replicated, 'aiwolf'];

describe.each(overlays)('the pods of the overlay %s', (name) => {
  const set = rendered[name];
  const pods = podsOf(set);

  it.each(pods.map((pod) => [pod.name, pod] as const))(
    '%s: no rights, no token, nothing to write on but what it needs',
    (_, { spec, containers }) => {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.enableServiceLinks).toBe(false);
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(spec.securityContext!.runAsUser).toBeGreaterThanOrEqual(10_000);
      expect([spec.hostNetwork, spec.hostPID, spec.hostIPC]).toEqual([undefined, undefined, undefined]);
      for (const { securityContext, resources } of containers) {
        expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
        expect([resources?.requests?.['cpu'], resources?.requests?.['memory'], resources?.limits?.['memory']]).toEqual(
          Array(3).fill(expect.any(String)),
        );
      }
      expect((spec.volumes ?? []).filter(({ hostPath }) => hostPath)).toEqual([]);
    },
  );

  it.each(services)('%s has probes, spreading and a sufficient grace period', (service) => {
    const { spec, owner, labels } = pods.find((each) => each.name === service)!;
    const [container] = spec.containers;
    const paths = (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).map((probe) => container![probe]!.httpGet!.path);
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz']);
    // The check of /readyz may take two seconds by itself.
    expect(container!.readinessProbe!.timeoutSeconds).toBeGreaterThan(2);
    const grace = Number(variablesOf(set, container!)['GRACE_MS']);
    const pause = /setTimeout\(\(\) => \{\}, (\d+)\)/.exec(container!.lifecycle?.preStop?.exec?.command?.[2] ?? '')?.[1];
    expect(pause).toBe(['web', 'llm-gateway'].includes(service) ? '5000' : undefined);
    expect(spec.terminationGracePeriodSeconds! * 1000).toBeGreaterThanOrEqual(grace + Number(pause ?? 0) + 5000);
    if (!replicated.includes(service)) {
      expect(owner['spec']).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
      return;
    }
    expect(spec.topologySpreadConstraints!.map(({ topologyKey }) => topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    for (const { labelSelector } of spec.topologySpreadConstraints!) expect(fits(labelSelector as never, labels)).toBe(true);
    expect((owner['spec'] as { strategy: object }).strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
  });

  it.each(pods.map((pod) => [pod.name, pod] as const))('%s starts an existing file', (pod, { spec }) => {
    const [program, , file] = spec.containers[0]!.command ?? [];
    if (pod === 'ollama') return expect(spec.containers[0]!.command).toBeUndefined();
    if (pod === 'tools') return expect(program).toBe('node');
    return expect([program, file, existsSync(join(root, file!))]).toEqual([
      'node',
      services.includes(pod) ? `services/${pod}/main.ts` : 'apps/cli/main.ts',
      true,
    ]);
  });

  it('disruption budgets allow at least one eviction', () => {
    const budgets = allOf(set, 'PodDisruptionBudget') as unknown as {
      spec: { minAvailable?: number; maxUnavailable?: number; selector: Parameters<typeof fits>[0] };
    }[];
    // Broker and models may always lose one; PostgreSQL's operator makes the budget of its own.
    expect(budgets.filter((each) => each.spec.maxUnavailable === 1).map((each) => each.spec.selector.matchLabels)).toEqual(
      name === 'production' ? ['rabbitmq', 'ollama'].map((server) => ({ 'app.kubernetes.io/name': server })) : [],
    );
    const guarded = budgets.flatMap(({ spec: { minAvailable, selector } }) => {
      if (minAvailable === undefined) return [];
      const chosen = pods.filter(({ labels }) => fits(selector, labels));
      expect(chosen.length).toBe(1);
      expect(minAvailable).toBeGreaterThanOrEqual(1);
      expect(minAvailable).toBeLessThan(fewest(set, 'Deployment', chosen[0]!.name));
      return chosen.map((each) => each.name);
    });
    if (name === 'production') expect(guarded.toSorted()).toEqual(replicated.toSorted());
  });

  it('autoscaled workloads set no replica count', () => {
    const scaled = ['HorizontalPodAutoscaler', 'ScaledObject'].flatMap((kind) =>
      allOf(set, kind).map((each) => (each['spec'] as { scaleTargetRef: { kind: string; name: string } }).scaleTargetRef),
    );
    expect(scaled.map((each) => each.name).toSorted()).toEqual(
      name === 'production' ? ['chatroom', 'gamemaster', 'ollama', 'player', 'web'] : [],
    );
    for (const { kind, name: target } of scaled) expect((the(set, kind, target)['spec'] as { replicas?: number }).replicas).toBeUndefined();
  });
});

it.each(overlays)('the overlay %s keeps broker and database before services, and these before all else', (name) => {
  const set = rendered[name];
  const valueOf = new Map(allOf(set, 'PriorityClass').map(({ metadata, value }) => [metadata.name, value as number]));
  expect([...valueOf.keys()].toSorted()).toEqual(['maw-games', 'maw-store']);
  expect(valueOf.get('maw-store')).toBeGreaterThan(valueOf.get('maw-games')!);
  expect(valueOf.get('maw-games')).toBeGreaterThan(0); // that of pods without a class
  expect(valueOf.get('maw-store')).toBeLessThan(1_000_000_000); // as high as a class of ours may be
  const classed = podsOf(set).filter(({ spec }) => spec.priorityClassName !== undefined);
  expect(classed.map((pod) => [pod.name, pod.spec.priorityClassName])).toEqual(classed.map((pod) => [pod.name, 'maw-games']));
  expect(classed.map((pod) => pod.name).toSorted()).toEqual(services.filter((each) => each !== 'contest').toSorted());
  type Broker = { override: { statefulSet: { spec: { template: { spec: { priorityClassName: string } } } } } };
  const broker = the(set, 'RabbitmqCluster', 'rabbitmq')['spec'] as Broker;
  const store = the(set, 'Cluster', 'postgres')['spec'] as { priorityClassName: string };
  expect([broker.override.statefulSet.spec.template.spec.priorityClassName, store.priorityClassName]).toEqual(['maw-store', 'maw-store']);
});

it('each replica asks for the memory that the page has measured, and is limited as it says', () => {
  const page = readFileSync(join(root, 'docs/operations-cluster.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| (\d+) +\| (\d+) +\| +(?:[\d,]+)? +\| ([\d,]+) +\| ([\d,]+) +\|$/gm)];
  const number = (text: string): number => Number(text.replace(',', ''));
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(services));
  for (const name of overlays) {
    const asked = podsOf(rendered[name]).flatMap((pod) => {
      const { requests, limits } = pod.spec.containers[0]!.resources!;
      return services.includes(pod.name) ? [[pod.name, requests!['memory'], limits!['memory']]] : [];
    });
    const written = rows.map(([, pod, , , request, limit]) => [
      pod,
      `${number(request!)}Mi`,
      number(limit!) === 1024 ? '1Gi' : `${number(limit!)}Mi`,
    ]);
    expect(new Set(asked)).toEqual(new Set(written));
    // More than it was seen to use, at rest and with tables.
    for (const [, pod, atRest, withTables, request] of rows)
      expect([pod, Math.max(number(atRest!), number(withTables!)) < number(request!)]).toEqual([pod, true]);
  }
});

it('production has no single point of failure but the servers for outside agents', () => {
  const set = rendered.production;
  for (const service of replicated) expect([service, fewest(set, 'Deployment', service)]).toEqual([service, 2]);
  expect((the(set, 'RabbitmqCluster', 'rabbitmq')['spec'] as { replicas: number }).replicas).toBe(3);
  expect((the(set, 'Cluster', 'postgres')['spec'] as { instances: number }).instances).toBe(3);
  const text = (the(set, 'RabbitmqCluster', 'rabbitmq')['spec'] as { rabbitmq: { additionalConfig: string } }).rabbitmq.additionalConfig;
  expect(text.length).toBeLessThanOrEqual(2000); // as its definition has it
  expect(text).toContain('load_definitions = /etc/maw/definitions.json\n');
});

/** Every YAML file that is no patch and no kustomization. */
const written = (folder: string): readonly Resource[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
    .flatMap((path) => (readFileSync(join(folder, path), 'utf8').includes('\nkind: ') ? documentsOf(join(folder, path)) : []));

it('each image has one pinned version', () => {
  const images = (set: readonly Resource[]) => {
    const found = new Set<string>();
    walk(set, (key, value) => {
      if (['image', 'imageName'].includes(key)) found.add(String(value));
    });
    return [...found].toSorted();
  };
  const placeholders = ['maw', 'ollama'];
  const operated = images(written(join(root, 'infra/k8s'))).filter((image) => !placeholders.includes(image));
  expect(operated.map((image) => image.split(':')[0])).toEqual(['ghcr.io/cloudnative-pg/postgresql', 'rabbitmq']);
  for (const name of overlays) {
    expect(images(rendered[name]).map((image) => image.split(':')[0])).toEqual([
      ...(name === 'production' ? ['alpine/k8s'] : []), // recovers a backup
      'ghcr.io/cloudnative-pg/postgresql',
      'ollama/ollama',
      'rabbitmq',
      'registry.example.org/maw',
    ]);
    for (const image of images(rendered[name])) expect(image).toMatch(/:\d+\.\d+[\w.-]*$/);
    expect(images(rendered[name])).toContain(dotEnv['RABBITMQ_IMAGE']);
  }
});

/** What an image is of, and the numbers of its version: pgvector/pgvector:0.8.6-pg17 is PostgreSQL 17. */
const softwareOf = (image: string): readonly [name: string, version: readonly string[]] => {
  const [path = '', tag = ''] = image.split(':');
  const name = path.slice(path.lastIndexOf('/') + 1).replace('pgvector', 'postgresql');
  return [name, /(?<=pg|^v?)\d+(?:\.\d+)*(?!.*-pg\d)/.exec(tag)![0].split('.')];
};

it.each(overlays)('%s uses the software versions of docker-compose.yml', (name) => {
  const there = new Map(Object.keys(dotEnv).flatMap((key) => (key.endsWith('_IMAGE') ? [softwareOf(dotEnv[key]!)] : [])));
  const shared: string[] = [];
  walk(rendered[name], (key, value) => {
    if (!['image', 'imageName'].includes(key)) return;
    const [software, version] = softwareOf(String(value));
    const other = there.get(software);
    if (!other) return;
    shared.push(software);
    const both = Math.min(version.length, other.length);
    expect([software, version.slice(0, both)]).toEqual([software, other.slice(0, both)]);
  });
  expect(new Set(shared)).toEqual(new Set(['maw', 'ollama', 'postgresql', 'rabbitmq']));
});

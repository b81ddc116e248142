import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { rolesSql } from '@maw/store/sql/roles.ts';
import { definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { root } from '../equipment/source/repository.ts';
import { keptIn, secrets } from '../../infra/k8s/secrets.ts';
import { type Resource, walk } from './kustomize.ts';
import { allOf, dataOf, fits, overlays, podsOf, rendered, the } from './manifests.ts';
import { configReferencesOf } from './config-references.ts';

const made = { small: secrets({ namespace: 'maw', isTls: false }), production: secrets({ namespace: 'maw', isTls: true }) };
const ours = (name: (typeof overlays)[number]) => made[name];

/** Secrets that somebody else makes. The operator of PostgreSQL makes its authority; the rest is said in docs/operations-cluster.md. */
const others: Readonly<Record<string, readonly string[]>> = {
  'postgres-ca': ['ca.crt'],
  'rabbitmq-ca': ['ca.crt'],
  'rabbitmq-tls': ['tls.crt', 'tls.key'],
  'web-tls': ['tls.crt', 'tls.key'],
  'backup-store': ['access-key-id', 'secret-access-key'],
};
/** Pods that operators make, as they label them, and the ports that they name. */
const operated = [
  { labels: { 'app.kubernetes.io/name': 'rabbitmq' }, ports: ['prometheus', 'prometheus-tls'] },
  { labels: { 'cnpg.io/cluster': 'postgres' }, ports: ['metrics'] },
];

describe.each(overlays)('in the overlay %s', (name) => {
  const set = rendered[name];
  const pods = podsOf(set);
  const named = set.flatMap(configReferencesOf);

  it('every referenced ConfigMap and key exists, and none is unused', () => {
    const wanted = named.filter(({ kind, name: map }) => kind === 'ConfigMap' && map !== 'kube-root-ca.crt'); // Kubernetes makes that one
    expect(wanted.length).toBeGreaterThan(10);
    for (const { name: map, key, by } of wanted) {
      const keys = Object.keys(dataOf(set, map));
      expect({ by, map, keys }).toEqual({ by, map, keys: key === undefined ? keys : expect.arrayContaining([key]) });
    }
    // Boards are found by their label, and named by nobody.
    expect(
      allOf(set, 'ConfigMap')
        .filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] !== '1' && !wanted.some((one) => one.name === metadata.name))
        .map(({ metadata }) => metadata.name),
    ).toEqual([]);
  });

  it('every referenced secret is made by secrets.ts or documented', () => {
    const keysOf = new Map(ours(name).map((secret) => [secret.metadata.name, Object.keys(secret.stringData)]));
    const wanted = named.filter(({ kind }) => kind === 'Secret');
    expect(wanted.length).toBeGreaterThan(20);
    const missing = wanted.filter(({ name: secret, key }) => {
      const keys = keysOf.get(secret) ?? others[secret];
      return keys === undefined || (key !== undefined && !keys.includes(key));
    });
    expect(missing).toEqual([]);
    // And nothing is made that nobody reads. A small cluster does not measure its broker.
    const unread = [...keysOf].flatMap(([secret, keys]) =>
      keys
        .filter((key) => !wanted.some((one) => one.name === secret && (one.key === undefined || one.key === key)))
        .map((key) => `${secret}: ${key}`),
    );
    expect(unread).toEqual(name === 'small' ? ['rabbitmq-monitoring: http-url'] : []);
  });

  it('services, budgets, scalers and monitors reference existing objects', () => {
    for (const { metadata, spec } of allOf(set, 'Service') as unknown as { metadata: Resource['metadata']; spec: ServiceSpec }[]) {
      const chosen = pods.filter(({ labels }) => fits({ matchLabels: spec.selector }, labels));
      expect([metadata.name, chosen.map((each) => each.name)]).toEqual([metadata.name, [metadata.name]]);
      for (const { targetPort } of spec.ports) expect(portsOf(chosen[0]!.spec)).toContain(targetPort);
    }
    for (const { spec } of allOf(set, 'Ingress') as unknown as { spec: IngressSpec }[]) {
      const backends = spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
      expect(backends.length).toBe(1);
      for (const { name: service, port } of backends)
        expect((the(set, 'Service', service)['spec'] as ServiceSpec).ports.map((each) => each.name)).toContain(port.name);
    }
    for (const { spec } of allOf(set, 'HTTPRoute') as unknown as { spec: RouteSpec }[]) {
      for (const { name: service, port } of spec.rules.flatMap(({ backendRefs = [] }) => backendRefs))
        expect((the(set, 'Service', service)['spec'] as ServiceSpec).ports.map((each) => each.port)).toContain(port);
      for (const { name: gateway, sectionName } of spec.parentRefs) {
        const { listeners } = the(set, 'Gateway', gateway)['spec'] as { listeners: { name: string; hostname: string }[] };
        expect(listeners.filter((each) => each.name === sectionName).map((each) => each.hostname)).toEqual(spec.hostnames);
      }
    }
    expect(allOf(set, 'Ingress').length + allOf(set, 'Gateway').length).toBe(1);
    for (const { spec } of [...allOf(set, 'HorizontalPodAutoscaler'), ...allOf(set, 'ScaledObject')] as unknown as { spec: ScalerSpec }[]) {
      const { apiVersion, kind, name: target } = spec.scaleTargetRef;
      expect(the(set, kind, target).apiVersion).toBe(apiVersion);
      for (const { authenticationRef } of spec.triggers ?? [])
        if (authenticationRef) the(set, 'TriggerAuthentication', authenticationRef.name);
    }
    for (const { spec } of allOf(set, 'PodMonitor') as unknown as { spec: MonitorSpec }[]) {
      const all = [...pods.map((each) => ({ labels: each.labels, ports: portsOf(each.spec) })), ...operated];
      const chosen = all.filter(({ labels }) => fits(spec.selector, labels as Record<string, string>));
      expect(chosen.length).toBeGreaterThan(0);
      for (const { ports } of chosen) expect(ports).toEqual(expect.arrayContaining(spec.podMetricsEndpoints.map(({ port }) => port)));
    }
    for (const { spec } of allOf(set, 'ScheduledBackup') as unknown as { spec: { cluster: { name: string } } }[]) {
      const { plugins } = the(set, 'Cluster', spec.cluster.name)['spec'] as { plugins: { parameters: { barmanObjectName: string } }[] };
      the(set, 'ObjectStore', plugins[0]!.parameters.barmanObjectName);
    }
    for (const { spec } of pods) if (spec.serviceAccountName !== undefined) the(set, 'ServiceAccount', spec.serviceAccountName);
    for (const { roleRef, subjects } of allOf(set, 'RoleBinding') as unknown as { roleRef: Named; subjects: readonly Named[] }[])
      for (const { kind, name: bound } of [roleRef, ...subjects]) the(set, kind, bound);
    for (const { spec } of allOf(set, 'StatefulSet') as unknown as { spec: { serviceName: string } }[])
      the(set, 'Service', spec.serviceName);
  });

  it('every workload selects its own pods only', () => {
    for (const each of pods) {
      const { selector } = each.owner['spec'] as { selector?: { matchLabels: Record<string, string> } };
      if (selector) expect(pods.filter(({ labels }) => fits(selector, labels)).map((one) => one.name)).toEqual([each.name]);
    }
  });

  it('mounted volumes and probe ports exist, and no volume is unused', () => {
    for (const { name: pod, spec, owner, containers } of pods) {
      const claims = (owner['spec'] as { volumeClaimTemplates?: { metadata: { name: string } }[] }).volumeClaimTemplates ?? [];
      const volumes = [...(spec.volumes ?? []).map((each) => each.name), ...claims.map(({ metadata }) => metadata.name)];
      const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map((each) => each.name));
      expect([pod, new Set(mounted)]).toEqual([pod, new Set(volumes)]);
      walk(spec, (key, value) => {
        if (key === 'httpGet') expect(portsOf(spec)).toContain((value as { port: string }).port);
      });
    }
  });

  it('addresses in secrets name existing services, users and roles', () => {
    const users = definitions({ vhost: 'maw' }).users.map((each) => each.name);
    const tls = name === 'production';
    const addresses = ours(name).flatMap(({ metadata, stringData }) =>
      Object.entries(stringData)
        .filter(([, value]) => /^[a-z]+:\/\//.test(value))
        .map(([key, value]) => [metadata.name, key, new URL(value)] as const),
    );
    expect(addresses.length).toBe(19);
    const roles = rolesSql();
    for (const [secret, key, url] of addresses) {
      expect([secret, key, url.password.length]).toEqual([secret, key, 43]);
      if (key === 'database-url')
        expect([url.host, url.pathname, url.search]).toEqual(['postgres-rw:5432', '/maw', '?sslmode=verify-full']);
      if (key === 'database-url') expect(roles).toContain(`create role ${url.username} login`);
      else expect(users).toContain(url.username);
      if (key === 'amqp-url')
        expect([url.protocol, url.host, url.pathname]).toEqual(
          tls ? ['amqps:', 'rabbitmq:5671', '/maw'] : ['amqp:', 'rabbitmq:5672', '/maw'],
        );
      if (key === 'amqp-url') expect(url.username).toBe(secret === 'tools' ? 'operator' : secret);
    }
    // One password for one user, wherever it is said; and the operator gives each role that very one.
    const said = new Map(addresses.filter(([, key]) => key === 'database-url').map(([, , url]) => [url.username, url.password]));
    const given = ours(name).filter(({ type }) => type === 'kubernetes.io/basic-auth');
    expect(new Set(given.map(({ stringData }) => stringData['username']))).toEqual(new Set([...said.keys(), 'maw_llm_gateway']));
    const { managed } = the(set, 'Cluster', 'postgres')['spec'] as { managed: { roles: { name: string }[] } };
    const inSql = [...roles.matchAll(/create role (\w+) login/g)].map(([, role]) => role);
    expect(new Set(managed.roles.map((role) => role.name))).toEqual(new Set(inSql));
    for (const [role, password] of said)
      expect(given.find(({ stringData }) => stringData['username'] === role)!.stringData['password']).toBe(password);
  });
});

it('secrets are random, and consistent where repeated', () => {
  let n = 0;
  const list = secrets({ namespace: 'x', isTls: false }, () => `password-${++n}`);
  const find = (name: string) => list.find(({ metadata }) => metadata.name === name)!.stringData;
  const password = (address: string | undefined) => new URL(address!).password;
  expect(password(find('gamemaster')['database-url'])).toBe(find('postgres-maw-gamemaster')['password']);
  expect(new Set(list.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['x']));
  const { users } = JSON.parse(find('rabbitmq-definitions')['definitions.json']!) as { users: { password_hash: string }[] };
  expect(users.every(({ password_hash }) => password_hash.length === 48)).toBe(true);
  const [one, other] = [secrets({ namespace: 'x', isTls: false }), secrets({ namespace: 'x', isTls: false })];
  for (const [i, { metadata, stringData }] of one.entries())
    expect([metadata.name, stringData]).not.toEqual([metadata.name, other[i]!.stringData]);
});

it('--keep keeps existing secrets, changes the broker address and adds new ones', () => {
  const before = secrets({ namespace: 'maw', isTls: false });
  const base64 = (data: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  const items = before
    .filter(({ metadata }) => metadata.name !== 'metrics')
    .map(({ metadata, stringData }) => ({ metadata, data: base64(stringData) }));
  const kept = keptIn(JSON.stringify({ kind: 'List', items }));
  const after = new Map(
    secrets({ namespace: 'maw', isTls: true, kept }, () => 'new').map(({ metadata, stringData }) => [metadata.name, stringData]),
  );
  const plain = (value: string) =>
    value.replace('amqps:', 'amqp:').replace('@rabbitmq:5671', '@rabbitmq:5672').replace('https:', 'http:').replace(':15671', ':15672');
  for (const { metadata, stringData } of before) {
    if (metadata.name === 'rabbitmq-definitions') continue; // hashes of the same passwords with other salt
    const { tls: _, ...now } = after.get(metadata.name)!;
    const same = Object.fromEntries(Object.entries(now).map(([key, value]) => [key, plain(value)]));
    expect([metadata.name, same]).toEqual([metadata.name, metadata.name === 'metrics' ? { token: 'new' } : stringData]);
  }
  expect(after.get('gamemaster')!['amqp-url']).toMatch(/^amqps:/);
  expect(() => keptIn('{}')).toThrow(/kubectl get secrets/);
});

it('the documentation lists the secrets that operators create', () => {
  const page = readFileSync(join(root, 'docs/operations-cluster.md'), 'utf8');
  for (const [secret, keys] of Object.entries(others)) for (const word of [secret, ...keys]) expect(page).toContain(`\`${word}\``);
});

const portsOf = (spec: { containers: readonly { ports?: readonly { name?: string }[] }[] }) =>
  spec.containers.flatMap(({ ports = [] }) => ports.map((port) => port.name));

interface RouteSpec {
  readonly hostnames: readonly string[];
  readonly parentRefs: readonly { readonly name: string; readonly sectionName: string }[];
  readonly rules: readonly { readonly backendRefs?: readonly { readonly name: string; readonly port: number }[] }[];
}
interface ServiceSpec {
  readonly selector: Record<string, string>;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
}
interface IngressSpec {
  readonly rules: readonly {
    readonly http: { readonly paths: readonly { readonly backend: { readonly service: { name: string; port: { name: string } } } }[] };
  }[];
}
interface Named {
  readonly kind: string;
  readonly name: string;
}
interface ScalerSpec {
  readonly scaleTargetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly triggers?: readonly { readonly authenticationRef?: { readonly name: string } }[];
}
interface MonitorSpec {
  readonly selector: Parameters<typeof fits>[0];
  readonly podMetricsEndpoints: readonly { readonly port: string }[];
}

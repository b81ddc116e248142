import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup';
import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import { Gateway } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/Gateway';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Role } from 'kubernetes-models/rbac.authorization.k8s.io/v1/Role';
import { RoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/RoleBinding';
import { PriorityClass } from 'kubernetes-models/scheduling.k8s.io/v1/PriorityClass';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parse } from 'yaml';
import { root } from '../equipment/source/repository.ts';
import { secrets } from '../../infra/k8s/secrets.ts';
import type { Resource } from './kustomize.ts';
import { overlays, rendered } from './manifests.ts';
import { restoredFrom } from './restored-cluster.ts';
import { temporaryFolder } from '../equipment/temporary-folder.ts';

const CNPG = '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
const KEDA = '@kubernetes-models/keda/keda.sh/v1alpha1';
const GATEWAY = '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
const MONITORING = '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
const KUBE = 'kubernetes-models';
const OURS = join(root, 'tests/k8s/custom-resources.ts');

/** The published definition of each kind that we use: where its type is, and, where a package has it, what validates it. */
const kinds: Readonly<Record<string, { readonly from: string; readonly model?: new (data: never) => { validate(): void } }>> = {
  'apps/v1 Deployment': { from: `${KUBE}/apps/v1/Deployment`, model: Deployment },
  'apps/v1 StatefulSet': { from: `${KUBE}/apps/v1/StatefulSet`, model: StatefulSet },
  'autoscaling/v2 HorizontalPodAutoscaler': { from: `${KUBE}/autoscaling/v2/HorizontalPodAutoscaler`, model: HorizontalPodAutoscaler },
  'batch/v1 CronJob': { from: `${KUBE}/batch/v1/CronJob`, model: CronJob },
  'batch/v1 Job': { from: `${KUBE}/batch/v1/Job`, model: Job },
  'rbac.authorization.k8s.io/v1 Role': { from: `${KUBE}/rbac.authorization.k8s.io/v1/Role`, model: Role },
  'rbac.authorization.k8s.io/v1 RoleBinding': { from: `${KUBE}/rbac.authorization.k8s.io/v1/RoleBinding`, model: RoleBinding },
  'networking.k8s.io/v1 Ingress': { from: `${KUBE}/networking.k8s.io/v1/Ingress`, model: Ingress },
  'networking.k8s.io/v1 NetworkPolicy': { from: `${KUBE}/networking.k8s.io/v1/NetworkPolicy`, model: NetworkPolicy },
  'policy/v1 PodDisruptionBudget': { from: `${KUBE}/policy/v1/PodDisruptionBudget`, model: PodDisruptionBudget },
  'scheduling.k8s.io/v1 PriorityClass': { from: `${KUBE}/scheduling.k8s.io/v1/PriorityClass`, model: PriorityClass },
  'v1 ConfigMap': { from: `${KUBE}/v1/ConfigMap`, model: ConfigMap },
  'v1 Namespace': { from: `${KUBE}/v1/Namespace`, model: Namespace },
  'v1 Secret': { from: `${KUBE}/v1/Secret`, model: Secret },
  'v1 ServiceAccount': { from: `${KUBE}/v1/ServiceAccount`, model: ServiceAccount },
  'v1 Service': { from: `${KUBE}/v1/Service`, model: Service },
  'keda.sh/v1alpha1 ScaledObject': { from: `${KEDA}/ScaledObject`, model: ScaledObject },
  'keda.sh/v1alpha1 TriggerAuthentication': { from: `${KEDA}/TriggerAuthentication`, model: TriggerAuthentication },
  'postgresql.cnpg.io/v1 Cluster': { from: `${CNPG}/Cluster`, model: Cluster },
  'postgresql.cnpg.io/v1 ScheduledBackup': { from: `${CNPG}/ScheduledBackup`, model: ScheduledBackup },
  'rabbitmq.com/v1beta1 RabbitmqCluster': { from: OURS },
  'barmancloud.cnpg.io/v1 ObjectStore': { from: OURS },
  'gateway.networking.k8s.io/v1 Gateway': { from: `${GATEWAY}/Gateway`, model: Gateway },
  'gateway.networking.k8s.io/v1 HTTPRoute': { from: `${GATEWAY}/HTTPRoute`, model: HTTPRoute },
  'monitoring.coreos.com/v1 PodMonitor': { from: `${MONITORING}/PodMonitor`, model: PodMonitor },
  'monitoring.coreos.com/v1 PrometheusRule': { from: `${MONITORING}/PrometheusRule`, model: PrometheusRule },
};

const nameOf = ({ apiVersion, kind }: Resource) => `${apiVersion} ${kind}`;
const made = [true, false].flatMap((isTls) => secrets({ namespace: 'maw', isTls })) as unknown as readonly Resource[];
const all = [
  ...overlays.flatMap((name) => rendered[name].map((resource) => [name, resource] as const)),
  ...made.map((each) => ['secrets.ts', each] as const),
];

describe('every resource of every overlay', () => {
  it('has a kind with a known schema', () => {
    expect([...new Set(all.map(([, resource]) => nameOf(resource)))].toSorted()).toEqual(Object.keys(kinds).toSorted());
  });

  it.each(all.map(([name, resource]) => [name, resource.kind, resource.metadata.name, resource] as const))(
    'is valid: %s, %s %s',
    (_, _kind, _name, resource) => {
      const { model } = kinds[nameOf(resource)]!;
      if (model) expect(() => new model(resource as never).validate()).not.toThrow();
    },
  );

  it('fails validation with a missing or mistyped field', () => {
    const { spec, ...rest } = rendered.small.find(({ kind }) => kind === 'Deployment')! as Resource & { spec: { selector: object } };
    const { selector: _, ...without } = spec;
    expect(() => new Deployment({ ...rest, spec: without } as never).validate()).toThrow(/selector/);
    expect(() => new Deployment({ ...rest, spec: { ...spec, replicas: 'two' } } as never).validate()).toThrow(/replicas/);
  });
});

/**
 * validate() lets unknown fields pass. The types do not: each resource is written as a literal of its type, and the compiler names the fields that the
 * type does not have.
 */
describe('unknown fields', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });

  const complaints = async (file: string, resources: readonly Resource[]): Promise<string> => {
    const used = [...new Set(resources.map(nameOf))];
    const imports = used.map((name) => `import type { I${name.split(' ')[1]} } from '${kinds[name]!.from}';`);
    const literals = resources.map((each, i) => `export const r${i}: I${each.kind} = ${JSON.stringify(each, undefined, 1)};`);
    await writeFile(join(folder, file), [...imports, ...literals].join('\n'));
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'esnext',
      '--allowImportingTsExtensions',
      '--types',
      '',
    ];
    const run = promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, join(folder, file)], {
      cwd: folder,
    });
    return run.then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  };

  it('occur in no resource', async () => {
    expect(
      await complaints(
        'all.ts',
        all.map(([, resource]) => resource),
      ),
    ).toBe('');
  }, 600_000);

  it('do not occur in the documented restore cluster, nor in that of the restore test', async () => {
    const page = readFileSync(join(root, 'docs/operations-cluster.md'), 'utf8');
    const [, snippet] = /```yaml\n([\s\S]*?recoveryTarget[\s\S]*?)```/.exec(page)!;
    const { spec } = parse(snippet!) as { spec: { bootstrap: object } };
    const cluster = structuredClone(rendered.production.find((each) => each.kind === 'Cluster')!);
    const restored = { ...cluster, spec: { ...(cluster['spec'] as object), ...spec } };
    expect(spec.bootstrap).toHaveProperty('recovery');
    const tested = restoredFrom(cluster);
    expect(await complaints('restored.ts', [restored, tested])).toBe('');
    for (const each of [restored, tested]) expect(() => new Cluster(each as never).validate()).not.toThrow();
  }, 600_000);

  it('are reported by name', async () => {
    const change = (kind: string, edit: (spec: Record<string, Record<string, unknown>>) => void): Resource => {
      const copy = structuredClone(rendered.production.find((each) => each.kind === kind)!);
      edit(copy['spec'] as never);
      return copy;
    };
    const wrong = [
      change('Deployment', (spec) =>
        Object.assign((spec as never as { template: { spec: { containers: object[] } } }).template.spec.containers[0]!, { port: 80 }),
      ),
      change('ScaledObject', (spec) => Object.assign(spec, { minReplicas: 1 })),
      change('Cluster', (spec) => Object.assign(spec['bootstrap']!, { initDb: {} })),
      change('RabbitmqCluster', (spec) => Object.assign(spec['tls']!, { secret: 'x' })),
      change('ObjectStore', (spec) => Object.assign(spec['configuration']!, { bucket: 'x' })),
      change('PodMonitor', (spec) => Object.assign(spec, { endpoints: [] })),
      change('PrometheusRule', (spec) => Object.assign(spec, { rules: [] })),
    ];
    const said = await complaints('wrong.ts', wrong);
    for (const field of ['port', 'minReplicas', 'initDb', 'secret', 'bucket', 'endpoints', 'rules'])
      expect(said).toContain(`'"${field}"' does not exist`);
  }, 600_000);
});

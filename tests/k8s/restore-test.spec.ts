import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kubernetesApi } from '@maw/cli/maintenance/kubernetes-api.ts';
import { withRestoredCluster } from '@maw/cli/maintenance/restore-cluster.ts';
import type { IRole } from 'kubernetes-models/rbac.authorization.k8s.io/v1/Role';
import { readCliConfig } from '@maw/cli/config.ts';
import { podsOf, rendered, the } from './manifests.ts';
import type { Resource } from './kustomize.ts';

const set = rendered.production;
const CLUSTERS = '/apis/postgresql.cnpg.io/v1/namespaces/maw/clusters';
const VERBS: Readonly<Record<string, string>> = { GET: 'get', POST: 'create', DELETE: 'delete' };

interface FakeApi {
  readonly server: Server;
  readonly url: string;
  /** The clusters that there are, by name. */
  readonly clusters: Map<string, object>;
  /** What was asked for, in its order, but for repeated looks. */
  readonly asked: string[];
  /** The state of a cluster that was created. */
  status: object;
  /** Is called when somebody looks at it. */
  looked: () => void;
}

/** The part of the API that the test uses, with the rights of its role. */
async function fakeApi(): Promise<FakeApi> {
  const { rules } = the(set, 'Role', 'restore-test') as unknown as IRole;
  const mayDo = (verb: string, name: string | undefined): boolean =>
    rules!.some(({ verbs, resourceNames }) => verbs.includes(verb) && (resourceNames === undefined || resourceNames.includes(name ?? '')));
  const answer = async (request: IncomingMessage): Promise<readonly [status: number, body: object]> => {
    const { method = '', url: path = '', headers } = request;
    const name = path.slice(CLUSTERS.length + 1) || undefined;
    const verb = VERBS[method] ?? method;
    if (api.asked.at(-1) !== `${verb} ${name ?? ''}`) api.asked.push(`${verb} ${name ?? ''}`);
    if (headers.authorization !== 'Bearer secret') return [401, { message: 'Unauthorized' }];
    if (!path.startsWith(CLUSTERS) || !mayDo(verb, name)) return [403, { message: `restore-test may not ${verb} ${name}` }];
    if (verb === 'create') {
      const made = JSON.parse(await text(request)) as Resource;
      api.clusters.set(made.metadata.name, made);
      return [201, made];
    }
    const found = api.clusters.get(name!);
    if (!found) return [404, { message: 'not found' }];
    if (verb === 'delete') api.clusters.delete(name!);
    else if (name !== 'postgres') api.looked();
    return [200, { ...found, status: api.status }];
  };
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api: FakeApi = {
    server,
    url,
    clusters: new Map([['postgres', the(set, 'Cluster', 'postgres')]]),
    asked: [],
    status: {},
    looked: () => undefined,
  };
  return api;
}

describe('the restore test of a cluster', () => {
  let api: FakeApi;
  let folder: string;
  let stop: AbortController;
  beforeEach(async () => {
    api = await fakeApi();
    folder = mkdtempSync(join(tmpdir(), 'maw-token-'));
    writeFileSync(join(folder, 'token'), 'secret\n');
    stop = new AbortController();
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await new Promise((resolve) => api.server.close(resolve));
  });
  const READY = { phase: 'Cluster in healthy state', conditions: [{ type: 'Ready', status: 'True' }] };
  const SETTING_UP = {
    phase: 'Setting up primary',
    phaseReason: 'Creating primary instance',
    conditions: [{ type: 'Ready', status: 'False' }],
  };
  const tested = <T>(use: () => Promise<T>, withinMs = 60_000, cluster = 'postgres'): Promise<T> =>
    withRestoredCluster(
      cluster,
      {
        api: kubernetesApi({ url: api.url, tokenFile: join(folder, 'token') }),
        namespace: 'maw',
        job: { name: 'restore-test-1', uid: 'u1' },
        withinMs,
        everyMs: 1,
        signal: stop.signal,
      },
      use,
    );
  const left = () => [...api.clusters.keys()];

  it('recovers the archive into a cluster of its own, with no more rights than its role gives, and deletes it', async () => {
    const access = { imagePullSecrets: [{ name: 'registry' }], serviceAccountTemplate: { metadata: { annotations: { role: 'archive' } } } };
    const live = the(set, 'Cluster', 'postgres');
    api.clusters.set('postgres', { ...live, spec: { ...(live['spec'] as object), ...access } });
    api.clusters.set('postgres-restore-test', { of: 'a run that was killed' });
    api.status = SETTING_UP;
    let looks = 0;
    api.looked = () => void (api.status = ++looks < 3 ? SETTING_UP : READY);
    let seen: object | undefined;
    await tested(async () => void (seen = api.clusters.get('postgres-restore-test')));
    const { storage, walStorage, postgresql } = live['spec'] as Record<string, { parameters: object }>;
    expect(seen).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Job', name: 'restore-test-1', uid: 'u1' }] },
      spec: {
        instances: 1,
        storage,
        walStorage,
        ...access,
        postgresql: { parameters: postgresql!.parameters },
        bootstrap: { recovery: { source: 'archive', database: 'maw', owner: 'maw_owner' } },
        externalClusters: [{ plugin: { parameters: { barmanObjectName: 'postgres-backups', serverName: 'postgres' } } }],
      },
    });
    // It must never write to the archive of the live one.
    for (const field of ['plugins', 'backup', 'managed', 'replica']) expect(seen).not.toHaveProperty(['spec', field]);
    expect(api.asked).toEqual([
      'get postgres',
      'delete postgres-restore-test',
      'get postgres-restore-test',
      'create ',
      'get postgres-restore-test',
      'delete postgres-restore-test',
    ]);
    expect(left()).toEqual(['postgres']);
  });

  it('deletes it when the check fails, when it is stopped, and when it is not ready in time', async () => {
    api.status = READY;
    await expect(tested(() => Promise.reject(new Error('a tape is not whole')))).rejects.toThrow('a tape is not whole');
    expect(left()).toEqual(['postgres']);
    api.status = SETTING_UP;
    await expect(tested(async () => undefined, 30)).rejects.toThrow(
      /postgres-restore-test has recovered timed out after .*; last seen: 'Setting up primary: Creating primary instance'/,
    );
    expect(left()).toEqual(['postgres']);
    api.looked = () => stop.abort();
    await expect(tested(async () => undefined)).rejects.toThrow(/abort/i);
    expect(left()).toEqual(['postgres']);
  });

  it('says what Kubernetes refuses, or what is no cluster with an archive', async () => {
    await expect(tested(async () => undefined, 1, 'other')).rejects.toThrow(
      `Kubernetes refuses GET ${CLUSTERS}/other with status 403: restore-test may not get other`,
    );
    api.clusters.set('postgres', the(rendered.small, 'Cluster', 'postgres'));
    await expect(tested(async () => undefined)).rejects.toThrow('the cluster postgres archives nothing');
    api.clusters.delete('postgres');
    await expect(tested(async () => undefined)).rejects.toThrow('there is no cluster postgres in the namespace maw');
    const nobody = kubernetesApi({ url: 'http://127.0.0.1:1', tokenFile: join(folder, 'token') });
    await expect(nobody.get('/')).rejects.toThrow(/^Kubernetes does not answer at http:\/\/127\.0\.0\.1:1: /);
  });

  it('is started with what the command line reads, and stops before its job is ended', () => {
    const suspended = [rendered.small, set].map((each) => (the(each, 'CronJob', 'restore-test')['spec'] as { suspend: boolean }).suspend);
    expect(suspended).toEqual([true, false]);
    const { spec, owner } = podsOf(set).find(({ name }) => name === 'restore-test')!;
    const { env = [], command = [] } = spec.containers[0]!;
    const pod = Object.fromEntries(
      env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom!.fieldRef?.fieldPath ?? 'postgres://x']),
    );
    const { kubernetes } = readCliConfig({ ...pod, KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' });
    expect(kubernetes).toEqual({
      url: 'https://[fd00::1]:443',
      namespace: 'metadata.namespace',
      job: { name: "metadata.labels['batch.kubernetes.io/job-name']", uid: "metadata.labels['batch.kubernetes.io/controller-uid']" },
    });
    const { activeDeadlineSeconds } = (owner['spec'] as { jobTemplate: { spec: { activeDeadlineSeconds: number } } }).jobTemplate.spec;
    const [, hours] = /^(\d+)h$/.exec(command[command.indexOf('--within') + 1]!)!;
    expect(Number(hours) * 3600 * 2).toBeLessThan(activeDeadlineSeconds);
  });
});

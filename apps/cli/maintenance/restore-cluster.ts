import { pollUntil } from '@maw/async/poll-until.ts';
import { z } from 'zod';
import type { KubernetesApi } from './kubernetes-api.ts';

interface RestoreClusterOptions {
  readonly api: KubernetesApi;
  readonly namespace: string;
  /** The job that this is done for: with it Kubernetes removes what is left, should this process be killed. */
  readonly job: { readonly name: string; readonly uid: string };
  /** How long the restore may take, in milliseconds, */
  readonly withinMs: number;
  /** and how often it is asked for. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

/** What is read of a Cluster of CloudNativePG. */
const cluster = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    imageName: z.string().optional(),
    imageCatalogRef: z.unknown().optional(),
    imagePullSecrets: z.unknown().optional(),
    serviceAccountTemplate: z.unknown().optional(),
    storage: z.unknown(),
    walStorage: z.unknown().optional(),
    tablespaces: z.unknown().optional(),
    resources: z.unknown().optional(),
    affinity: z.unknown().optional(),
    certificates: z.object({ serverCASecret: z.string().optional() }).optional(),
    postgresql: z
      .object({ parameters: z.record(z.string(), z.string()).optional(), shared_preload_libraries: z.array(z.string()).optional() })
      .default({}),
    plugins: z
      .array(
        z.object({ name: z.string(), isWALArchiver: z.boolean().optional(), parameters: z.record(z.string(), z.string()).default({}) }),
      )
      .default([]),
  }),
});

const state = z.object({
  status: z
    .object({
      phase: z.string().optional(),
      phaseReason: z.string().optional(),
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).optional(),
    })
    .optional(),
});

/** The database and its owner, as infra/k8s/components/postgres makes them. */
const DATABASE = { database: 'maw', owner: 'maw_owner' };

/** The name of the throw-away cluster. Its services and certificates begin with it. */
export const restoredName = (name: string): string => `${name}-restore-test`;

/**
 * A throw-away cluster of one instance that recovers the last backup of another, and all that was archived since. It has the storage and image of the
 * other, and what it needs to get at image and archive; also its settings, because the archive needs as many connections and workers. Its certificate is
 * of the same authority, which clients trust already. It archives nothing.
 * @param live the other cluster, as the API has it
 * @throws Error when it is no such cluster, or archives nothing
 */
export function restoreClusterOf(live: unknown, job: RestoreClusterOptions['job']): { readonly metadata: { readonly name: string } } {
  const { metadata, spec } = cluster.parse(live);
  const { postgresql, certificates, plugins, ...same } = spec;
  const archiver = plugins.find(({ isWALArchiver }) => isWALArchiver === true);
  if (!archiver) throw new Error(`the cluster ${metadata.name} archives nothing: none of its plugins has isWALArchiver`);
  const { name, parameters } = archiver;
  const source = { name, parameters: { serverName: metadata.name, ...parameters } };
  const restored = {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: {
      name: restoredName(metadata.name),
      labels: { 'app.kubernetes.io/part-of': 'maw' },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', ...job }],
    },
    spec: {
      instances: 1,
      ...same,
      postgresql,
      certificates: { serverCASecret: certificates?.serverCASecret ?? `${metadata.name}-ca` },
      bootstrap: { recovery: { source: 'archive', ...DATABASE } },
      externalClusters: [{ name: 'archive', plugin: source }],
    },
  };
  return JSON.parse(JSON.stringify(restored)) as typeof restored; // without what the other does not have
}

/**
 * Recovers the last backup of a cluster into a throw-away one, calls `use` once that is ready, and deletes it, also when something fails. One that
 * an earlier run has left is deleted first.
 * @throws Error when it is not ready in time, or Kubernetes refuses something
 */
export async function withRestoredCluster<T>(name: string, options: RestoreClusterOptions, use: () => Promise<T>): Promise<T> {
  const { api, namespace, job, withinMs, everyMs, signal } = options;
  const all = `/apis/postgresql.cnpg.io/v1/namespaces/${namespace}/clusters`;
  const live = await api.get(`${all}/${name}`);
  if (live === undefined) throw new Error(`there is no cluster ${name} in the namespace ${namespace}`);
  const restored = restoreClusterOf(live, job);
  const own = `${all}/${restored.metadata.name}`;
  await api.remove(own);
  await pollUntil('an older test is gone', async () => (await api.get(own)) === undefined, { timeoutMs: withinMs, everyMs, signal });
  try {
    await api.create(all, restored);
    let phase = 'nothing yet';
    const isReady = async (): Promise<boolean> => {
      const { status = {} } = state.parse((await api.get(own)) ?? {});
      phase = [status.phase, status.phaseReason].filter(Boolean).join(': ') || phase;
      return status.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
    };
    const how = { timeoutMs: withinMs, everyMs, signal, retryErrors: true, lastSeen: () => phase };
    await pollUntil(`the cluster ${restored.metadata.name} has recovered`, isReady, how);
    return await use();
  } finally {
    await api.remove(own);
  }
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { config as aiwolf } from '@maw/aiwolf-service/config.ts';
import { config as contest } from '@maw/contest/config.ts';
import { config as chatroom } from '@maw/chatroom/config.ts';
import { config as gamemaster } from '@maw/gamemaster/config.ts';
import { gatewayConfig } from '@maw/llm-gateway/config.ts';
import { TARGET_UTILISATION } from '@maw/llm-gateway/scheduler/estimation/demand.ts';
import { config as player } from '@maw/player/config.ts';
import { registry } from '@maw/telemetry/metrics.ts';
import { config as web } from '@maw/web/config.ts';
import type { IContainer } from 'kubernetes-models/v1/Container';
import { programs } from '../docs/configuration.ts';
import { secrets } from '../../infra/k8s/secrets.ts';
import { certificateAuthority } from '../equipment/servers/certificate-authority.ts';
import { amiss, leftByCluster } from '../infra/unset-variables.ts';
import { errorsIn, metricsIn } from '../observability/expressions.ts';
import { dataOf, overlays, type Pods, podsOf, rendered, the, variablesOf } from './manifests.ts';
import { temporaryFolder } from '../equipment/temporary-folder.ts';

type Env = Readonly<Record<string, string | undefined>>;
/** What each service does with its environment before anything else. */
const configs: Readonly<Record<string, (env: Env) => unknown>> = {
  gamemaster,
  chatroom,
  player,
  'llm-gateway': gatewayConfig,
  web,
  aiwolf,
  contest,
};
const services = Object.keys(configs);

/** What the command line reads: docs/configuration.md, and the certificates that all read. */
const cli = 'MAW_AT MAW_GATEWAY_AT MAW_GATEWAY_KEY AMQP_URL AMQP_CA_FILE DATABASE_URL DATABASE_CA_FILE RESTORED_URL_FILE'.split(' ');
/** What the script of the component restore-test reads, and kubectl, which keeps a cache at home. */
const recovering = ['LIVE_URL', 'NAMESPACE', 'JOB_NAME', 'JOB_UID', 'HOME'];
/** What Ollama reads: github.com/ollama/ollama, envconfig/config.go. MODEL and HOME are for the shell that fetches the model. */
const ollama = [
  'HOME',
  'MODEL',
  'OLLAMA_CONTEXT_LENGTH',
  'OLLAMA_HOST',
  'OLLAMA_KEEP_ALIVE',
  'OLLAMA_MAX_LOADED_MODELS',
  'OLLAMA_MODELS',
  'OLLAMA_NUM_PARALLEL',
];

/** What web, aiwolf, contest and the llm-gateway take at most: their main.ts. */
const OTHER_POOL = 4;

const folder = temporaryFolder();
let ca = '';
beforeAll(async () => {
  const signs = await certificateAuthority();
  ({ ca } = signs);
  await signs.close();
});

/** Writes the files that a container finds in its mounts below a folder, as the cluster would. Returns their paths in the container. */
function writeMounts(name: (typeof overlays)[number], { spec }: Pods, { volumeMounts = [] }: IContainer, to: string): readonly string[] {
  const made = new Map<string, Readonly<Record<string, string>>>(
    secrets({ namespace: 'maw', isTls: name === 'production' }).map(({ metadata, stringData }) => [metadata.name, stringData]),
  );
  for (const each of ['postgres-ca', 'rabbitmq-ca']) made.set(each, { 'ca.crt': ca });
  const paths: string[] = [];
  for (const { name: volume, mountPath } of volumeMounts) {
    const { projected, configMap } = (spec.volumes ?? []).find((each) => each.name === volume) ?? {};
    const files: Record<string, string> = configMap ? { ...dataOf(rendered[name], configMap.name!) } : {};
    for (const { secret } of projected?.sources ?? [])
      for (const { key, path } of secret!.items!) files[path] = made.get(secret!.name!)![key]!;
    for (const [path, text] of Object.entries(files)) {
      paths.push(`${mountPath}/${path}`);
      mkdirSync(dirname(join(to, mountPath, path)), { recursive: true });
      writeFileSync(join(to, mountPath, path), text);
    }
  }
  return paths;
}

describe.each(overlays)('in the overlay %s', (name) => {
  const set = rendered[name];
  const pods = podsOf(set);
  const podOf = (service: string) => pods.find((each) => each.name === service)!;

  it('sets only variables that the program reads', () => {
    const unknown = pods.flatMap(({ name: pod, containers }) => {
      const schema = programs[pod as keyof typeof programs];
      const known = schema
        ? Object.keys(schema.shape).flatMap((each) => [each, `${each}_FILE`])
        : pod === 'ollama'
          ? ollama
          : [...cli, ...(pod === 'restore-test' ? recovering : [])];
      return containers.flatMap((each) =>
        Object.keys(variablesOf(set, each))
          .filter((variable) => !known.includes(variable))
          .map((variable) => `${pod}: ${variable}`),
      );
    });
    expect(unknown).toEqual([]);
    const others = ['migrate', 'ollama', 'restore-test', 'retention', 'tools'];
    expect(pods.map((each) => each.name).toSorted()).toEqual([...services, ...others].toSorted());
  });

  it('sets every variable of a service, or lists why not', () => {
    for (const service of services) {
      const names = Object.keys(programs[service as keyof typeof programs].shape);
      const told = Object.keys(variablesOf(set, podOf(service).spec.containers[0]!));
      const found = amiss(service, names, told, leftByCluster[name]);
      expect([service, found]).toEqual([service, { forgotten: [], both: [], unknown: [] }]);
    }
  });

  it.each(services)('%s accepts its environment and mounted files', (service) => {
    const pod = podOf(service);
    const [container] = pod.spec.containers;
    const to = join(folder, name, service);
    const paths = writeMounts(name, pod, container!, to);
    const told = variablesOf(set, container!);
    const env: Record<string, string> = {};
    for (const [key, value] of Object.entries(told)) env[key] = value.startsWith('/') ? join(to, value) : value;
    expect(configs[service]!(env)).toMatchObject({});
    // Every file that is named is mounted, and every file that is mounted is named.
    expect(
      Object.values(told)
        .filter((value) => value.startsWith('/'))
        .toSorted(),
    ).toEqual(paths.toSorted());
    // It could not without them.
    const wanted = service === 'llm-gateway' ? 'GATEWAY_CONFIG' : 'DATABASE_CA_FILE';
    expect(() => configs[service]!({ ...env, [wanted]: join(to, 'nowhere') })).toThrow(/nowhere|cannot be read/);
    // As its user, and under the name that it has at the broker: otherwise senders cannot be checked.
    expect(told).toMatchObject({ AMQP_DECLARE: 'no', AMQP_CHECK_SENDER: 'yes', HOST: '0.0.0.0' });
    expect(told['AMQP_CA_FILE']).toBe(name === 'production' ? '/run/trust/broker-ca.crt' : undefined);
  });

  it('container ports are the configured ports', () => {
    const listening = services.map((service) => {
      const { containers } = podOf(service).spec;
      return [service, Object.fromEntries(containers[0]!.ports!.map((port) => [port.name, String(port.containerPort)]))];
    });
    const told = services.map((service) => {
      const { PORT, DOOR_PORT, WEB_PORT, AIWOLF_SERVERS = '[]' } = variablesOf(set, podOf(service).spec.containers[0]!);
      const servers = JSON.parse(AIWOLF_SERVERS) as { division: string; port: number }[];
      const agents = Object.fromEntries(servers.map(({ division, port }) => [division, String(port)]));
      const door = { 'web': WEB_PORT, 'llm-gateway': DOOR_PORT }[service];
      return [service, { ops: PORT, ...(door === undefined ? {} : { door }), ...agents }];
    });
    expect(listening).toEqual(told);
  });

  it('model servers and gateway agree on slots', () => {
    const gateway = variablesOf(set, podOf('llm-gateway').spec.containers[0]!);
    const server = variablesOf(set, podOf('ollama').spec.containers[0]!);
    expect([server['MODEL'], server['OLLAMA_CONTEXT_LENGTH']]).toEqual([gateway['MODEL'], gateway['NUM_CTX']]);
    const context = variablesOf(set, podOf('player').spec.containers[0]!)['CONTEXT_TOKENS'] ?? '8192';
    expect(Number(context)).toBeLessThanOrEqual(Number(gateway['NUM_CTX']));
    const { servers } = JSON.parse(dataOf(set, 'model-servers')['servers.json']!) as { servers: { url: string; slots: number }[] };
    const most = name === 'small' ? 1 : (the(set, 'ScaledObject', 'ollama')['spec'] as { maxReplicaCount: number }).maxReplicaCount;
    const expected = Array.from({ length: most }, (_, i) => ({
      url: `http://ollama-${i}.ollama:11434`,
      slots: Number(server['OLLAMA_NUM_PARALLEL']),
    }));
    expect(servers).toEqual(expected);
  });
});

describe('autoscaling', () => {
  interface Scaled {
    readonly triggers: readonly { readonly name?: string; readonly metricType?: string; readonly metadata: Record<string, string> }[];
    readonly fallback: object;
  }
  const scaled = (name: string) => the(rendered.production, 'ScaledObject', name)['spec'] as Scaled;
  const of = (name: string) => scaled(name).triggers[0]!.metadata;
  const ofPlayer = variablesOf(rendered.production, podsOf(rendered.production).find(({ name }) => name === 'player')!.spec.containers[0]!);

  it('adds players before the existing ones are full', () => {
    expect(definitions({ vhost: 'maw' }).queues.map(({ name }) => name)).toContain(of('player')['queueName']);
    expect(Number(of('player')['value'])).toBe(0.8 * Number(ofPlayer['PLAYER_CONCURRENCY']));
    // Only this way those in hand are counted.
    expect(of('player')['protocol']).toBe('http');
    expect(of('player')['excludeUnacknowledged']).toBeUndefined();
  });

  it('the database has enough connections at maximum scale during an upgrade', () => {
    const most = (name: string): number => {
      const kind = ['gamemaster', 'player'].includes(name) ? 'ScaledObject' : 'HorizontalPodAutoscaler';
      const spec = the(rendered.production, kind, name)['spec'] as { maxReplicas?: number; maxReplicaCount?: number };
      return spec.maxReplicas ?? spec.maxReplicaCount!;
    };
    const pool = (name: string): number => Number(dataOf(rendered.production, name)['DATABASE_POOL'] ?? OTHER_POOL);
    const pinned = ['llm-gateway', 'contest'].map((name) => the(rendered.production, 'Deployment', name)['spec'] as { replicas: number });
    const others = pinned.reduce((sum, { replicas }) => sum + (replicas + 1) * OTHER_POOL, OTHER_POOL);
    const wanted = others + ['gamemaster', 'chatroom', 'player', 'web'].reduce((sum, name) => sum + (most(name) + 1) * pool(name), 20);
    const { postgresql } = the(rendered.production, 'Cluster', 'postgres')['spec'] as {
      postgresql: { parameters: Record<string, string> };
    };
    expect(wanted).toBeLessThanOrEqual(Number(postgresql.parameters['max_connections']));
  });

  it('adds model servers before the gateway refuses tables', () => {
    const { triggers } = scaled('ollama');
    const asked = Object.fromEntries(triggers.map(({ name, metadata }) => [name, metricsIn(metadata['query']!)]));
    expect(asked).toEqual({
      capacity: ['maw_pool_utilisation', 'maw_slots', 'maw_model_server_up'],
      crowd: ['maw_slots_busy', 'maw_completions_waiting'],
    });
    const slots = Number(dataOf(rendered.production, 'ollama')['OLLAMA_NUM_PARALLEL']);
    for (const { metricType, metadata } of triggers) {
      const { query = '', threshold } = metadata;
      expect([errorsIn(query), metricsIn(query).filter((name) => !registry.getSingleMetric(name))]).toEqual([[], []]);
      // Another Prometheus user’s pool is not ours.
      expect(query.split('namespace="maw"').length - 1).toBe(metricsIn(query).length);
      // Per server: what all want is divided by the threshold.
      expect(metricType).toBe('AverageValue');
      expect(Number(threshold)).toBeLessThan(TARGET_UTILISATION * slots);
      expect(Number(threshold)).toBeGreaterThan(slots / 2);
    }
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { boards } from '../../infra/grafana/boards.ts';
import { LOKI, PROMETHEUS, TEMPO } from '../../infra/grafana/data-sources.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { recordings } from '../../infra/prometheus/objectives.ts';
import { conditionOf } from '../../infra/prometheus/rule-file.ts';
import { root } from '../equipment/source/repository.ts';
import { declared, errorsIn, metricsIn } from '../observability/expressions.ts';
import { sectionOf } from './page-commands.ts';
import { type Resource, render } from './kustomize.ts';
import { allOf, dataOf, fits, overlay, podsOf, rendered, the } from './manifests.ts';
import { connectionsOf } from './network-policies.ts';

interface Endpoint {
  readonly port: string;
  readonly path?: string;
  readonly params?: Readonly<Record<string, readonly string[]>>;
  readonly scheme?: string;
  readonly tlsConfig?: { readonly serverName: string };
  readonly relabelings?: readonly { readonly targetLabel: string; readonly replacement: string }[];
}
interface Monitor {
  readonly metadata: Resource['metadata'];
  readonly spec: {
    readonly jobLabel?: string;
    readonly selector: Parameters<typeof fits>[0];
    readonly podMetricsEndpoints: readonly Endpoint[];
  };
}
interface Job {
  readonly job_name: string;
  readonly metrics_path?: string;
  readonly params?: Readonly<Record<string, readonly string[]>>;
}

/** Pods that operators make, with their labels, and the numbers of the ports that monitors name. */
const operated = [
  { name: 'rabbitmq', labels: { 'app.kubernetes.io/name': 'rabbitmq' } },
  { name: 'postgres', labels: { 'cnpg.io/cluster': 'postgres' } },
];
const NUMBERS: Readonly<Record<string, number>> = { 'ops': 9000, 'prometheus': 15692, 'prometheus-tls': 15691, 'metrics': 9187 };
/** What the Prometheus operator writes on every series of a pod. */
const WRITTEN = ['namespace', 'pod', 'container', 'endpoint', 'job', 'instance'];

const monitorsIn = (set: readonly Resource[]) => allOf(set, 'PodMonitor') as unknown as readonly Monitor[];
const partiesOf = (set: readonly Resource[]) => [...podsOf(set).map(({ name, labels }) => ({ name, labels })), ...operated];

/** Whom the monitors of a set look at: the pod, the job its series have, and where. */
const looks = (set: readonly Resource[]) =>
  monitorsIn(set).flatMap(({ metadata, spec }) =>
    partiesOf(set)
      .filter(({ labels }) => fits(spec.selector, labels as Readonly<Record<string, string>>))
      .flatMap(({ name, labels }) =>
        spec.podMetricsEndpoints.map((endpoint) => {
          const given = endpoint.relabelings?.find(({ targetLabel }) => targetLabel === 'job')?.replacement;
          const labelled = spec.jobLabel === undefined ? undefined : (labels as Readonly<Record<string, string>>)[spec.jobLabel];
          return { pod: name, job: given ?? labelled ?? `${metadata.namespace}/${metadata.name}`, endpoint };
        }),
      ),
  );

/** The small overlay with the component. */
function smallMeasured(): readonly Resource[] {
  const folder = mkdtempSync(join(tmpdir(), 'maw-k8s-'));
  try {
    const [small, monitoring] = [overlay('small'), join(root, 'infra/k8s/components/monitoring')].map((each) => relative(folder, each));
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify({ namespace: 'maw', resources: [small], components: [monitoring] }));
    return render(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each([
  ['production', rendered.production, true],
  ['small with the component monitoring', smallMeasured(), false],
] as const)('in %s', (_, set, isTls) => {
  const jobs = (parse(readFileSync(join(root, 'infra/prometheus/prometheus.yml'), 'utf8')) as { scrape_configs: readonly Job[] })
    .scrape_configs;

  it('Prometheus scrapes the same jobs as in Compose, and the database', () => {
    const [services, ...others] = jobs.map(({ job_name }) => job_name);
    expect([services, others]).toEqual(['maw', ['rabbitmq', 'rabbitmq-queues', 'prometheus']]);
    expect(
      looks(set)
        .map(({ pod, job }) => `${pod}: ${job}`)
        .toSorted(),
    ).toEqual([
      'aiwolf: aiwolf',
      'chatroom: chatroom',
      'contest: contest',
      'gamemaster: gamemaster',
      'llm-gateway: llm-gateway',
      'player: player',
      'postgres: postgres',
      'rabbitmq: rabbitmq',
      'rabbitmq: rabbitmq-queues',
      'web: web',
    ]);
  });

  it('queues are scraped one by one, as in Compose', () => {
    const there = jobs.find(({ job_name }) => job_name === 'rabbitmq-queues')!;
    const { endpoint } = looks(set).find(({ job }) => job === 'rabbitmq-queues')!;
    expect([endpoint.path, endpoint.params]).toEqual([there.metrics_path, there.params]);
    expect(endpoint.params?.['family']).toContain('queue_coarse_metrics');
    expect(looks(set).find(({ job }) => job === 'rabbitmq')!.endpoint.params).toBeUndefined();
  });

  it('the broker is scraped at the port and scheme it serves', () => {
    for (const { endpoint } of looks(set).filter(({ pod }) => pod === 'rabbitmq'))
      expect([endpoint.port, endpoint.scheme, endpoint.tlsConfig?.serverName]).toEqual(
        isTls ? ['prometheus-tls', 'https', 'rabbitmq.maw.svc'] : ['prometheus', undefined, undefined],
      );
  });

  it('network policies allow exactly the scrape targets', () => {
    const open = connectionsOf(set, operated).open.filter((arrow) => arrow.startsWith('namespace:monitoring -> '));
    const wanted = looks(set).map(({ pod, endpoint }) => `namespace:monitoring -> ${pod}:${NUMBERS[endpoint.port]}`);
    expect(wanted.filter((arrow) => !open.includes(arrow))).toEqual([]);
    const partyOf = (arrow: string) => arrow.slice(0, arrow.lastIndexOf(':'));
    expect(new Set(open.map(partyOf))).toEqual(new Set(wanted.map(partyOf)));
  });

  it('alerts are restricted to the namespace', () => {
    const { groups } = the(set, 'PrometheusRule', 'maw')['spec'] as {
      groups: { rules: { alert: string; record?: string; expr: string; labels: Record<string, string> }[] }[];
    };
    const all = groups.flatMap((group) => group.rules);
    // Who looks at a recorded series, or is told of an alert, tells namespaces apart.
    expect(all.filter(({ labels }) => labels['namespace'] !== 'maw')).toEqual([]);
    const rules = all.filter(({ alert }) => alert !== undefined);
    expect(all.length - rules.length).toBe(recordings.length);
    for (const { record, expr } of all.filter((rule) => rule.alert === undefined))
      expect([record, expr.split('namespace="maw"').length - 1]).toEqual([record, metricsIn(expr).length]);
    expect(rules.map(({ alert }) => alert)).toEqual(alerts.map(({ name }) => name));
    for (const [i, { alert, expr }] of rules.entries()) {
      expect([alert, errorsIn(expr)]).toEqual([alert, []]);
      expect([alert, expr.split('namespace="maw"').length - 1]).toEqual([alert, metricsIn(expr).length]);
      const plain = expr.replaceAll('namespace="maw", ', '').replaceAll('{namespace="maw"}', '');
      expect([alert, plain]).toEqual([alert, conditionOf(alerts[i]!)]);
    }
  });

  it('dashboards are ConfigMaps that Grafana finds and kubectl can apply', () => {
    const found = allOf(set, 'ConfigMap').filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1');
    expect(found.map(({ metadata }) => metadata.name)).toEqual(boards.map(({ uid }) => `board-${uid}`));
    for (const { uid } of boards) {
      const { metadata } = the(set, 'ConfigMap', `board-${uid}`);
      expect(metadata.annotations).toEqual({ grafana_folder: 'MAW' });
      expect(dataOf(set, `board-${uid}`)).toEqual({
        [`${uid}.json`]: readFileSync(join(root, `infra/grafana/boards/${uid}.json`), 'utf8'),
      });
      expect(JSON.stringify(the(set, 'ConfigMap', `board-${uid}`)).length).toBeLessThan(256 * 1024);
    }
  });
});

it('no metric uses a label that the operator overwrites', () => {
  const hidden = [...declared].flatMap(([name, labels]) =>
    labels.filter((label) => WRITTEN.includes(label)).map((label) => `${name}: ${label}`),
  );
  expect(hidden).toEqual([]);
});

describe('the documentation of monitoring', () => {
  const section = sectionOf('docs/operations-cluster.md', '## Monitoring');
  const set = rendered.production;

  it('configures the data sources and dashboards of Grafana', () => {
    const values = parse(/```yaml\n([\s\S]*?)```/.exec(section)![1]!) as Values;
    const { dashboards, datasources } = values.grafana.sidecar;
    expect([datasources.uid, ...values.grafana.additionalDataSources.map(({ uid }) => uid)]).toEqual([PROMETHEUS.uid, TEMPO.uid, LOKI.uid]);
    expect(datasources.exemplarTraceIdDestinations).toEqual({ datasourceUid: TEMPO.uid, traceIdLabelName: 'trace_id' });
    for (const { uid } of boards) {
      const { labels, annotations } = the(set, 'ConfigMap', `board-${uid}`).metadata;
      expect([labels?.[dashboards.label], dashboards.searchNamespace]).toEqual([dashboards.labelValue, 'ALL']);
      expect(annotations?.[dashboards.folderAnnotation]).toBe('MAW');
    }
    expect(values.prometheus.prometheusSpec).toMatchObject({ enableFeatures: ['exemplar-storage'] });
  });

  it('names every resource of the component, and the trace endpoint', () => {
    for (const { metadata } of monitorsIn(set)) expect(section).toContain(`\`${metadata.name}\``);
    expect(section).toContain(`\`${new URL(dataOf(set, 'every-service')['OTEL_EXPORTER_OTLP_ENDPOINT']!).host}\``);
    // Services record all; the collector keeps a tenth of the tables, and metrics link to these.
    const { OTEL_TRACES_SAMPLER_ARG: recorded, TRACED_TABLES: kept } = dataOf(set, 'every-service');
    expect([recorded, kept]).toEqual([undefined, '0.1']);
    expect(section).toContain('`TRACED_TABLES=0.1`');
    expect(new Set(looks(set).map(({ job }) => job)).size).toBe(10);
    expect(section).toContain('shows ten jobs');
  });
});

interface Values {
  readonly prometheus: { readonly prometheusSpec: unknown };
  readonly grafana: {
    readonly sidecar: {
      readonly dashboards: {
        readonly label: string;
        readonly labelValue: string;
        readonly folderAnnotation: string;
        readonly searchNamespace: string;
      };
      readonly datasources: { readonly uid: string; readonly exemplarTraceIdDestinations: unknown };
    };
    readonly additionalDataSources: readonly { readonly uid: string }[];
  };
}

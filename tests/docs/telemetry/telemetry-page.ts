import { attributeDescriptions, spanDescriptions } from './span-descriptions.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';

/** The page of all spans, attributes and metrics, in Markdown. Deterministic. */
export const telemetryPage = (): string => `# Telemetry

Generated from \`libs/telemetry\`; do not edit. Traces are exported over OTLP when \`OTEL_EXPORTER_OTLP_ENDPOINT\` is set, metrics are scraped
at \`/metrics\`, logs are JSON lines on standard output with \`trace_id\` and \`span_id\`. One decision is one trace, from the question to the
act. None of them contains a card, a role, a prompt or speech; a table or a seat is never the label of a metric. What not everybody at a
table may know of leaves no trace, as in [security](security.md#what-telemetry-tells): by night there are public phases only.

## Spans

${table(['Span', 'Service', 'Description'], spanRows())}

## Attributes of spans

${table(['Attribute', 'Unit or type', 'Description'], attributeRows())}

## Metrics

In addition, every service has the metrics of its process (\`process_*\` and \`nodejs_*\`).

${table(['Metric', 'Kind', 'Unit', 'Labels', 'Description'], metricRows())}

## Seen in real programs

\`./maw test --real\` plays two games and looks at what these programs show of them; \`tests/real/get.sh\` builds or fetches them. Grafana, Tempo and Loki
are not among them: \`infra/docker/verify-observability.mjs\` asks those of Compose.

${table(['Program', 'Version', 'Seen'], seenRows)}
`;

const seenRows = [
  [
    'OpenTelemetry Collector',
    '0.161.0',
    '`traces.yaml` as it is shipped: of a table that is kept all spans of all traces, of another only what failed or was slow, of each policy both sides; a late span stays with its trace',
  ],
  [
    'the same, with `file_log`',
    '0.160.0, as the Go proxy has no module `pkg/stanza` 0.161.0',
    '`logs.yaml` as it is shipped: lines of our containers with service, trace, span and fields, and no others',
  ],
  [
    'Jaeger',
    '1.76.0',
    'one decision through five services, from the question to the act; `ask seat` linked to what it follows from; the service graph with every arrow between services',
  ],
  [
    'Prometheus',
    '2.42.0 (Debian 12)',
    'exemplars, whose traces are in Jaeger; every expression of every panel answered, every rule loaded',
  ],
  ['Alertmanager', '0.25.0 (Debian 12)', 'an alert at a webhook, by the routes of `alertmanager.yml`, with the link to its runbook'],
  ['RabbitMQ', '3.10.8 (Debian 12), with `rabbitmq_prometheus`', 'data for every expression about the broker'],
] as const;

/** The unit is part of the name, by the conventions of Prometheus. */
export function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 'seconds';
  if (/_bytes(_total)?$/.test(name)) return 'bytes';
  if (name.includes('token')) return 'tokens';
  if (name.endsWith('_open')) return '0 to 1';
  if (name.endsWith('_utilisation')) return 'share';
  return name.endsWith('_up') ? '0 or 1' : 'count';
}

const spanRows = () =>
  (Object.keys(span) as (keyof typeof span)[]).map((key) => {
    const [shown, service, description] = spanDescriptions[key];
    return [`\`${shown}\``, service, description];
  });

const attributeRows = () =>
  (Object.keys(attribute) as (keyof typeof attribute)[]).map((key) => [`\`${attribute[key]}\``, ...attributeDescriptions[key]]);

/** Fields that prom-client has and does not declare. */
interface Declared {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

const metricRows = () =>
  Object.values(metrics).map((metric) => {
    const { name, help, labelNames } = metric as unknown as Declared;
    const labels = labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``);
    return [`\`${name}\``, metric.constructor.name.toLowerCase(), unitOf(name), labels.join(', '), help];
  });

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

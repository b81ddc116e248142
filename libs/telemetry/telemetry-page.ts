import { attributeMeanings, spanMeanings } from './descriptions.ts';
import { metrics } from './metrics.ts';
import { attribute, span } from './names.ts';

/** The page of every span, attribute and metric, in Markdown. The same text for the same declarations. */
export const telemetryPage = (): string => `# Telemetry

Written from \`libs/telemetry\`; do not edit. Traces leave over OTLP when \`OTEL_EXPORTER_OTLP_ENDPOINT\` is set, metrics are read at
\`/metrics\`, logs are JSON lines on the output with \`trace_id\` and \`span_id\`. One decision is one trace, from the question to the act.
A card, a role, a prompt or a speech is nowhere in them; a table or a seat is never the label of a metric.

## Spans

${table(['Span', 'Made by', 'What it covers'], spanRows())}

## Attributes of spans

${table(['Attribute', 'Holds', 'Meaning'], attributeRows())}

## Metrics

Beside these, every service has the measures of its process (\`process_*\` and \`nodejs_*\`).

${table(['Metric', 'Kind', 'Unit', 'Labels', 'Meaning'], metricRows())}
`;

/** The unit is in the name, as Prometheus asks for. */
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
    const [shown, service, meaning] = spanMeanings[key];
    return [`\`${shown}\``, service, meaning];
  });

const attributeRows = () =>
  (Object.keys(attribute) as (keyof typeof attribute)[]).map((key) => [`\`${attribute[key]}\``, ...attributeMeanings[key]]);

/** What prom-client keeps of every metric and does not put into its types. */
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

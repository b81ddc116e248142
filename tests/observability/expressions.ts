import { parser } from '@prometheus-io/lezer-promql';
import { dashboardOf } from '../../infra/grafana/board.ts';
import { boards } from '../../infra/grafana/boards.ts';
import { externalMetrics } from '../../infra/prometheus/external-metrics.ts';
import { PROMETHEUS } from '../../infra/grafana/data-sources.ts';
import { metrics } from '@maw/telemetry/metrics.ts';

/** One expression of a panel. */
export interface Expression {
  readonly board: string;
  readonly panel: string;
  readonly expr: string;
}

interface Target {
  readonly expr?: string;
  readonly datasource?: { readonly type?: string };
}

/** Every expression of every panel that Prometheus is asked for. */
export const expressions: readonly Expression[] = boards.flatMap((board) =>
  (dashboardOf(board).panels ?? []).flatMap((panel) =>
    'targets' in panel
      ? (panel.targets ?? []).flatMap((target) => {
          const { expr, datasource } = target as Target;
          return datasource?.type === PROMETHEUS.type ? [{ board: board.title, panel: panel.title ?? '', expr: expr ?? '' }] : [];
        })
      : [],
  ),
);

/** As Grafana sends it: with a value for each variable. */
export const filled = (expr: string, window = '1m'): string =>
  expr.replaceAll('$__rate_interval', window).replaceAll('$__range', window).replaceAll('$model', '.*');

/** Where an expression is not PromQL: the offsets of what cannot be read. */
export function errorsIn(expr: string): readonly number[] {
  const found: number[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, from }) => {
      if (type.isError) found.push(from);
    },
  });
  return found;
}

/** The names of all metrics in an expression. */
export function metricsIn(expr: string): readonly string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') found.push(expr.slice(from, to));
    },
  });
  return found;
}

/** The labels that an expression selects or groups by. */
export function labelsIn(expr: string): readonly string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, from, to }) => {
      if (name === 'LabelName') found.push(expr.slice(from, to));
    },
  });
  return found;
}

interface Declared {
  readonly name: string;
  readonly labelNames: readonly string[];
}

/** The labels of everything that may be asked for, by the name it has in an expression. */
export const declared: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.values(metrics).flatMap((metric) => {
    const { name, labelNames } = metric as unknown as Declared;
    const isHistogram = metric.constructor.name === 'Histogram';
    return (isHistogram ? ['_bucket', '_count', '_sum'] : ['']).map(
      (ending) => [`${name}${ending}`, [...labelNames, ...(isHistogram ? ['le'] : [])]] as const,
    );
  }),
  ...Object.values(externalMetrics).map(({ name, labels }) => [name, labels] as const),
]);

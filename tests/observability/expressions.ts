import { parser as logql } from '@grafana/lezer-logql';
import { parser as traceql } from '@grafana/lezer-traceql';
import { parser as promql } from '@prometheus-io/lezer-promql';
import { dashboardOf } from '../../infra/grafana/board.ts';
import { boards } from '../../infra/grafana/boards.ts';
import { burnOf, WINDOWS } from '../../infra/prometheus/objectives.ts';
import { externalMetrics } from '../../infra/prometheus/external-metrics.ts';
import { LOKI, PROMETHEUS, TEMPO } from '../../infra/grafana/data-sources.ts';
import { metrics } from '@maw/telemetry/metrics.ts';

/** One expression of a panel. */
export interface Expression {
  readonly board: string;
  readonly panel: string;
  readonly expr: string;
}

interface Target {
  readonly expr?: string;
  readonly query?: string;
  readonly datasource?: { readonly type?: string };
}

/** Every query of every panel that a data source of this type is asked. */
const queriesOf = (type: string): readonly Expression[] =>
  boards.flatMap((board) =>
    (dashboardOf(board).panels ?? []).flatMap((panel) =>
      'targets' in panel
        ? (panel.targets ?? []).flatMap((target) => {
            const { expr, query, datasource } = target as Target;
            return datasource?.type === type ? [{ board: board.title, panel: panel.title ?? '', expr: expr ?? query ?? '' }] : [];
          })
        : [],
    ),
  );

/** What Prometheus, Tempo and Loki are asked. */
export const expressions = queriesOf(PROMETHEUS.type);
export const traceQueries = queriesOf(TEMPO.type);
export const logQueries = queriesOf(LOKI.type);

/** As Grafana sends it: with a value for each variable. */
export const filled = (expr: string, window = '1m'): string =>
  expr.replaceAll('$__rate_interval', window).replaceAll('$__range', window).replaceAll('$model', '.*').replaceAll('$namespace', '.*');

/** Where a query is not one: the offsets of what the parser of Grafana cannot read. */
const errorsBy = (parser: typeof promql, query: string): readonly number[] => {
  const found: number[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from }) => {
      if (type.isError) found.push(from);
    },
  });
  return found;
};
export const errorsIn = (expr: string): readonly number[] => errorsBy(promql, expr);
export const traceErrorsIn = (query: string): readonly number[] => errorsBy(traceql, query);
export const logErrorsIn = (query: string): readonly number[] => errorsBy(logql, query);

/** The names of all metrics in an expression. */
export function metricsIn(expr: string): readonly string[] {
  const found: string[] = [];
  promql.parse(expr).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') found.push(expr.slice(from, to));
    },
  });
  return found;
}

/** The labels that an expression selects or groups by. */
export function labelsIn(expr: string): readonly string[] {
  const found: string[] = [];
  promql.parse(expr).iterate({
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
  ...WINDOWS.map((window) => [burnOf(window), ['slo']] as const),
  ...Object.values(externalMetrics).map(({ name, labels }) => [name, labels] as const),
]);

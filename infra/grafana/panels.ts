import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as logs from '@grafana/grafana-foundation-sdk/logs';
import * as loki from '@grafana/grafana-foundation-sdk/loki';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as statPanel from '@grafana/grafana-foundation-sdk/stat';
import * as tablePanel from '@grafana/grafana-foundation-sdk/table';
import * as tempo from '@grafana/grafana-foundation-sdk/tempo';
import * as textPanel from '@grafana/grafana-foundation-sdk/text';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { attribute } from '@maw/telemetry/span-names.ts';
import { alerts } from '../prometheus/alerts.ts';
import { withMatcher } from '../prometheus/in-namespace.ts';
import { chosen, LOKI, PROMETHEUS, TEMPO } from './data-sources.ts';

interface About {
  readonly title: string;
  /** The description. */
  readonly says: string;
  /** Width, of 24 columns. */
  readonly span?: number;
}

/** An expression and the legend of its series; `{{label}}` is replaced. */
export interface Series {
  readonly expr: string;
  readonly legend: string;
}

export type Unit = 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'cps' | 'none';

export interface TimeSeries extends About {
  readonly unit: Unit;
  readonly of: readonly Series[];
  /** Whether to show exemplars. */
  readonly hasTraces?: boolean;
  readonly isStacked?: boolean;
  /** Thresholds: warning, then critical. An alert: the second one is its bound, and the first one half of it. */
  readonly bad?: readonly [number, number] | AlertName;
  /** The link of the data points. */
  readonly leadsTo?: { readonly title: string; readonly url: string };
}

export type Panel = Builder<dashboard.Panel>;

type AlertName = (typeof alerts)[number]['name'];

function boundsOf(bad: NonNullable<TimeSeries['bad']>): readonly [number, number] {
  if (typeof bad !== 'string') return bad;
  const alert = alerts.find(({ name }) => name === bad);
  const [, bound] = /^> ([\d.]+)$/.exec(alert?.beyond ?? '') ?? [];
  if (bound === undefined) throw new Error(`the alert ${bad} has no bound that a panel could show: write > and a number`);
  return [Number(bound) / 2, Number(bound)];
}

const HEIGHT = 8;

/** The URL of a board within Grafana, with the time range shown now. `variables`: a query string. */
export const boardUrl = (uid: string, variables = ''): string => `/d/${uid}?\${__url_time_range}${variables && `&${variables}`}`;

/** Numbers over time. */
export function timeSeries({ title, says, span = 12, unit, of, bad, hasTraces = false, isStacked = false, leadsTo }: TimeSeries): Panel {
  const panel = new timeseries.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(PROMETHEUS))
    .height(HEIGHT)
    .span(span)
    .unit(unit)
    .min(0)
    .lineWidth(1)
    .fillOpacity(isStacked ? 30 : 8)
    .showPoints(common.VisibilityMode.Never)
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(common.LegendDisplayMode.Table)
        .placement(common.LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['lastNotNull', 'max']),
    )
    .tooltip(new common.VizTooltipOptionsBuilder().mode(common.TooltipDisplayMode.Multi).sort(common.SortOrder.Descending));
  if (bad) {
    panel.thresholds(thresholdsOf(bad));
    panel.thresholdsStyle(new common.GraphThresholdsStyleConfigBuilder().mode(common.GraphThresholdsStyleMode.Dashed));
  }
  if (isStacked) panel.stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal));
  if (leadsTo) panel.dataLinks([linkTo(leadsTo)]);
  return panel.targets(of.map((shown, i) => query(shown, i).range().exemplar(hasTraces)));
}

/** One number each, as it is now. */
export function stat({ title, says, span = 4, unit, of, bad, leadsTo }: TimeSeries): Panel {
  const panel = new statPanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(PROMETHEUS))
    .height(4)
    .span(span)
    .unit(unit)
    .noValue('none')
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(common.BigValueGraphMode.Area)
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']));
  panel.thresholds(thresholdsOf(bad));
  if (leadsTo) panel.dataLinks([linkTo(leadsTo)]);
  return panel.targets(of.map((shown, i) => query(shown, i).range().exemplar(false)));
}

function thresholdsOf(bad: TimeSeries['bad']) {
  const [first, second] = bad === undefined ? [] : boundsOf(bad);
  const steps = [
    { color: 'green', value: null },
    ...(first === undefined ? [] : [step('yellow', first)]),
    ...(second === undefined ? [] : [step('red', second)]),
  ];
  return new dashboard.ThresholdsConfigBuilder().mode(dashboard.ThresholdsMode.Absolute).steps(steps);
}

const step = (color: string, value: number) => ({ color, value });

/** Every series as it is now, a row each, with its labels as columns. */
export const seriesTable = ({ title, says, span = 12, expr }: About & { readonly expr: string }): Panel =>
  new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(PROMETHEUS))
    .height(HEIGHT)
    .span(span)
    .noValue('none')
    .targets([query({ expr, legend: '' }, 0).instant().format(prometheus.PromQueryFormat.Table).exemplar(false)])
    .withTransformation({ id: 'organize', options: { excludeByName: { Time: true, Value: true, __name__: true } } });

/** What a LogQL query counts or takes from lines now, a row each, with its labels as columns. `unit`: of the value. */
export const logTable = ({ title, says, span = 12, expr, value, unit }: About & LogTable): Panel =>
  new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(LOKI))
    .height(HEIGHT)
    .span(span)
    .noValue('none')
    .overrideByName(value, [{ id: 'unit', value: unit }])
    .overrideByName('table', [{ id: 'links', value: [TO_ONE_TABLE] }])
    .targets([new loki.DataqueryBuilder().refId('A').datasource(chosen(LOKI)).expr(expr).queryType('instant')])
    .withTransformation({ id: 'labelsToFields', options: { mode: 'columns' } })
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({ id: 'organize', options: { excludeByName: { Time: true }, renameByName: { 'Value #A': value } } });

interface LogTable {
  readonly expr: string;
  /** The name of the column with the value. */
  readonly value: string;
  readonly unit: string;
}

/** How often a pair of attributes occurs among spans: one from top to bottom, the other from left to right. */
export const spanMatrix = ({ title, says, span = 12, query: traceql, down, across }: About & SpanMatrix): Panel =>
  new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(TEMPO))
    .height(HEIGHT)
    .span(span)
    .noValue('-')
    .targets([traceQuery(`${traceql} | select(span.${down}, span.${across})`, 1_000)])
    .withTransformation({
      id: 'groupBy',
      options: {
        fields: {
          [down]: { operation: 'groupby', aggregations: [] },
          [across]: { operation: 'groupby', aggregations: [] },
          Duration: { operation: 'aggregate', aggregations: ['count'] },
        },
      },
    })
    .withTransformation({
      id: 'groupingToMatrix',
      options: { rowField: down, columnField: across, valueField: 'Duration (count)', emptyValue: 'null' },
    });

interface SpanMatrix {
  readonly query: string;
  readonly down: string;
  readonly across: string;
}

/** A table of numbers: what is in `down` from top to bottom, what is in `across` from left to right. */
export function matrix({ title, says, span = 12, unit, expr, down, across }: About & Matrix): Panel {
  return new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(PROMETHEUS))
    .height(HEIGHT)
    .span(span)
    .unit(unit)
    .decimals(2)
    .noValue('-')
    .targets([query({ expr, legend: '' }, 0).instant().format(prometheus.PromQueryFormat.Table).exemplar(false)])
    .withTransformation({
      id: 'groupingToMatrix',
      options: { columnField: across, rowField: down, valueField: 'Value', emptyValue: 'null' },
    });
}

interface Matrix {
  readonly unit: Unit;
  readonly expr: string;
  readonly down: string;
  readonly across: string;
}

/** Lines of logs, the newest first. */
export const logPanel = ({ title, says, span = 24, expr }: About & { readonly expr: string }): Panel =>
  new logs.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(LOKI))
    .height(12)
    .span(span)
    .showTime(true)
    .wrapLogMessage(true)
    .prettifyLogMessage(false)
    .enableLogDetails(true)
    .sortOrder(common.LogsSortOrder.Descending)
    .targets([new loki.DataqueryBuilder().refId('A').datasource(chosen(LOKI)).expr(expr).queryType('range').maxLines(500)]);

const TO_ONE_TABLE = { title: 'One table', url: boardUrl('maw-table', 'var-table=${__value.raw}') };

/** The spans a TraceQL query finds, linked to their traces and, if selected, to the dashboard of their table. */
export const spanTable = ({ title, says, span = 12, query: traceql }: About & { readonly query: string }): Panel =>
  new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(chosen(TEMPO))
    .height(10)
    .span(span)
    // A unit for one column only: seats are numbers too.
    .overrideByName('Duration', [{ id: 'unit', value: 'ns' }])
    .overrideByRegexp(`/(^|[.])${attribute.table.replaceAll('.', '[.]')}$/`, [{ id: 'links', value: [TO_ONE_TABLE] }])
    .targets([traceQuery(traceql, 100)]);

/** The newest spans that a TraceQL query finds; Tempo would return any of them otherwise. */
const traceQuery = (traceql: string, limit: number): tempo.DataqueryBuilder =>
  new tempo.DataqueryBuilder()
    .refId('A')
    .datasource(chosen(TEMPO))
    .queryType('traceql')
    .query(`${traceql} with (most_recent=true)`)
    .tableType(tempo.SearchTableType.Spans)
    .limit(limit)
    .spss(20);

/** Markdown. */
export const markdown = ({ title, says, span = 24, text, height = 5, id }: About & Markdown): Panel => {
  const panel = new textPanel.PanelBuilder().title(title).description(says).height(height).span(span);
  return (id === undefined ? panel : panel.id(id)).mode(textPanel.TextMode.Markdown).content(text);
};

interface Markdown {
  readonly text: string;
  readonly height?: number;
  /** The id of the panel in links; default: its position on the dashboard. */
  readonly id?: number;
}

const query = ({ expr, legend }: Series, i: number): prometheus.DataqueryBuilder =>
  new prometheus.DataqueryBuilder()
    .refId(String.fromCodePoint(65 + i))
    .datasource(chosen(PROMETHEUS))
    .editorMode(prometheus.QueryEditorMode.Code)
    .expr(inChosenNamespace(expr))
    .legendFormat(legend);

/** Restricted to the namespace that is chosen on the board. Where there is none, as in Compose, all of them is chosen, which fits a label that is not there. */
function inChosenNamespace(expr: string): string {
  const window = '7777s'; // The parser knows no variable of Grafana.
  return withMatcher(expr.replaceAll('$__rate_interval', window), 'namespace=~"$namespace"').replaceAll(window, '$__rate_interval');
}

const linkTo = ({ title, url }: { readonly title: string; readonly url: string }): dashboard.DashboardLinkBuilder =>
  new dashboard.DashboardLinkBuilder(title).type(dashboard.DashboardLinkType.Link).url(url);

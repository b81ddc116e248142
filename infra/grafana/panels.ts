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
import { LOKI, PROMETHEUS, TEMPO } from './data-sources.ts';

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
  /** Thresholds: warning, then critical. */
  readonly bad?: readonly [number, number];
  /** The link of the data points. */
  readonly leadsTo?: { readonly title: string; readonly url: string };
}

export type Panel = Builder<dashboard.Panel>;

const HEIGHT = 8;

/** The URL of a board within Grafana, with the time range shown now. `variables`: a query string. */
export const boardUrl = (uid: string, variables = ''): string => `/d/${uid}?\${__url_time_range}${variables && `&${variables}`}`;

/** Numbers over time. */
export function timeSeries({ title, says, span = 12, unit, of, hasTraces = false, isStacked = false, leadsTo }: TimeSeries): Panel {
  const panel = new timeseries.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(PROMETHEUS)
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
  if (isStacked) panel.stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal));
  if (leadsTo) panel.dataLinks([linkTo(leadsTo)]);
  return panel.targets(of.map((shown, i) => query(shown, i).range().exemplar(hasTraces)));
}

/** One number each, as it is now. */
export function stat({ title, says, span = 4, unit, of, bad, leadsTo }: TimeSeries): Panel {
  const panel = new statPanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(PROMETHEUS)
    .height(4)
    .span(span)
    .unit(unit)
    .noValue('none')
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(common.BigValueGraphMode.Area)
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']));
  const steps = [{ color: 'green', value: null }, ...(bad ? [step('yellow', bad[0]), step('red', bad[1])] : [])];
  panel.thresholds(new dashboard.ThresholdsConfigBuilder().mode(dashboard.ThresholdsMode.Absolute).steps(steps));
  if (leadsTo) panel.dataLinks([linkTo(leadsTo)]);
  return panel.targets(of.map((shown, i) => query(shown, i).range().exemplar(false)));
}

const step = (color: string, value: number) => ({ color, value });

/** A table of numbers: what is in `down` from top to bottom, what is in `across` from left to right. */
export function matrix({ title, says, span = 12, unit, expr, down, across }: About & Matrix): Panel {
  return new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(PROMETHEUS)
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
    .datasource(LOKI)
    .height(12)
    .span(span)
    .showTime(true)
    .wrapLogMessage(true)
    .prettifyLogMessage(false)
    .enableLogDetails(true)
    .sortOrder(common.LogsSortOrder.Descending)
    .targets([new loki.DataqueryBuilder().refId('A').datasource(LOKI).expr(expr).queryType('range').maxLines(500)]);

const TO_ONE_TABLE = { title: 'One table', url: boardUrl('maw-table', 'var-table=${__value.raw}') };

/** The spans a TraceQL query finds, linked to their traces and, if selected, to the dashboard of their table. */
export const spanTable = ({ title, says, span = 12, query: traceql }: About & { readonly query: string }): Panel =>
  new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(TEMPO)
    .height(10)
    .span(span)
    // A unit for one column only: seats are numbers too.
    .overrideByName('Duration', [{ id: 'unit', value: 'ns' }])
    .overrideByRegexp(`/(^|[.])${attribute.table.replaceAll('.', '[.]')}$/`, [{ id: 'links', value: [TO_ONE_TABLE] }])
    .targets([
      new tempo.DataqueryBuilder()
        .refId('A')
        .datasource(TEMPO)
        .queryType('traceql')
        .query(`${traceql} with (most_recent=true)`) // without it Tempo returns any spans up to the limit, not the newest
        .tableType(tempo.SearchTableType.Spans)
        .limit(100)
        .spss(20),
    ]);

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
    .datasource(PROMETHEUS)
    .editorMode(prometheus.QueryEditorMode.Code)
    .expr(expr)
    .legendFormat(legend);

const linkTo = ({ title, url }: { readonly title: string; readonly url: string }): dashboard.DashboardLinkBuilder =>
  new dashboard.DashboardLinkBuilder(title).type(dashboard.DashboardLinkType.Link).url(url);

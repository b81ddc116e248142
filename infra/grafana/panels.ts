import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as logs from '@grafana/grafana-foundation-sdk/logs';
import * as loki from '@grafana/grafana-foundation-sdk/loki';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as tablePanel from '@grafana/grafana-foundation-sdk/table';
import * as tempo from '@grafana/grafana-foundation-sdk/tempo';
import * as textPanel from '@grafana/grafana-foundation-sdk/text';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { attribute } from '@maw/telemetry/names.ts';
import { LOKI, PROMETHEUS, TEMPO } from './sources.ts';

/** What every panel says of itself. */
interface About {
  readonly title: string;
  /** What is seen, and what it means when it is high or missing. */
  readonly says: string;
  /** Of 24 columns. */
  readonly span?: number;
}

/** One expression, and how its series are called: `{{label}}` stands for a label. */
export interface Shown {
  readonly expr: string;
  readonly legend: string;
}

export type Unit = 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'cps' | 'none';

export interface Numbers extends About {
  readonly unit: Unit;
  readonly of: readonly Shown[];
  /** Whether the points of a histogram lead to traces. */
  readonly hasTraces?: boolean;
  readonly isStacked?: boolean;
  /** From these values on it is not well: first to look at, then to act on. */
  readonly bad?: readonly [number, number];
  /** Where a click leads. */
  readonly leadsTo?: { readonly title: string; readonly url: string };
}

export type Panel = Builder<dashboard.Panel>;

const HEIGHT = 8;

/** The URL of a board within Grafana, with the time range shown now. `variables`: a query string. */
export const boardUrl = (uid: string, variables = ''): string => `/d/${uid}?\${__url_time_range}${variables && `&${variables}`}`;

/** Numbers over time. */
export function lines({ title, says, span = 12, unit, of, hasTraces = false, isStacked = false, leadsTo }: Numbers): Panel {
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
export function number({ title, says, span = 4, unit, of, bad, leadsTo }: Numbers): Panel {
  const panel = new stat.PanelBuilder()
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
export const logLines = ({ title, says, span = 24, expr }: About & { readonly expr: string }): Panel =>
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

/** From the id of a table to what happened to it. */
const TO_ONE_TABLE = { title: 'One table', url: boardUrl('maw-table', 'var-table=${__value.raw}') };

/** Spans that a TraceQL query finds, each leading to its trace, and to its table where that is selected. */
export const spansFound = ({ title, says, span = 12, query: traceql }: About & { readonly query: string }): Panel =>
  new tablePanel.PanelBuilder()
    .title(title)
    .description(says)
    .datasource(TEMPO)
    .height(10)
    .span(span)
    // The columns have no unit in common: a seat is a number too, and no time.
    .overrideByName('Duration', [{ id: 'unit', value: 'ns' }])
    .overrideByRegexp(`/(^|[.])${attribute.table.replaceAll('.', '[.]')}$/`, [{ id: 'links', value: [TO_ONE_TABLE] }])
    .targets([
      new tempo.DataqueryBuilder()
        .refId('A')
        .datasource(TEMPO)
        .queryType('traceql')
        .query(`${traceql} with (most_recent=true)`) // Tempo stops at as many as are asked for, whichever it finds first
        .tableType(tempo.SearchTableType.Spans)
        .limit(100)
        .spss(20),
    ]);

/** Words, in Markdown. */
export const words = ({ title, says, span = 24, text, height = 5, id }: About & Words): Panel => {
  const panel = new textPanel.PanelBuilder().title(title).description(says).height(height).span(span);
  return (id === undefined ? panel : panel.id(id)).mode(textPanel.TextMode.Markdown).content(text);
};

interface Words {
  readonly text: string;
  readonly height?: number;
  /** By which an address names the panel; a number in the order of the board when there is none. */
  readonly id?: number;
}

const query = ({ expr, legend }: Shown, i: number): prometheus.DataqueryBuilder =>
  new prometheus.DataqueryBuilder()
    .refId(String.fromCodePoint(65 + i))
    .datasource(PROMETHEUS)
    .editorMode(prometheus.QueryEditorMode.Code)
    .expr(expr)
    .legendFormat(legend);

const linkTo = ({ title, url }: { readonly title: string; readonly url: string }): dashboard.DashboardLinkBuilder =>
  new dashboard.DashboardLinkBuilder(title).type(dashboard.DashboardLinkType.Link).url(url);

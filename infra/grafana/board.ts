import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { metrics } from '@maw/telemetry/metrics.ts';
import { nameOf } from '../prometheus/promql.ts';
import { chosen, LOKI, PROMETHEUS, TEMPO } from './data-sources.ts';
import type { Panel } from './panels.ts';

/** A dashboard. */
export interface Board {
  /** Its id in URLs, and the name of its file. */
  readonly uid: string;
  readonly title: string;
  readonly says: string;
  readonly variables?: readonly Builder<dashboard.VariableModel>[];
  /** Whether it asks no data source. */
  readonly isText?: boolean;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

/** The data sources, and the namespace of a cluster whose Prometheus sees several systems. */
const shared: readonly Builder<dashboard.VariableModel>[] = [
  ...[PROMETHEUS, TEMPO, LOKI].map(({ type, uid }) =>
    new dashboard.DatasourceVariableBuilder(type).label(type).type(type).current({ selected: true, text: uid, value: uid }),
  ),
  new dashboard.QueryVariableBuilder('namespace')
    .label('Namespace')
    .description('Of a cluster; everywhere else there is one system only')
    .datasource(chosen(PROMETHEUS))
    .query(`label_values(${nameOf(metrics.busUp)}, namespace)`)
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
    .includeAll(true)
    .allValue('.*')
    .current({ selected: true, text: 'All', value: '$__all' }),
];

/** Dashboards with this tag link to each other. */
const TAG = 'maw';

/** The JSON model of a dashboard. */
export function dashboardOf({ uid, title, says, variables = [], isText = false, rows }: Board): dashboard.Dashboard {
  const board = new dashboard.DashboardBuilder(title)
    .uid(uid)
    .description(says)
    .tags([TAG])
    .readonly()
    .timezone('browser')
    .refresh('10s')
    .time({ from: 'now-30m', to: 'now' })
    .tooltip(dashboard.DashboardCursorSync.Crosshair)
    .link(
      new dashboard.DashboardLinkBuilder('Boards')
        .type(dashboard.DashboardLinkType.Dashboards)
        .tags([TAG])
        .asDropdown(false)
        .keepTime(true)
        .includeVars(false),
    );
  for (const variable of isText ? [] : shared) board.withVariable(variable);
  for (const variable of variables) board.withVariable(variable);
  for (const row of rows) {
    board.withRow(new dashboard.RowBuilder(row.title));
    for (const panel of row.panels) board.withPanel(panel);
  }
  return withPanelIds(board.build());
}

/** Gives panels without an id (rows have 0) their position as id, and shows links directly instead of in a menu, the builder's default. */
const withPanelIds = (board: dashboard.Dashboard): dashboard.Dashboard => ({
  ...board,
  links: (board.links ?? []).map(({ placement: _, ...link }) => link),
  panels: (board.panels ?? []).map((panel, i) => ({ ...panel, id: panel.id || i + 1 })),
});

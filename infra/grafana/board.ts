import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import type { Panel } from './panels.ts';

/** What a board is, before Grafana has it. */
export interface Board {
  /** Its name in addresses and of its file. */
  readonly uid: string;
  readonly title: string;
  readonly says: string;
  readonly variables?: readonly Builder<dashboard.VariableModel>[];
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

/** All boards have it, so that each is linked to the others. */
const TAG = 'maw';

/** A board as Grafana reads it. */
export function built({ uid, title, says, variables = [], rows }: Board): dashboard.Dashboard {
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
  for (const variable of variables) board.withVariable(variable);
  for (const row of rows) {
    board.withRow(new dashboard.RowBuilder(row.title));
    for (const panel of row.panels) board.withPanel(panel);
  }
  return finished(board.build());
}

/** Numbers for the panels that have none, by which Grafana names one (the builder gives rows a nought); and links that are seen at once and not behind a menu, which the builder has for the usual. */
const finished = (board: dashboard.Dashboard): dashboard.Dashboard => ({
  ...board,
  links: (board.links ?? []).map(({ placement: _, ...link }) => link),
  panels: (board.panels ?? []).map((panel, i) => ({ ...panel, id: panel.id || i + 1 })),
});

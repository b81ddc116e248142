import { alerts } from '../prometheus/alerts.ts';
import { panelIdOf, runbookText, RUNBOOKS } from '../prometheus/rule-file.ts';
import type { Board } from './board.ts';
import { markdown } from './panels.ts';

export const runbooks: Board = {
  uid: RUNBOOKS,
  title: 'MAW: Alerts',
  says: 'What each alert means and what to do, as in docs/alerts.md. The link dashboard_url of an alert leads here.',
  isText: true,
  rows: [
    {
      title: 'Alerts',
      panels: alerts.map((alert) =>
        markdown({
          title: alert.name,
          says: 'Meaning, steps, and the expression.',
          span: 12,
          height: 10,
          id: panelIdOf(alert),
          text: runbookText(alert),
        }),
      ),
    },
  ],
};

import { alerts } from '../prometheus/alerts.ts';
import { panelOf, remedyOf, RUNBOOKS } from '../prometheus/rules.ts';
import type { Board } from './board.ts';
import { words } from './panels.ts';

export const runbooks: Board = {
  uid: RUNBOOKS,
  title: 'MAW: Alerts',
  says: 'What each alert means, and what to do: the page docs/alerts.md, where an alert leads to.',
  rows: [
    {
      title: 'Alerts',
      panels: alerts.map((alert) =>
        words({
          title: alert.name,
          says: 'What the alert means, what to do, and what it is told by.',
          span: 12,
          height: 10,
          id: panelOf(alert),
          text: remedyOf(alert),
        }),
      ),
    },
  ],
};

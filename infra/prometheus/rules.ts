import { crc32 } from 'node:zlib';
import { stringify } from 'yaml';

export interface Alert {
  /** Its heading in docs/alerts.md is made of it. */
  readonly name: string;
  /** critical: games suffer now, wake somebody; warning: look at it today. */
  readonly severity: 'critical' | 'warning';
  /** What is measured; there is something to measure in every system that plays. */
  readonly measure: string;
  /** When it is too much: what is written after the measure. */
  readonly beyond: string;
  /** For how long, before somebody is told. */
  readonly lasts: string;
  /** `{{ $labels.x }}` and `{{ $value }}` stand for what was found. */
  readonly summary: string;
  readonly description: string;
  /** What it means, and what to do: paragraphs in Markdown. */
  readonly means: string;
  readonly remedy: readonly string[];
}

/** The whole of a condition. */
export const conditionOf = ({ measure, beyond }: Alert): string => `${measure} ${beyond}`;

/** The board that tells what alerts mean, by the name it has in addresses. */
export const RUNBOOKS = 'maw-alerts';

/**
 * Where Grafana is, for those who read alerts somewhere else: nothing within Grafana itself, wherever that is. Whoever sends alerts on (by
 * mail, say) writes the address of their Grafana here and runs `npm run docs`. Not a template: Grafana shows the link of a rule as it stands.
 */
const GRAFANA = '';

/** The number of the panel of an alert: made of its name, so that a link is good whatever other alerts come and go. */
export const panelOf = ({ name }: Alert): number => crc32(name);

/** Where it is told what an alert means, and what to do: its panel in Grafana. */
export const runbookOf = (alert: Alert): string => `${GRAFANA}/d/${RUNBOOKS}?viewPanel=${panelOf(alert)}`;

/** The rules as Prometheus reads them: YAML. */
export const alertRules = (alerts: readonly Alert[]): string =>
  `# Written from infra/prometheus/alerts.ts; do not edit. What each means and what to do: docs/alerts.md\n${stringify(
    {
      groups: [
        {
          name: 'maw',
          rules: alerts.map((alert) => ({
            alert: alert.name,
            expr: conditionOf(alert),
            for: alert.lasts,
            labels: { severity: alert.severity },
            annotations: { summary: alert.summary, description: alert.description, runbook_url: runbookOf(alert) },
          })),
        },
      ],
    },
    { lineWidth: 0 },
  )}`;

/** The page of every alert, in Markdown. */
export const alertsPage = (alerts: readonly Alert[]): string => `# Alerts

Written from \`infra/prometheus/alerts.ts\`; do not edit. Prometheus reads them from \`infra/prometheus/alerts.yml\`. **critical**: games suffer
now; **warning**: to be looked at today. The boards named here are in Grafana, in the folder MAW.

${alerts
  .map(
    (alert) => `## ${alert.name}

${remedyOf(alert)}`,
  )
  .join('\n')}`;

/** What is told of one alert, in Markdown. */
export const remedyOf = (alert: Alert): string =>
  `${alert.severity}, ${alert.lasts === '0m' ? 'at once' : `after ${alert.lasts}`}. ${alert.means}

${alert.remedy.map((one, i) => `${i + 1}. ${one}`).join('\n')}

\`\`\`promql
${conditionOf(alert)}
\`\`\`
`;

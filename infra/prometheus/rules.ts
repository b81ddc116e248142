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

/** Where it is told what an alert means, and what to do: a path within the repository. */
export const runbookOf = ({ name }: Alert): string => `docs/alerts.md#${name.toLowerCase()}`;

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

${alert.severity}, ${alert.lasts === '0m' ? 'at once' : `after ${alert.lasts}`}. ${alert.means}

${alert.remedy.map((one, i) => `${i + 1}. ${one}`).join('\n')}

\`\`\`promql
${conditionOf(alert)}
\`\`\`
`,
  )
  .join('\n')}`;

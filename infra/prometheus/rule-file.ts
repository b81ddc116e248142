import { crc32 } from 'node:zlib';
import { stringify } from 'yaml';
import { objectives, recordings } from './objectives.ts';
import { RUNBOOKS_PAGE } from './runbooks-page.ts';

export interface Alert {
  /** Also its heading in docs/alerts.md. */
  readonly name: string;
  /** critical: games suffer now, page somebody; warning: look at it today. */
  readonly severity: 'critical' | 'warning';
  /** The expression without its bound. Every running system has a value for it. */
  readonly measure: string;
  /** The bound: comparison and number. */
  readonly beyond: string;
  /** How long the condition must hold. */
  readonly lasts: string;
  /** May use `{{ $labels.x }}` and `{{ $value }}`. */
  readonly summary: string;
  readonly description: string;
  /** What it means, and the steps to take, in Markdown. */
  readonly means: string;
  readonly remedy: readonly string[];
  /** The commands for it in a system of containers. tests/containers cause the alert, type them, and wait for its end. */
  readonly inContainers?: string;
}

export const conditionOf = ({ measure, beyond }: Alert): string => `${measure} ${beyond}`;

/** The uid of the dashboard that explains the alerts. */
export const RUNBOOKS = 'maw-alerts';

/** The panel id of an alert. A hash of its name, so that links stay valid when other alerts change. */
export const panelIdOf = ({ name }: Alert): number => crc32(name);

/** The link to an alert's panel, a path within Grafana. Not a template with its address: Grafana shows what a rule says unchanged. */
export const panelUrl = (alert: Alert): string => `/d/${RUNBOOKS}?viewPanel=${panelIdOf(alert)}`;

/** The link to the text about an alert, for whoever gets it by mail or on a phone. */
export const runbookUrl = ({ name }: Alert): string => `${RUNBOOKS_PAGE}#${name.toLowerCase()}`;

/** The rules for Prometheus, as YAML. */
export const alertRules = (alerts: readonly Alert[]): string =>
  `# Generated from infra/prometheus/alerts.ts; do not edit. docs/alerts.md explains each alert.\n${stringify(
    {
      groups: [
        {
          name: 'maw-objectives',
          interval: '30s',
          rules: recordings,
        },
        {
          name: 'maw',
          rules: alerts.map((alert) => ({
            alert: alert.name,
            expr: conditionOf(alert),
            for: alert.lasts,
            labels: { severity: alert.severity },
            annotations: {
              summary: alert.summary,
              description: alert.description,
              runbook_url: runbookUrl(alert),
              dashboard_url: panelUrl(alert),
            },
          })),
        },
      ],
    },
    { lineWidth: 0 },
  )}`;

/** docs/alerts.md. */
export const alertsPage = (alerts: readonly Alert[]): string => `# Alerts

Generated from \`infra/prometheus/alerts.ts\`; do not edit. Prometheus reads \`infra/prometheus/alerts.yml\`. **critical**: games suffer now;
**warning**: look at it today. The dashboards are in Grafana, in the folder MAW. Who is told of what is for your Alertmanager to say:
[an example](../infra/alertmanager/alertmanager.yml) pages for what is critical, and keeps quiet about what follows from another alert.

## Objectives

What is promised, over 30 days. Recording rules say how fast each objective uses up what it allows to be bad (\`maw:slo_burn:rate1h\` and others): at 1 it is gone after
30 days. The alerts \`BudgetBurnsFast\` and \`BudgetBurnsSlow\` look at a long and a short window each, so that they fire soon and end soon. Change the shares in
\`infra/prometheus/objectives.ts\` and run \`npm run docs\`.

| objective | good | counts |
| --------- | ---- | ------ |
${objectives.map(({ name, share, says }) => `| \`${name}\` | ${(share * 100).toFixed(1)} % | ${says} |`).join('\n')}

${alerts
  .map(
    (alert) => `## ${alert.name}

${runbookText(alert)}`,
  )
  .join('\n')}`;

/** The text about one alert, in Markdown. */
export const runbookText = (alert: Alert): string =>
  `${alert.severity}, ${alert.lasts === '0m' ? 'at once' : `after ${alert.lasts}`}. ${alert.means}

${alert.remedy.map((one, i) => `${i + 1}. ${one}`).join('\n')}
${alert.inContainers === undefined ? '' : `\nIn containers (docs/operations.md, Containers):\n\n\`\`\`sh container\n${alert.inContainers}\n\`\`\`\n`}
\`\`\`promql
${conditionOf(alert)}
\`\`\`
`;

import { parse, stringify } from 'yaml';
import { inNamespace } from './in-namespace.ts';
import { type Alert, alertRules } from './rule-file.ts';

interface Groups {
  readonly groups: readonly { readonly name: string; readonly rules: readonly { readonly expr: string; readonly labels: object }[] }[];
}

/**
 * The rules of infra/prometheus/alerts.yml as a PrometheusRule of the Prometheus operator, in YAML, restricted to one namespace.
 */
export function alertResource(alerts: readonly Alert[], namespace: string): string {
  const { groups } = parse(alertRules(alerts)) as Groups;
  const resource = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'maw', labels: { 'app.kubernetes.io/part-of': 'maw' } },
    spec: {
      groups: groups.map((group) => ({
        ...group,
        // The label is for Alertmanager, and for alerts about recorded series.
        rules: group.rules.map((rule) => ({ ...rule, expr: inNamespace(rule.expr, namespace), labels: { ...rule.labels, namespace } })),
      })),
    },
  };
  const says = `# Generated from infra/prometheus/alerts.ts for the namespace ${namespace}; do not edit. docs/alerts.md explains each alert.`;
  return `${says}\n${stringify(resource, { lineWidth: 0 })}`;
}

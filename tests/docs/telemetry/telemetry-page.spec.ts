import { describe, expect, it } from '@jest/globals';
import { metrics, registry } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { telemetryPage, unitOf } from './telemetry-page.ts';

const page = telemetryPage();
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

describe('telemetryPage', () => {
  it('has a row per span, attribute and metric', () => {
    const declared = [...Object.keys(span), ...Object.values(attribute), ...registry.getMetricsAsArray().map(({ name }) => name)];
    expect(declared.length).toBeGreaterThan(50);
    expect(rows).toHaveLength(declared.length);
    for (const name of Object.values(attribute)) expect(page).toContain(`| \`${name}\` |`);
    for (const { name, help } of registry.getMetricsAsArray()) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
      expect(row?.endsWith(`| ${help} |`)).toBe(true);
    }
  });

  it('shows the names of spans', () => {
    for (const made of [
      span.ask,
      span.act,
      span.decide,
      span.model('<operation>', '<model>'),
      span.attempt,
      span.publish('<destination>'),
      span.process('<destination>'),
    ])
      expect(page).toContain(`| \`${made}\` |`);
    expect(page).toContain(`| \`${span.step('<kind>', '<step>')}\` |`);
  });

  it('shows kind, unit and labels of a metric', () => {
    expect(page).toContain('| `maw_message_duration_seconds` | histogram | seconds | `service`, `type` |');
    expect(page).toContain('| `gen_ai_client_token_usage` | histogram | tokens | `model`, `operation`, `token_type` |');
    expect(page).toContain('| `gen_ai_server_time_per_output_token_seconds` | histogram | seconds | `model`, `operation` |');
    expect(page).toContain('| `maw_slot_wasted_seconds_total` | counter | seconds | `why` |');
    expect(page).toContain('| `maw_breaker_open` | gauge | 0 to 1 | `server`, `model` |');
    expect(page).toContain('| `maw_bus_up` | gauge | 0 or 1 | `service` |');
  });
});

describe('the metrics', () => {
  it('have the suffix of their kind and unit', () => {
    const kinds = Object.values(metrics).map((metric) => ({
      kind: metric.constructor.name,
      name: (metric as unknown as { name: string }).name,
    }));
    const ended = (kind: string) => kinds.filter((metric) => metric.kind === kind).map(({ name }) => name);
    expect(ended('Counter').filter((name) => !name.endsWith('_total'))).toEqual([]);
    expect(ended('Histogram').filter((name) => unitOf(name) !== 'seconds')).toEqual(['gen_ai_client_token_usage']);
    expect(ended('Gauge').filter((name) => name.endsWith('_total'))).toEqual([]);
    expect(kinds.length).toBe(ended('Counter').length + ended('Histogram').length + ended('Gauge').length);
  });

  it('never have a table or seat as label', () => {
    const labels = Object.values(metrics).flatMap((metric) => (metric as unknown as { labelNames: string[] }).labelNames);
    expect(labels).toContain('service');
    expect(labels.filter((label) => /table|seat|decision|game|agent|tenant|name/i.test(label))).toEqual([]);
  });
});

import { type Metric, Registry } from 'prom-client';
import { registry } from './metrics.ts';

/** Whether an Accept header includes OpenMetrics, as that of Prometheus does. */
export const acceptsOpenMetrics = (accept: string | undefined): boolean =>
  /(^|,)\s*application\/openmetrics-text\s*(;|,|$)/i.test(accept ?? '');

/** The content type of `renderOpenMetrics`. */
export const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;

/** All metrics in the OpenMetrics 1.0 format, the only one with exemplars. */
export function renderOpenMetrics(): Promise<string> {
  const open = new Registry<typeof OPEN_METRICS>();
  open.setContentType(OPEN_METRICS);
  // Objects that inherit from the metrics, because rendering renames counters: a family is named without the suffix `_total`.
  for (const metric of registry.getMetricsAsArray()) open.registerMetric(Object.create(metric) as Metric);
  return open.metrics();
}

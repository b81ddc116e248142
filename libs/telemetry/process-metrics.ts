import { collectDefaultMetrics } from 'prom-client';
import { registry } from './metrics.ts';

/** Collects the metrics of the process (`process_*`, `nodejs_*`). Idempotent: services may share a process. */
export function collectProcessMetrics(): void {
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry });
}

import { collectDefaultMetrics } from 'prom-client';
import { registry } from './metrics.ts';

/** Measures the process itself (`process_*`, `nodejs_*`). Once in a process, whatever the number of services in it. */
export function collectProcessMetrics(): void {
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry });
}

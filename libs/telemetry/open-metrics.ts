import { Registry } from 'prom-client';
import { registry } from './metrics.ts';

/** Whether an Accept header includes OpenMetrics, as that of Prometheus does. */
export const acceptsOpenMetrics = (accept: string | undefined): boolean =>
  /(^|,)\s*application\/openmetrics-text\s*(;|,|$)/i.test(accept ?? '');

/** The content type of `renderOpenMetrics`. */
export const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;

const open = new Registry<typeof OPEN_METRICS>();
open.setContentType(OPEN_METRICS);
const writer = open as unknown as { getMetricsAsString(metric: Shown): Promise<string> };

/**
 * All metrics in the OpenMetrics 1.0 format, the only one with exemplars. The registry's own rendering would rename its counters
 * permanently.
 */
export async function renderOpenMetrics(): Promise<string> {
  const all = registry.getMetricsAsArray() as unknown as readonly Read[];
  const texts = await Promise.all(all.map((metric) => writer.getMetricsAsString(familyOf(metric))));
  return `${texts.join('\n')}\n# EOF\n`;
}

interface Shown {
  getForPromString(): Promise<{ readonly name: string; readonly type: string }>;
}

/** Metrics without buckets have `get` only. */
type Read = Shown | { get: Shown['getForPromString'] };

/** A counter family is named without the suffix `_total`. */
const familyOf = (metric: Read): Shown => ({
  async getForPromString() {
    const read = await ('getForPromString' in metric ? metric.getForPromString() : metric.get());
    return read.type === 'counter' ? { ...read, name: read.name.replace(/_total$/, '') } : read;
  },
});

import { Registry } from 'prom-client';
import { registry } from './metrics.ts';

/** Whether somebody who asks for this (the header Accept) reads OpenMetrics. Prometheus does. */
export const acceptsOpenMetrics = (accept: string | undefined): boolean =>
  /(^|,)\s*application\/openmetrics-text\s*(;|,|$)/i.test(accept ?? '');

/** The type of what `openMetrics` writes. */
export const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;

const open = new Registry<typeof OPEN_METRICS>();
open.setContentType(OPEN_METRICS);
const writer = open as unknown as { getMetricsAsString(metric: Shown): Promise<string> };

/**
 * All that `/metrics` shows, in the format of OpenMetrics 1.0: the only one that has exemplars, and so the way from a number to its trace.
 * The registry could write it itself, but would rename its counters for good.
 */
export async function renderOpenMetrics(): Promise<string> {
  const all = registry.getMetricsAsArray() as unknown as readonly Read[];
  const texts = await Promise.all(all.map((metric) => writer.getMetricsAsString(familyOf(metric))));
  return `${texts.join('\n')}\n# EOF\n`;
}

interface Shown {
  getForPromString(): Promise<{ readonly name: string; readonly type: string }>;
}

/** What has no buckets is read by `get` alone. */
type Read = Shown | { get: Shown['getForPromString'] };

/** A family of counters is named without the ending of its series. */
const familyOf = (metric: Read): Shown => ({
  async getForPromString() {
    const read = await ('getForPromString' in metric ? metric.getForPromString() : metric.get());
    return read.type === 'counter' ? { ...read, name: read.name.replace(/_total$/, '') } : read;
  },
});

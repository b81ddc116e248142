import { metrics } from '@maw/telemetry/metrics.ts';
import { nameOf } from '../../infra/grafana/promql.ts';

/** What one good game does not count, and why. A panel of nothing else is empty, and that is as it should be. */
const uncounted: ReadonlyMap<object, string> = new Map<object, string>([
  [metrics.unanswered, 'every request was answered'],
  [metrics.resent, 'every request was answered at once'],
  [metrics.forged, 'nobody forges messages'],
  [metrics.wastedSlots, 'no answer was waited for in vain'],
  [metrics.retries, 'the simulated model answers as it is asked to'],
  [metrics.schemaFailures, 'the simulated model answers as it is asked to'],
  [metrics.reloads, 'the simulated model is never unloaded'],
  [metrics.reconnects, 'the connection to the broker is not lost'],
  [metrics.conflicts, 'there is one gamemaster'],
]);

/** Why an expression may find nothing; undefined when it must find something. */
export const whyEmpty = (expr: string): string | undefined =>
  [...uncounted].find(([metric]) => expr.includes(`${nameOf(metric)}[`) || expr.includes(`${nameOf(metric)}{`))?.[1] ??
  (expr.startsWith('sum') && expr.includes('outcome="defaulted"') ? 'every mind answered in time' : undefined);

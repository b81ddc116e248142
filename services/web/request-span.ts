import type { IncomingMessage } from 'node:http';
import { context, SpanStatusCode } from '@opentelemetry/api';
import { contextFromHeaders, untraced } from '@maw/telemetry/trace-context.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute } from '@maw/telemetry/span-names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';

/**
 * Counts, times and traces a request under the pattern of its route; a label per path would be one per table.
 * @param respond answers the request and returns the status
 */
export async function withRequestSpan(
  req: IncomingMessage,
  { path, table, isUntraced }: { readonly path: string; readonly table: string | undefined; readonly isUntraced: boolean },
  respond: () => Promise<number>,
): Promise<void> {
  const method = req.method ?? 'GET';
  const route = `${method} ${path}`;
  const end = metrics.requestSeconds.startTimer({ route });
  const attributes = { 'http.request.method': method, 'http.route': path, [attribute.table]: table };
  const parent = isUntraced ? untraced(() => context.active()) : contextFromHeaders(req.headers);
  await inSpan('web', route, { kind: 'server', parent, attributes }, async (span) => {
    const status = await respond();
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    metrics.requests.inc({ route, status: String(status) });
  }).finally(end);
}

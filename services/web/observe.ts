import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { IncomingMessage } from 'node:http';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute } from '@maw/telemetry/names.ts';

const tracer = trace.getTracer('maw.web');

/**
 * Counts, times and traces one request, under the pattern of its route: an address would be a label of its own for every table.
 * @param does answers the request and gives the status it was answered with
 */
export async function observed(
  req: IncomingMessage,
  { route, table }: { readonly route: string; readonly table?: string | undefined },
  does: (span: Span) => Promise<number>,
): Promise<void> {
  const method = req.method ?? 'GET';
  const end = metrics.requestSeconds.startTimer({ route: `${method} ${route}` });
  const parent = propagation.extract(ROOT_CONTEXT, req.headers);
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    ...(table === undefined ? {} : { [attribute.table]: table }),
  };
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  try {
    const status = await context.with(trace.setSpan(parent, span), () => does(span));
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    metrics.requests.inc({ route: `${method} ${route}`, status: String(status) });
  } finally {
    span.end();
    end();
  }
}

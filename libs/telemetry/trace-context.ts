import { type Context, context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';

/** The headers that continue a trace at the receiver (W3C Trace Context: `traceparent`, `tracestate`). */
export function traceHeaders(of: Context = context.active()): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(of, headers);
  return headers;
}

/** The trace context in headers, as the parent of a span. Missing or invalid headers start a new trace. */
export const contextFromHeaders = (headers: Readonly<Record<string, unknown>>): Context =>
  propagation.extract(ROOT_CONTEXT, headers, {
    keys: (from) => Object.keys(from),
    get: (from, name) => {
      const value = from[name];
      return typeof value === 'string' ? value : undefined;
    },
  });

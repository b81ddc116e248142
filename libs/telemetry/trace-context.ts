import { randomBytes } from 'node:crypto';
import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type TextMapGetter,
  trace,
  TraceFlags,
} from '@opentelemetry/api';

/** The headers that continue a trace at the receiver (W3C Trace Context: `traceparent`, `tracestate`). */
export function traceHeaders(of: Context = context.active()): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(of, headers);
  return headers;
}

/** The trace context in headers, as the parent of a span. Missing or invalid headers start a new trace. */
export const contextFromHeaders = (headers: Readonly<Record<string, unknown>>): Context =>
  headers['traceparent'] === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers, HEADERS);

const HEADERS: TextMapGetter<Readonly<Record<string, unknown>>> = {
  keys: (from) => Object.keys(from),
  get: (from, name) => {
    const value = from[name];
    return typeof value === 'string' ? value : undefined;
  },
};

/** The id of the active trace; undefined when it is not recorded. */
export function recordedTrace(): string | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  return active && isSpanContextValid(active) && active.traceFlags & TraceFlags.SAMPLED ? active.traceId : undefined;
}

/**
 * Runs `body` outside of the active trace and records no span of it, neither here nor at the receivers of its messages. For what not everybody
 * at a table may know of: that there is a span, and when, would reveal it.
 */
export function untraced<T>(body: () => T): T {
  const unsampled = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex'), traceFlags: TraceFlags.NONE };
  return context.with(trace.setSpanContext(ROOT_CONTEXT, unsampled), body);
}

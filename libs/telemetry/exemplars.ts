import { isSpanContextValid, trace, TraceFlags } from '@opentelemetry/api';
import type { Histogram } from 'prom-client';

/** Makes a histogram store, per bucket, the trace of its last observation as an exemplar, when that trace is sampled. */
export function withExemplars<L extends string>(histogram: Histogram<L>): Histogram<L> {
  const observe = histogram.observe.bind(histogram) as unknown as (about: Observation) => void;
  // prom-client's timers pass an object, all others labels and a value.
  const observeWithExemplar = (given: Observation | Observation['labels'], value?: number): void =>
    observe({
      ...(value === undefined ? (given as Observation) : { labels: given as Observation['labels'], value }),
      exemplarLabels: ids(),
    });
  return Object.assign(histogram, { observe: observeWithExemplar });
}

interface Observation {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly exemplarLabels?: Readonly<Record<string, string>>;
}

const NONE = {};

function ids(): Readonly<Record<string, string>> {
  const context = trace.getActiveSpan()?.spanContext();
  if (!context || !(context.traceFlags & TraceFlags.SAMPLED) || !isSpanContextValid(context)) return NONE;
  return { trace_id: context.traceId, span_id: context.spanId };
}

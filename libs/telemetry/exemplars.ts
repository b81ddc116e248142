import { isSpanContextValid, trace, TraceFlags } from '@opentelemetry/api';
import type { Histogram } from 'prom-client';

/**
 * Has a histogram note, with each bucket, the trace of its last observation (an exemplar), if that trace is recorded: one that is not leads
 * nowhere. Without a recorded span nothing is done beyond looking for one.
 */
export function withExemplars<L extends string>(histogram: Histogram<L>): Histogram<L> {
  const observe = histogram.observe.bind(histogram) as unknown as (about: Observation) => void;
  // Its own timers give it an object, everybody else labels and a value.
  const noting = (given: Observation | Observation['labels'], value?: number): void =>
    observe({
      ...(value === undefined ? (given as Observation) : { labels: given as Observation['labels'], value }),
      exemplarLabels: ids(),
    });
  return Object.assign(histogram, { observe: noting });
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

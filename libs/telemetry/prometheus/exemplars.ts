import {
  type Attributes,
  type Context,
  context as otel,
  createContextKey,
  isSpanContextValid,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import type { Histogram, LabelValues, ObserveDataWithExemplar } from 'prom-client';
import { isTableKept } from '../kept-tables.ts';
import { attribute } from '../span-names.ts';

const TABLE = createContextKey('the table of the span, or of one around it');

/** The context for a span: it knows the table of the span, so that spans within, which need not name it, know it too. */
export function withTable(context: Context, attributes: Readonly<Attributes>): Context {
  const table = attributes[attribute.table];
  return table === undefined ? context : context.setValue(TABLE, table);
}

/** What exemplars of this process may lead to. */
const kept = { share: 1 };

/** From now on only traces of this share of the tables become exemplars, and those that belong to no table. @param share 0 to 1 */
export const keepExemplarsOf = (share: number): void => void (kept.share = share);

/**
 * Makes a histogram store, per bucket, the trace of its last observation as an exemplar, when that trace is recorded and the collector keeps it:
 * a point on a board must not lead to a trace that was thrown away.
 */
export function withExemplars<L extends string>(histogram: Histogram<L>): Histogram<L> {
  const record = histogram.observe.bind(histogram);
  // prom-client's timers pass an object, all others labels and a value.
  const observe = (given: ObserveDataWithExemplar<L> | LabelValues<L>, seconds?: number): void => {
    const about = seconds === undefined ? (given as ObserveDataWithExemplar<L>) : { labels: given as LabelValues<L>, value: seconds };
    record({ ...about, exemplarLabels: ids() as LabelValues<L> });
  };
  return Object.assign(histogram, { observe });
}

const NONE = {};

function ids(): Readonly<Record<string, string>> {
  const active = trace.getActiveSpan();
  const context = active?.spanContext();
  if (!context || !(context.traceFlags & TraceFlags.SAMPLED) || !isSpanContextValid(context)) return NONE;
  const { attributes = {} } = active as { readonly attributes?: Attributes };
  const table = attributes[attribute.table] ?? otel.active().getValue(TABLE);
  if (typeof table === 'string' && !isTableKept(table, kept.share)) return NONE;
  return { trace_id: context.traceId, span_id: context.spanId };
}

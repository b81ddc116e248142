import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { withTable } from './prometheus/exemplars.ts';
import { attribute } from './span-names.ts';
import { redactCredentials } from './redact.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

interface SpanOptions {
  readonly kind?: keyof typeof KINDS | undefined;
  /** Undefined ones are omitted. */
  readonly attributes?: Readonly<Attributes> | undefined;
  /** The parent, for example from `contextFromHeaders`. Default: the active span. */
  readonly parent?: Context | undefined;
}

const nameOf = (service: string): string => `maw.${service}`;

/** The tracer of a service; services that share a process have one each. */
export const tracerOf = (service: string) => trace.getTracer(nameOf(service));

/** The same; undefined while no spans are recorded. */
const recordingTracerOf = (service: string): Tracer | undefined =>
  (trace.getTracerProvider() as ProxyTracerProvider).getDelegateTracer(nameOf(service));

const NO_ATTRIBUTES: Readonly<Attributes> = {};
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs `body` in a span that ends with it. An error is recorded by its name and its `brief` or message, and rethrown. A refusal is recorded by
 * its reason and does not fail the span.
 */
export function inSpan<T>(service: string, name: string, options: SpanOptions, body: (span: Span) => Promise<T> | T): Promise<T> {
  const { kind = 'internal', attributes = NO_ATTRIBUTES, parent = context.active() } = options;
  const within = withTable(parent, attributes);
  const tracer = recordingTracerOf(service);
  if (!tracer) return unrecorded(within, body);
  return tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, within, async (span) => {
    try {
      return await body(span);
    } catch (error) {
      record(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs `body` in a context, which may have the span of a caller elsewhere. The API's own spans that do nothing cost several contexts. */
function unrecorded<T>(within: Context, body: (span: Span) => Promise<T> | T): Promise<T> {
  const run = async (): Promise<T> => body(trace.getSpan(within) ?? NO_SPAN);
  return within === context.active() ? run() : context.with(within, run);
}

/** Adds to the span that is running, if there is one. */
export const noteOnSpan = (attributes: Readonly<Attributes>): void => void trace.getActiveSpan()?.setAttributes(attributes);

function record(span: Span, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'Refusal') {
    span.setAttribute(attribute.reason, String((error as { reason?: unknown }).reason));
    return;
  }
  // A message may quote secrets; `brief` is the version for traces.
  const { brief = message } = error as { readonly brief?: string };
  const said = redactCredentials(brief);
  span.recordException({ name, message: said });
  span.setStatus({ code: SpanStatusCode.ERROR, message: said });
}

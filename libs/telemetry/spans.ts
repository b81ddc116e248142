import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { withTable } from './exemplars.ts';
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

/** The tracer of a service; services that share a process have one each. */
export const tracerOf = (service: string) => trace.getTracer(`maw.${service}`);

/**
 * Runs `body` in a span that ends with it. An error is recorded by its name and its `brief` or message, and rethrown. A refusal is recorded by
 * its reason and does not fail the span.
 */
export function inSpan<T>(service: string, name: string, options: SpanOptions, body: (span: Span) => Promise<T> | T): Promise<T> {
  const { kind = 'internal', attributes = {}, parent = context.active() } = options;
  const begun = { kind: KINDS[kind], attributes };
  return tracerOf(service).startActiveSpan(name, begun, withTable(parent, attributes), async (span) => {
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

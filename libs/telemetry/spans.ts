import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { attribute } from './names.ts';
import { redactCredentials } from './redact.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export interface SpanOptions {
  readonly kind?: keyof typeof KINDS | undefined;
  /** Undefined ones are left out. */
  readonly attributes?: Readonly<Attributes> | undefined;
  /** The trace to go on with, as `fromHeaders` gives it; the active span when not given. */
  readonly parent?: Context | undefined;
}

/** The tracer whose spans belong to `service`, also where several services share a process. */
export const tracerOf = (service: string) => trace.getTracer(`maw.${service}`);

/**
 * Runs `body` inside a span that ends with it. An error is recorded by its name and message, or its `brief` where it has one, and thrown again; a refusal is an answer:
 * it is recorded by its reason, and the span has not failed.
 */
export function inSpan<T>(service: string, name: string, options: SpanOptions, body: (span: Span) => Promise<T> | T): Promise<T> {
  const { kind = 'internal', attributes = {}, parent = context.active() } = options;
  const begun = { kind: KINDS[kind], attributes };
  return tracerOf(service).startActiveSpan(name, begun, parent, async (span) => {
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

function record(span: Span, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'Refusal') {
    span.setAttribute(attribute.reason, String((error as { reason?: unknown }).reason));
    return;
  }
  // What an error quotes is not for whoever reads traces; it may say itself what is.
  const { brief = message } = error as { readonly brief?: string };
  const said = redactCredentials(brief);
  span.recordException({ name, message: said });
  span.setStatus({ code: SpanStatusCode.ERROR, message: said });
}

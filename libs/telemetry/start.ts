import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { asyncContext } from './async-context.ts';
import { type Log, logger } from './log.ts';
import { spanExporter, type Protocol } from './span-exporter.ts';

export interface TelemetryOptions {
  /** Whose spans these are, unless a tracer of another service made them. */
  readonly service: string;
  /** Address of an OTLP receiver over HTTP, without `/v1/traces`. Without it nothing is recorded and nothing is sent. */
  readonly endpoint?: string | undefined;
  readonly protocol?: Protocol | undefined;
  /** The part of new traces that is recorded, 0 to 1; a trace that somebody else began is recorded if they record it. */
  readonly ratio?: number | undefined;
  readonly log?: Log | undefined;
  /** The longest that sending one batch may take, trying again included. */
  readonly sendMs?: number | undefined;
  readonly closeMs?: number | undefined;
}

const VERSION = '0.1.0';
let isStarted = false;

/**
 * Starts tracing for the whole process; once. Without an endpoint, traces of others are still handed on.
 * `close` sends what is left, takes at most `closeMs`, and never rejects.
 * @throws Error when it is started already
 */
export function startTelemetry(options: TelemetryOptions): { close(): Promise<void> } {
  if (isStarted) throw new Error('telemetry is started already: start it once in a process, and close it before starting it anew');
  const { shutDown } = options.endpoint ? exporting({ ...options, endpoint: options.endpoint }) : handingOn();
  isStarted = true;
  let closing: Promise<void> | undefined;
  return {
    close: () =>
      (closing ??= shutDown().finally(() => {
        for (const api of [trace, context, propagation]) api.disable();
        isStarted = false;
      })),
  };
}

function handingOn(): { shutDown(): Promise<void> } {
  context.setGlobalContextManager(asyncContext());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return { shutDown: async () => undefined };
}

/** The SDK is loaded here and not above: it costs a third of a second and 50 MB, which a game without tracing need not pay. */
function exporting(options: TelemetryOptions & { endpoint: string }): { shutDown(): Promise<void> } {
  const { service, endpoint, protocol = 'http/protobuf', ratio = 1, log = logger(service), sendMs = 5_000, closeMs = 2_000 } = options;
  const load = createRequire(import.meta.url);
  const { NodeSDK } = load('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node');
  const sdkTrace = load('@opentelemetry/sdk-trace') as typeof import('@opentelemetry/sdk-trace');
  const { resourceFromAttributes } = load('@opentelemetry/resources') as typeof import('@opentelemetry/resources');

  const instance = randomUUID();
  const resourceOf = (name: string) =>
    resourceFromAttributes({ 'service.name': name, 'service.version': VERSION, 'service.instance.id': instance });
  const exporter = spanExporter({ endpoint, protocol, sendMs, log, resourceOf });
  const sdk = new NodeSDK({
    resource: resourceOf(service),
    autoDetectResources: false,
    textMapPropagator: new W3CTraceContextPropagator(),
    sampler: new sdkTrace.ParentBasedSampler({ root: new sdkTrace.TraceIdRatioBasedSampler(ratio) }),
    traceExporter: exporter,
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [],
  });
  sdk.start();
  return { shutDown: () => bounded(sdk.shutdown(), closeMs, exporter.failed) };
}

async function bounded(work: Promise<void>, ms: number, failed: (error: unknown) => void): Promise<void> {
  const over = new AbortController();
  const late = after(ms, undefined, { signal: over.signal }).then(
    () => failed(new Error(`not everything was sent within ${ms} ms`)),
    () => undefined,
  );
  await Promise.race([work.catch(failed), late]);
  over.abort();
}

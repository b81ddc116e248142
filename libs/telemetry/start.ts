import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { keepExemplarsOf } from './prometheus/exemplars.ts';
import { type Log, logger } from './log.ts';
import { resourceAttributesOf } from './resource.ts';
import { spanExporter, type Protocol } from './span-exporter.ts';

export interface TelemetryOptions {
  /** The service of spans whose tracer names no other service. */
  readonly service: string;
  /** The URL of an OTLP receiver over HTTP, without `/v1/traces`. Without it nothing is recorded. */
  readonly endpoint?: string | undefined;
  readonly protocol?: Protocol | undefined;
  /** The sampling ratio of new traces, 0 to 1. A trace that arrives from outside keeps the decision of its sender. */
  readonly ratio?: number | undefined;
  /** Further attributes of the resource, as OTEL_RESOURCE_ATTRIBUTES has them: name=value,name=value. */
  readonly resourceAttributes?: string | undefined;
  /** The share of tables whose traces the collector keeps, 0 to 1: metrics link to traces of those only. */
  readonly keptTables?: number | undefined;
  readonly log?: Log | undefined;
  /** How long exporting one batch may take, retries included, in milliseconds. */
  readonly sendMs?: number | undefined;
  readonly closeMs?: number | undefined;
}

let isStarted = false;

/**
 * Starts tracing for the whole process. Without an endpoint, incoming trace contexts are still propagated.
 * `close` exports what is left, takes at most `closeMs`, and never rejects.
 * @throws Error when it is already started
 */
export function startTelemetry(options: TelemetryOptions): { close(): Promise<void> } {
  if (isStarted) throw new Error('telemetry is already started: it can run once per process; close it first');
  const { shutDown } = options.endpoint ? exporting({ ...options, endpoint: options.endpoint }) : propagating();
  isStarted = true;
  keepExemplarsOf(options.keptTables ?? 1);
  let closing: Promise<void> | undefined;
  return {
    close: () =>
      (closing ??= shutDown().finally(() => {
        for (const api of [trace, context, propagation]) api.disable();
        isStarted = false;
      })),
  };
}

function propagating(): { shutDown(): Promise<void> } {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return { shutDown: async () => undefined };
}

/** Loads the SDK on first use: it costs a third of a second and 50 MB, which a game without tracing need not spend. */
function exporting(options: TelemetryOptions & { endpoint: string }): { shutDown(): Promise<void> } {
  const { service, endpoint, protocol = 'http/protobuf', ratio = 1, log = logger(service), sendMs = 5_000, closeMs = 2_000 } = options;
  const load = createRequire(import.meta.url);
  const { NodeSDK } = load('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node');
  const sdkTrace = load('@opentelemetry/sdk-trace') as typeof import('@opentelemetry/sdk-trace');
  const { resourceFromAttributes } = load('@opentelemetry/resources') as typeof import('@opentelemetry/resources');

  const shared = resourceAttributesOf(options.resourceAttributes);
  const resourceOf = (name: string) => resourceFromAttributes({ ...shared, 'service.name': name });
  const exporter = spanExporter({ service, endpoint, protocol, sendMs, log, resourceOf });
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
  const stop = new AbortController();
  const late = sleep(ms, undefined, { signal: stop.signal }).then(
    () => failed(new Error(`not all spans were exported within ${ms} ms`)),
    () => undefined,
  );
  await Promise.race([work.catch(failed), late]);
  stop.abort();
}

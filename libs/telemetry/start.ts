import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import { context, diag, DiagConsoleLogger, propagation, trace } from '@opentelemetry/api';
import {
  diagLogLevelFromString,
  getBooleanFromEnv,
  getNumberFromEnv,
  getStringFromEnv,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { asyncContextManager } from './async-context.ts';
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
  const { shutDown } =
    options.endpoint && getBooleanFromEnv('OTEL_SDK_DISABLED') !== true
      ? exporting({ ...options, endpoint: options.endpoint })
      : handingOn();
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
  context.setGlobalContextManager(asyncContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return { shutDown: async () => undefined };
}

/** Loads the SDK on first use: it takes time and memory that a game without tracing need not spend. */
function exporting(options: TelemetryOptions & { endpoint: string }): { shutDown(): Promise<void> } {
  const { service, endpoint, protocol = 'http/protobuf', ratio = 1, log = logger(service), sendMs = 5_000, closeMs = 2_000 } = options;
  const load = createRequire(import.meta.url);
  const sdkTrace = load('@opentelemetry/sdk-trace') as typeof import('@opentelemetry/sdk-trace');
  const { resourceFromAttributes } = load('@opentelemetry/resources') as typeof import('@opentelemetry/resources');

  const instance = randomUUID();
  const resourceOf = (name: string) =>
    resourceFromAttributes({ 'service.name': name, 'service.version': VERSION, 'service.instance.id': instance });
  const exporter = spanExporter({ endpoint, protocol, sendMs, log, resourceOf });
  const provider = new sdkTrace.TracerProvider({
    resource: resourceOf(service),
    sampler: new sdkTrace.ParentBasedSampler({ root: new sdkTrace.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdkTrace.BatchSpanProcessor({ exporter, ...batchLimits() })],
  });
  const logLevel = diagLogLevelFromString(getStringFromEnv('OTEL_LOG_LEVEL'));
  if (logLevel !== undefined) diag.setLogger(new DiagConsoleLogger(), { logLevel });
  handingOn();
  trace.setGlobalTracerProvider(provider);
  return { shutDown: () => bounded(provider.shutdown(), closeMs, exporter.failed) };
}

/** The limits of a batch, from OpenTelemetry's own variables; those that are not set keep the defaults of the SDK. */
function batchLimits(): { readonly [limit: string]: number } {
  const limits = {
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  };
  return Object.fromEntries(Object.entries(limits).flatMap(([limit, value]) => (value === undefined || value < 0 ? [] : [[limit, value]])));
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

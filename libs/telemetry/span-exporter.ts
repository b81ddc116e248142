import { createRequire } from 'node:module';
import { ExportResultCode } from '@opentelemetry/core';
import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from './log.ts';
import { metrics, startAtZero } from './metrics.ts';

export const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

interface ExportOptions {
  /** The process that exports, in its metric. */
  readonly service: string;
  readonly endpoint: string;
  readonly protocol: Protocol;
  readonly sendMs: number;
  readonly log: Log;
  readonly resourceOf: (service: string) => Resource;
}

/**
 * Exports spans over OTLP. A span of the tracer `maw.<service>` gets the resource of that service, so services that share a process stay
 * separate. `failed` logs the first failure only, until an export succeeds again.
 */
export function spanExporter({
  service,
  endpoint,
  protocol,
  sendMs,
  log,
  resourceOf,
}: ExportOptions): SpanExporter & { failed(error: unknown): void } {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const inner = exporterOf(protocol, url, sendMs);
  startAtZero(metrics.spans, { service: [service], outcome: ['sent', 'failed'] });
  const resources = new Map<string, Resource>();
  let isFailing = false;
  const failed = (err: unknown) => {
    if (!isFailing) log.warn({ url, err }, 'exporting spans failed; they are dropped until the collector takes them again');
    isFailing = true;
  };
  const withResource = (span: ReadableSpan): ReadableSpan => {
    const [, name] = /^maw\.(.+)$/.exec(span.instrumentationScope.name) ?? [];
    if (name === undefined) return span;
    const resource = resources.get(name) ?? resourceOf(name);
    resources.set(name, resource);
    return Object.create(span, { resource: { value: resource } }) as ReadableSpan;
  };
  return {
    export: (spans, done) =>
      inner.export(spans.map(withResource), (result) => {
        const isSent = Object.is(result.code, ExportResultCode.SUCCESS);
        metrics.spans.inc({ service, outcome: isSent ? 'sent' : 'failed' }, spans.length);
        if (isSent) isFailing = false;
        else failed(result.error);
        done(result);
      }),
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
    failed,
  };
}

function exporterOf(protocol: Protocol, url: string, timeoutMillis: number): OTLPTraceExporter {
  const load = createRequire(import.meta.url);
  type Exporters = typeof import('@opentelemetry/exporter-trace-otlp-http');
  const exporters = (
    protocol === 'http/json' ? load('@opentelemetry/exporter-trace-otlp-http') : load('@opentelemetry/exporter-trace-otlp-proto')
  ) as Exporters;
  return new exporters.OTLPTraceExporter({ url, timeoutMillis });
}

import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import type { RawMessage } from '@maw/bus/core/transport.ts';
import { type Log, logger } from '@maw/telemetry/log.ts';

/** One published message. */
export interface ObservedMessage {
  readonly to: Parameters<MemoryHub['send']>[0];
  readonly parcel: RawMessage;
}

/** Changes published messages, to test the search itself. */
export type Tamper = (message: ObservedMessage) => ObservedMessage;

/** A hub that records every message as it is delivered. */
export function wiretap(tamper: Tamper = (message) => message) {
  const hub = memoryHub();
  const heard: ObservedMessage[] = [];
  const lines: string[] = [];
  const open: MemoryHub = {
    ...hub,
    send(to, parcel) {
      const message = tamper({ to, parcel });
      heard.push(message);
      hub.send(message.to, message.parcel);
    },
  };
  return {
    hub: open,
    heard,
    lines,
    logOf: (service: string): Log => logger(service, { level: 'debug', destination: { write: (line) => void lines.push(line) } }),
  };
}

/** Collects every span of the process until it is closed. Only one at a time. */
export function recordSpans() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    /** Each span since the last call, with all its attributes, as text. */
    take(): string[] {
      const all = exporter.getFinishedSpans().map((span) => {
        const { name, attributes, events, status, links } = span;
        return JSON.stringify({
          name,
          at: span.startTime[0] * 1e3 + span.startTime[1] / 1e6,
          trace: span.spanContext().traceId,
          attributes,
          events: events.map((e) => ({ name: e.name, attributes: e.attributes })),
          status,
          links: links.map((link) => link.attributes),
          linked: links.map((link) => link.context.traceId),
        });
      });
      exporter.reset();
      return all;
    },
    async close(): Promise<void> {
      for (const api of [trace, context, propagation]) api.disable();
      await provider.shutdown();
    },
  };
}

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first span of a trace. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** `service.name` of its resource. */
  readonly service: string;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly kind: (typeof KINDS)[number];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code: 'unset' | 'ok' | 'error'; readonly message: string | undefined };
  /** Unix time in nanoseconds. */
  readonly start: bigint;
  readonly end: bigint;
}

/** One request as it came. */
export interface ReceivedRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface OtlpReceiver {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is to be. */
  readonly url: string;
  spans(): readonly ReceivedSpan[];
  requests(): readonly ReceivedRequest[];
  /** Resolves with all spans once `predicate` holds for them. @throws Error after `ms` without it, naming the spans that came */
  waitFor(predicate: (spans: readonly ReceivedSpan[]) => boolean, ms?: number): Promise<readonly ReceivedSpan[]>;
  close(): Promise<void>;
}

/**
 * A receiver of traces over HTTP (OTLP as JSON). Requests in protobuf are kept but not read.
 * `status`: what it answers; 0 keeps every request waiting until it closes. `forwardTo`: the address of a receiver that gets every request too, and
 * whose status is answered.
 */
export async function startOtlpReceiver({
  status = 200,
  forwardTo,
}: { readonly status?: number; readonly forwardTo?: string } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const contentType = request.headers['content-type'] ?? '';
      requests.push({ path: request.url ?? '', contentType, body });
      if (contentType.startsWith('application/json')) spans.push(...spansOf(JSON.parse(body.toString()) as Traces));
      for (const look of waiting) look();
      const answer = (code: number) =>
        response.writeHead(code, { 'content-type': contentType }).end(contentType.includes('json') ? '{}' : '');
      if (forwardTo !== undefined)
        fetch(forwardTo + request.url, { method: 'POST', headers: { 'content-type': contentType }, body }).then(
          (forwarded) => answer(forwarded.status),
          () => answer(502),
        );
      else if (status !== 0) answer(status);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    requests: () => requests,
    waitFor: (predicate, ms = 10_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!predicate(spans)) return;
          settle();
          resolve(spans);
        };
        const settle = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const timer = setTimeout(() => {
          settle();
          reject(
            new Error(`the spans waited for did not come; these did: ${spans.map((s) => `${s.service}: ${s.name}`).join(', ') || 'none'}`),
          );
        }, ms);
        waiting.add(look);
        look();
      }),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The parts of OTLP (opentelemetry-proto, JSON mapping) that are read here. Ids are hex, 64-bit numbers are strings. */
interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values?: readonly Value[] };
}
type Pairs = readonly { readonly key: string; readonly value: Value }[];
interface Traces {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: Pairs };
    readonly scopeSpans?: readonly { readonly spans?: readonly WireSpan[] }[];
  }[];
}
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: Pairs;
  readonly events?: readonly { readonly name: string; readonly attributes?: Pairs }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

const spansOf = ({ resourceSpans = [] }: Traces): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const about = recordOf(resource?.attributes);
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((wire) => spanOf(wire, about)));
  });

const spanOf = (wire: WireSpan, resource: Record<string, unknown>): ReceivedSpan => ({
  traceId: wire.traceId,
  spanId: wire.spanId,
  parentSpanId: wire.parentSpanId || undefined,
  name: wire.name,
  service: String(resource['service.name']),
  resource,
  kind: KINDS[wire.kind ?? 0] ?? 'unspecified',
  attributes: recordOf(wire.attributes),
  events: (wire.events ?? []).map(({ name, attributes }) => ({ name, attributes: recordOf(attributes) })),
  status: { code: (['unset', 'ok', 'error'] as const)[wire.status?.code ?? 0] ?? 'unset', message: wire.status?.message },
  start: BigInt(wire.startTimeUnixNano),
  end: BigInt(wire.endTimeUnixNano),
});

const recordOf = (pairs: Pairs = []): Record<string, unknown> => Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]));

function plain(value: Value): unknown {
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plain);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue;
}

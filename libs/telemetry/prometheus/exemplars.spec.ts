import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startOtlpReceiver } from '@maw/tests/equipment/fakes/otlp-receiver.ts';
import { logger } from '../log.ts';
import { metrics, registry } from '../metrics.ts';
import { renderOpenMetrics, acceptsOpenMetrics } from '../open-metrics.ts';
import { inSpan } from '../spans.ts';
import { startTelemetry } from '../start.ts';

const { appendSeconds } = metrics;
const log = logger('gamemaster', { level: 'silent' });
/** The buckets that have an exemplar: bound, trace, span, value. */
const exemplars = async () =>
  [
    ...(await renderOpenMetrics()).matchAll(
      /^maw_append_duration_seconds_bucket\{le="([^"]+)".*\} \d+ # \{trace_id="(\w+)",span_id="(\w+)"\} (\S+) [\d.]+$/gm,
    ),
  ].map(([, bound, trace, span, value]) => ({ bound, trace, span, value: Number(value) }));

beforeEach(() => registry.resetMetrics());

describe('withExemplars', () => {
  let close: () => Promise<void> = async () => undefined;
  afterEach(() => close());

  /** Observes within a span, where this part of traces is recorded. Returns the ids of that span. */
  async function observed(
    ratio: number,
    observe: () => void,
    { keptTables, attributes }: { keptTables?: number; attributes?: Record<string, string> } = {},
  ): Promise<{ trace: string; span: string }> {
    const receiver = await startOtlpReceiver();
    const telemetry = startTelemetry({ service: 'gamemaster', endpoint: receiver.url, protocol: 'http/json', ratio, keptTables, log });
    close = async () => {
      await telemetry.close();
      await receiver.close();
    };
    return inSpan('gamemaster', 'a span', { attributes }, (span) => {
      observe();
      const { traceId, spanId } = span.spanContext();
      return { trace: traceId, span: spanId };
    });
  }

  it.each([
    ['a table that is kept', 'table-1', 1],
    ['a table whose traces the collector throws away', 'table-3', 0],
    ['no table', undefined, 1],
  ])('knows whether the collector keeps the trace of %s', async (_, table, many) => {
    const attributes = table === undefined ? {} : { 'maw.table': table };
    await observed(1, () => appendSeconds.observe({ service: 'gamemaster' }, 0.02), { keptTables: 0.5, attributes });
    expect(await exemplars()).toHaveLength(many);
  });

  it('knows it of spans within one that names the table', async () => {
    let inner: Promise<void> | undefined;
    const within = () => void (inner = inSpan('gamemaster', 'inner', {}, () => appendSeconds.observe({ service: 'gamemaster' }, 0.02)));
    await observed(1, within, { keptTables: 0.5, attributes: { 'maw.table': 'table-3' } });
    await inner;
    expect(await exemplars()).toEqual([]);
  });

  it('stores the sampled trace of an observation with its bucket', async () => {
    const ids = await observed(1, () => {
      appendSeconds.observe({ service: 'gamemaster' }, 0.02);
      appendSeconds.observe({ service: 'gamemaster' }, 99);
    });
    expect(await exemplars()).toEqual([
      { bound: '0.025', ...ids, value: 0.02 },
      { bound: '+Inf', ...ids, value: 99 },
    ]);
  });

  it('works with timers too', async () => {
    const ids = await observed(1, () => void appendSeconds.startTimer({ service: 'gamemaster' })());
    expect(await exemplars()).toMatchObject([ids]);
    expect((await appendSeconds.get()).values.find(({ metricName }) => metricName?.endsWith('_count'))).toMatchObject({
      value: 1,
      labels: { service: 'gamemaster' },
    });
  });

  it('stores no unsampled or missing trace', async () => {
    await observed(0, () => appendSeconds.observe({ service: 'gamemaster' }, 0.02));
    appendSeconds.observe({ service: 'gamemaster' }, 0.02);
    expect(await renderOpenMetrics()).toContain('maw_append_duration_seconds_count{service="gamemaster"} 2\n');
    expect(await renderOpenMetrics()).not.toContain(' # {');
  });
});

describe('OpenMetrics', () => {
  it.each([
    ['application/openmetrics-text; version=1.0.0, text/plain;q=0.5', true],
    ['text/plain;q=0.5,application/openmetrics-text;version=0.0.1;q=0.75', true],
    ['text/plain', false],
    ['application/openmetrics-textual', false],
    [undefined, false],
  ])('is chosen by the Accept header: %s', (accept, is) => {
    expect(acceptsOpenMetrics(accept)).toBe(is);
  });
});

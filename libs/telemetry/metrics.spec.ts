import { expect, it } from '@jest/globals';
import { Counter, Histogram } from 'prom-client';
import { metrics, startAtZero } from './metrics.ts';

it('startAtZero shows every combination of labels, and keeps existing counts', async () => {
  const counter = new Counter({ name: 'c', help: 'c', labelNames: ['service', 'reason'], registers: [] });
  counter.inc({ service: 'web', reason: 'late' }, 2);
  startAtZero(counter, { service: ['web', 'player'], reason: ['late', 'failed'] });
  const shown = (await counter.get()).values.map(({ labels, value }) => [labels.service, labels.reason, value]);
  expect(shown).toEqual([
    ['web', 'late', 2],
    ['web', 'failed', 0],
    ['player', 'late', 0],
    ['player', 'failed', 0],
  ]);
});

it('every histogram has rising buckets, each once', () => {
  const histograms = Object.values(metrics).filter((metric) => metric instanceof Histogram) as unknown as { upperBounds: number[] }[];
  const bounds = histograms.map(({ upperBounds }) => upperBounds);
  expect(bounds.length).toBeGreaterThan(5);
  expect(bounds).toEqual(bounds.map((each) => [...new Set(each)].toSorted((a, b) => a - b)));
});

it('operations of models have the buckets that OpenTelemetry recommends', () => {
  const { upperBounds } = metrics.operationSeconds as unknown as { readonly upperBounds: readonly number[] };
  expect(upperBounds).toEqual(Array.from({ length: 14 }, (_, n) => 0.01 * 2 ** n));
});

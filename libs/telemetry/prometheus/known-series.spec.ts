import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Counter, Histogram, Registry } from 'prom-client';
import { countDirectly, observeDirectly } from './known-series.ts';

const registers: Registry[] = [];
const about = { name: 'm', help: 'm', labelNames: ['service', 'reason'] as const, registers };
const labels = fc.record(
  { service: fc.constantFrom('web', 'player'), reason: fc.constantFrom('late', 'web', '') },
  { requiredKeys: ['service'] },
);
const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ labels, value: fc.constantFrom(0, 0.5, 1, 2, 7) }) },
  fc.record({ labels, remove: fc.constant(true) }),
  fc.record({ reset: fc.constant(true) }),
);
type Step = { labels?: { service?: string; reason?: string }; value?: number };

describe('metrics that know their series', () => {
  it.each([
    ['a counter', () => new Counter(about), (plain: Counter) => countDirectly(plain), 'inc'],
    ['a histogram', () => new Histogram({ ...about, buckets: [0.5, 1, 5] }), (plain: Histogram) => observeDirectly(plain), 'observe'],
  ] as const)('%s shows the same as one that does not', async (_, make, direct, record) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [plain, quick] = [make(), (direct as (m: unknown) => ReturnType<typeof make>)(make())] as never[] as {
          [method: string]: (...given: unknown[]) => unknown;
        }[];
        for (const one of steps as Step[])
          for (const metric of [plain!, quick!])
            if (one.value !== undefined) metric[record]!(one.labels, one.value);
            else if (one.labels?.reason !== undefined) metric['remove']!(one.labels.service, one.labels.reason);
            else if (one.labels) metric['remove']!(one.labels);
            else metric['reset']!();
        expect(await quick!['get']!()).toEqual(await plain!['get']!());
      }),
    );
  });

  it('still refuse what is no number, and labels nobody declared', () => {
    const counter = countDirectly(new Counter(about));
    const histogram = observeDirectly(new Histogram(about));
    for (const value of [1, 2]) {
      counter.inc({ service: 'web' }, value);
      histogram.observe({ service: 'web' }, value);
    }
    expect(() => counter.inc({ service: 'web' }, Infinity)).toThrow('not a valid number');
    expect(() => counter.inc({ service: 'web' }, -1)).toThrow('decrease');
    for (const value of [NaN, Infinity]) expect(() => histogram.observe({ service: 'web' }, value)).toThrow('not a valid number');
    expect(() => counter.inc({ agent: 'a' } as never)).toThrow('agent');
  });
});

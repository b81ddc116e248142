import type { Counter, Histogram } from 'prom-client';

type Labels = Readonly<Record<string, string | number | undefined>>;

interface CounterSeries {
  readonly labels: Labels;
  value: number;
}

interface HistogramSeries {
  readonly labels: Labels;
  readonly bucketValues: { [bound: string]: number };
  sum: number;
  count: number;
}

/** What prom-client keeps of a metric, by a text of its labels. */
interface Stored<S> {
  readonly labelNames: readonly string[];
  readonly hashMap: { readonly [labels: string]: S };
  remove(...labels: unknown[]): void;
  reset(): void;
}

/** Series by the values of their labels: nested maps, one for each label. */
function seriesOf<S extends { readonly labels: Labels }>(metric: Stored<S>) {
  const names = metric.labelNames;
  const { remove, reset } = metric;
  const byValue = new Map<unknown, unknown>();

  function find(labels: Labels): S | undefined {
    if (names.length === 0 || typeof labels !== 'object') return undefined; // prom-client takes a value alone too
    let found: unknown = byValue;
    for (const name of names) {
      found = (found as ReadonlyMap<unknown, unknown>).get(labels[name]);
      if (found === undefined) return undefined;
    }
    return found as S;
  }

  return {
    find,
    /** Remembers the series that prom-client has made for these labels. */
    learn(labels: Labels): void {
      if (names.length === 0 || typeof labels !== 'object') return;
      const made = Object.values(metric.hashMap).find((series) => names.every((name) => series.labels[name] === labels[name]));
      if (!made) return;
      let level = byValue;
      for (const name of names.slice(0, -1)) {
        const next = (level.get(labels[name]) ?? new Map<unknown, unknown>()) as Map<unknown, unknown>;
        level.set(labels[name], next);
        level = next;
      }
      level.set(labels[names.at(-1)!], made);
    },
    /** The methods of the metric that drop series. */
    dropping: {
      remove(...labels: unknown[]): void {
        byValue.clear();
        remove.apply(metric, labels);
      },
      reset(): void {
        byValue.clear();
        reset.call(metric);
      },
    },
  };
}

/**
 * Makes a counter add to series it knows directly. prom-client builds a text of the labels each time and looks that up, which takes ten times as
 * long; it still creates series, and reports them.
 */
export function countDirectly<L extends string>(counter: Counter<L>): Counter<L> {
  const series = seriesOf(counter as unknown as Stored<CounterSeries>);
  const create = counter.inc.bind(counter) as (labels: Labels, value: number | undefined) => void;
  return Object.assign(counter, {
    inc(labels: Labels, value?: number): void {
      const known = value === undefined || (value >= 0 && value !== Infinity) ? series.find(labels) : undefined;
      if (known) known.value += value ?? 1;
      else {
        create(labels, value);
        series.learn(labels);
      }
    },
    ...series.dropping,
  }) as unknown as Counter<L>;
}

/** The same for observations without exemplars. */
export function observeDirectly<L extends string>(histogram: Histogram<L>): Histogram<L> {
  const internals = histogram as unknown as Stored<HistogramSeries> & {
    readonly upperBounds: readonly number[];
    readonly enableExemplars: boolean;
    observeWithoutExemplar(labels: Labels, value: number): void;
  };
  const series = seriesOf(internals);
  const bounds = internals.upperBounds;
  const keys = bounds.map(String);
  const create = internals.observeWithoutExemplar.bind(histogram);

  function observe(labels: Labels, value: number): void {
    const known = Number.isFinite(value) ? series.find(labels) : undefined;
    if (!known) {
      create(labels, value);
      series.learn(labels);
      return;
    }
    known.sum += value;
    known.count++;
    const key = keys[bounds.findIndex((bound) => value <= bound)];
    if (key !== undefined) known.bucketValues[key]!++;
  }

  return Object.assign(histogram, {
    observeWithoutExemplar: observe,
    ...(internals.enableExemplars ? {} : { observe }),
    ...series.dropping,
  }) as unknown as Histogram<L>;
}

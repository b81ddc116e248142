/** A histogram of Prometheus: the number of observations up to each upper bound; the last bound is Infinity. */
export type Histogram = ReadonlyMap<number, number>;

/** The buckets of a histogram with these labels, on a page of Prometheus; empty when it is not there. */
export function histogramFrom(page: string, metric: string, labels: { readonly [name: string]: string }): Histogram {
  const buckets = new Map<number, number>();
  for (const line of page.split('\n')) {
    if (!line.startsWith(`${metric}_bucket{`)) continue;
    if (!Object.entries(labels).every(([name, value]) => new RegExp(`[{,]${name}="${value}"[,}]`).test(line))) continue;
    const bound = /[{,]le="([^"]+)"/.exec(line)![1]!;
    const at = bound === '+Inf' ? Infinity : Number(bound);
    buckets.set(at, (buckets.get(at) ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1)));
  }
  return buckets;
}

/** The sum of several: `times` 1 adds one, -1 subtracts it. */
export function sumOfHistograms(parts: readonly (readonly [buckets: Histogram, times: 1 | -1])[]): Histogram {
  const sum = new Map<number, number>();
  for (const [buckets, times] of parts) for (const [bound, n] of buckets) sum.set(bound, (sum.get(bound) ?? 0) + times * n);
  return sum;
}

/**
 * The value below which a share of the observations lies, as Prometheus estimates it: within its bucket it is taken to lie evenly. Of what is
 * beyond all bounds only the last bound is known. NaN when nothing was observed.
 */
export function quantileOf(buckets: Histogram, share: number): number {
  const bounds = [...buckets].toSorted(([a], [b]) => a - b);
  const all = bounds.at(-1)?.[1] ?? 0;
  if (!all) return Number.NaN;
  let [below, before] = [0, 0];
  for (const [bound, n] of bounds) {
    if (n >= share * all)
      return bound === Infinity ? below : below + (bound - below) * (n === before ? 1 : (share * all - before) / (n - before));
    [below, before] = [bound, n];
  }
  return below;
}

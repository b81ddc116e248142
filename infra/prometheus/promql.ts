import type { Counter, Gauge, Histogram } from 'prom-client';

/** A metric declared elsewhere: by RabbitMQ, the runtime, or Prometheus itself. */
export interface ExternalMetric<L extends string> {
  readonly name: string;
  readonly labels: readonly L[];
}

export type AnyMetric<L extends string> = Counter<L> | Gauge<L> | ExternalMetric<L>;

/** The labels that Prometheus adds to every series. */
type ScrapeLabel = 'job' | 'instance';

/** A label matcher: =, =~, != or !~. A pattern may use a variable of the dashboard. */
type Matcher = string | { readonly like: string } | { readonly not: string } | { readonly unlike: string };
export type Matchers<L extends string> = { readonly [K in L | ScrapeLabel]?: Matcher };

export interface Grouping<L extends string> {
  readonly by?: readonly (NoInfer<L> | ScrapeLabel)[];
  readonly where?: Matchers<NoInfer<L>>;
  /** The window of a rate; default: `$__rate_interval`. */
  readonly per?: string;
}

/** At least four scrapes long in Grafana. */
const WINDOW = '$__rate_interval';

/** The name of a declared metric. */
export const nameOf = (metric: object): string => (metric as { readonly name: string }).name;

/** The selector of a metric. */
export const series = <L extends string>(metric: AnyMetric<L>, where: Matchers<NoInfer<L>> = {}): string =>
  `${nameOf(metric)}${braces(where)}`;

/** Growth per second of a counter, summed over all labels that are not named. */
export const rate = <L extends string>(
  metric: Counter<L> | ExternalMetric<L>,
  { by, where = {}, per = WINDOW }: Grouping<L> = {},
): string => `sum${group(by)} (rate(${series(metric, where)}[${per}]))`;

/** Growth within the window. */
export const increase = <L extends string>(
  metric: Counter<L> | ExternalMetric<L>,
  { by, where = {}, per = WINDOW }: Grouping<L> = {},
): string => `sum${group(by)} (increase(${series(metric, where)}[${per}]))`;

/**
 * As `increase`, but it counts the first event too: for PromQL a series that begins at 1 has not increased. Counter resets count as nothing.
 */
export function increaseWithFirst<L extends string>(metric: Counter<L>, { by, where = {}, per = WINDOW }: Grouping<L>): string {
  const now = `sum${group(by)} (${series(metric, where)})`;
  return `clamp_min(${now} - (sum${group(by)} (${series(metric, where)} offset ${per}) or ${now} * 0), 0)`;
}

/** A gauge over all replicas: `sum`, or `max` if each replica reports the same. */
export const sum = <L extends string>(metric: Gauge<L> | ExternalMetric<L>, about: Grouping<L> = {}): string =>
  aggregate('sum', metric, about);
export const max = <L extends string>(metric: Gauge<L> | ExternalMetric<L>, about: Grouping<L> = {}): string =>
  aggregate('max', metric, about);
/** The sum over all values of `label`, for a gauge that each replica reports whole. */
export const sumOfMax = <L extends string>(metric: Gauge<L>, label: NoInfer<L>): string => `sum (${max(metric, { by: [label] })})`;
export const min = <L extends string>(metric: Gauge<L> | ExternalMetric<L>, about: Grouping<L> = {}): string =>
  aggregate('min', metric, about);
/** The largest absolute value. */
export const maxAbsolute = <L extends string>(metric: Gauge<L>, { by, where = {} }: Grouping<L> = {}): string =>
  `max${group(by)} (abs(${series(metric, where)}))`;

const aggregate = <L extends string>(how: string, metric: AnyMetric<L>, { by, where = {} }: Grouping<L>): string =>
  `${how}${group(by)} (${series(metric, where)})`;

export const quantile = <L extends string>(
  share: number,
  metric: Histogram<L>,
  { by = [], where = {}, per = WINDOW }: Grouping<L> = {},
): string => `histogram_quantile(${share}, sum by (${['le', ...by].join(', ')}) (rate(${nameOf(metric)}_bucket${braces(where)}[${per}])))`;

/** Observations per second. */
export const count = <L extends string>(metric: Histogram<L>, { by, where = {}, per = WINDOW }: Grouping<L> = {}): string =>
  `sum${group(by)} (rate(${nameOf(metric)}_count${braces(where)}[${per}]))`;

/** What is observed, per second. */
export const summed = <L extends string>(metric: Histogram<L>, { by, where = {}, per = WINDOW }: Grouping<L> = {}): string =>
  `sum${group(by)} (rate(${nameOf(metric)}_sum${braces(where)}[${per}]))`;

export const mean = <L extends string>(metric: Histogram<L>, about: Grouping<L> = {}): string =>
  ratio(summed(metric, about), count(metric, about));

export const ratio = (one: string, other: string): string => `${one} / ${other}`;

const group = (by: readonly string[] | undefined): string => (by?.length ? ` by (${by.join(', ')})` : '');

function braces(where: { readonly [label: string]: Matcher | undefined }): string {
  const fits = Object.entries(where).flatMap(([label, fit]) => (fit === undefined ? [] : [`${label}${matcher(fit)}`]));
  return fits.length ? `{${fits.join(', ')}}` : '';
}

function matcher(fit: Matcher): string {
  if (typeof fit === 'string') return `=${JSON.stringify(fit)}`;
  if ('like' in fit) return `=~${JSON.stringify(fit.like)}`;
  return 'not' in fit ? `!=${JSON.stringify(fit.not)}` : `!~${JSON.stringify(fit.unlike)}`;
}

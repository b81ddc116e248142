import type { Counter, Gauge, Histogram } from 'prom-client';

/** What is declared elsewhere: by RabbitMQ, by the runtime, by Prometheus itself. */
export interface Foreign<L extends string> {
  readonly name: string;
  readonly labels: readonly L[];
}

/** Anything with a value at a time. */
export type Measured<L extends string> = Counter<L> | Gauge<L> | Foreign<L>;

/** What Prometheus adds to every series. */
type Place = 'job' | 'instance';

/** A value as it stands, a pattern, or neither of them. A pattern may name a variable of the board. */
type Fits = string | { readonly like: string } | { readonly not: string } | { readonly unlike: string };
export type Where<L extends string> = { readonly [K in L | Place]?: Fits };

export interface Grouped<L extends string> {
  readonly by?: readonly (NoInfer<L> | Place)[];
  readonly where?: Where<NoInfer<L>>;
  /** The window of a rate; what fits the board when not given. */
  readonly per?: string;
}

/** The window of a board: Grafana makes it at least four scrapes long. */
const WINDOW = '$__rate_interval';

/** The name of a metric: there is no other way to it than by the declaration. */
export const nameOf = (metric: object): string => (metric as { readonly name: string }).name;

/** All series of a metric that fit. */
export const series = <L extends string>(metric: Measured<L>, where: Where<NoInfer<L>> = {}): string => `${nameOf(metric)}${braces(where)}`;

/** How much it grows in a second: of a counter, summed over everything that is not named. */
export const rate = <L extends string>(metric: Counter<L> | Foreign<L>, { by, where = {}, per = WINDOW }: Grouped<L> = {}): string =>
  `sum${group(by)} (rate(${series(metric, where)}[${per}]))`;

/** How much it has grown within the window. */
export const increase = <L extends string>(metric: Counter<L> | Foreign<L>, { by, where = {}, per = WINDOW }: Grouped<L> = {}): string =>
  `sum${group(by)} (increase(${series(metric, where)}[${per}]))`;

/**
 * As `increase`, but it sees the first one too: a series that begins at 1 has not increased. What it fell by when a process began anew does
 * not count.
 */
export function grown<L extends string>(metric: Counter<L>, { by, where = {}, per = WINDOW }: Grouped<L>): string {
  const now = `sum${group(by)} (${series(metric, where)})`;
  return `clamp_min(${now} - (sum${group(by)} (${series(metric, where)} offset ${per}) or ${now} * 0), 0)`;
}

/** The value itself, of all that show it: their sum, or the largest where each of them shows the same. */
export const sum = <L extends string>(metric: Gauge<L> | Foreign<L>, about: Grouped<L> = {}): string => folded('sum', metric, about);
export const max = <L extends string>(metric: Gauge<L> | Foreign<L>, about: Grouped<L> = {}): string => folded('max', metric, about);
export const min = <L extends string>(metric: Gauge<L> | Foreign<L>, about: Grouped<L> = {}): string => folded('min', metric, about);
/** The value that is farthest from nought, whichever way. */
export const farthest = <L extends string>(metric: Gauge<L>, { by, where = {} }: Grouped<L> = {}): string =>
  `max${group(by)} (abs(${series(metric, where)}))`;

const folded = <L extends string>(how: string, metric: Measured<L>, { by, where = {} }: Grouped<L>): string =>
  `${how}${group(by)} (${series(metric, where)})`;

/** The value below which a share of all observations lies. */
export const quantile = <L extends string>(
  share: number,
  metric: Histogram<L>,
  { by = [], where = {}, per = WINDOW }: Grouped<L> = {},
): string => `histogram_quantile(${share}, sum by (${['le', ...by].join(', ')}) (rate(${nameOf(metric)}_bucket${braces(where)}[${per}])))`;

/** How many observations there are in a second. */
export const count = <L extends string>(metric: Histogram<L>, { by, where = {}, per = WINDOW }: Grouped<L> = {}): string =>
  `sum${group(by)} (rate(${nameOf(metric)}_count${braces(where)}[${per}]))`;

/** The mean of all observations. */
export const mean = <L extends string>(metric: Histogram<L>, about: Grouped<L> = {}): string =>
  over(`sum${group(about.by)} (rate(${nameOf(metric)}_sum${braces(about.where ?? {})}[${about.per ?? WINDOW}]))`, count(metric, about));

/** One by another. */
export const over = (one: string, other: string): string => `${one} / ${other}`;

const group = (by: readonly string[] | undefined): string => (by?.length ? ` by (${by.join(', ')})` : '');

function braces(where: { readonly [label: string]: Fits | undefined }): string {
  const fits = Object.entries(where).flatMap(([label, fit]) => (fit === undefined ? [] : [`${label}${matcher(fit)}`]));
  return fits.length ? `{${fits.join(', ')}}` : '';
}

function matcher(fit: Fits): string {
  if (typeof fit === 'string') return `=${JSON.stringify(fit)}`;
  if ('like' in fit) return `=~${JSON.stringify(fit.like)}`;
  return 'not' in fit ? `!=${JSON.stringify(fit.not)}` : `!~${JSON.stringify(fit.unlike)}`;
}

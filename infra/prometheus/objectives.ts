import { metrics } from '@maw/telemetry/metrics.ts';
import { nameOf, rate } from './promql.ts';

/** What is promised to players, as a share of events that are good. */
export interface Objective {
  /** The label `slo`. */
  readonly name: string;
  /** What is counted, and what is good. */
  readonly says: string;
  /** The share that is to be good, over 30 days. */
  readonly share: number;
  /** Events per second within a window, such as `5m`: all, and those that are not good. */
  readonly all: (window: string) => string;
  readonly bad: (window: string) => string;
}

/** An alarm that is handled within this many seconds is in time: a bucket of its histogram. */
const IN_TIME_S = '2.5';
const alarms = nameOf(metrics.alarmsLate);

export const objectives: readonly Objective[] = [
  {
    name: 'answers',
    says: 'questions to minds; good: the mind answered, and not the default of the rules',
    share: 0.95,
    all: (per) => rate(metrics.decisions, { per }),
    bad: (per) => rate(metrics.decisions, { per, where: { outcome: 'defaulted' } }),
  },
  {
    name: 'phases',
    says: `ends of phases; good: at most ${IN_TIME_S} s late`,
    share: 0.99,
    all: (per) => `sum (rate(${alarms}_count[${per}]))`,
    bad: (per) => `sum (rate(${alarms}_count[${per}])) - sum (rate(${alarms}_bucket{le="${IN_TIME_S}"}[${per}]))`,
  },
  {
    name: 'requests',
    says: 'HTTP requests; good: a status below 500',
    share: 0.995,
    all: (per) => rate(metrics.requests, { per }),
    bad: (per) => rate(metrics.requests, { per, where: { status: { like: '5..' } } }),
  },
];

/** The windows of the recorded series. */
export const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const;
export type Window = (typeof WINDOWS)[number];

/**
 * The recorded series of a window: how fast each objective uses up what it allows to be bad. At 1 all of it is gone after 30 days, at 14.4 after two
 * (Site Reliability Workbook, chapter 5, Google 2018).
 */
export const burnOf = (window: Window): string => `maw:slo_burn:rate${window}`;

/** One recording rule. */
export interface Recording {
  readonly record: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The rules that record them. Without events there is no series. */
export const recordings: readonly Recording[] = objectives.flatMap(({ name, share, all, bad }) =>
  WINDOWS.map((window) => ({
    record: burnOf(window),
    expr: `((${bad(window)}) or vector(0)) / ((${all(window)}) > 0) / ${(1 - share).toFixed(3)}`,
    labels: { slo: name },
  })),
);

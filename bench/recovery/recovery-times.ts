import { median } from '../figures.ts';

/** How long the throughput is measured before the kill. */
export const BASE_MS = 10_000;
/** The throughput counts as restored when a window of this length has this share of it: games vary from second to second. */
const WINDOW_MS = 3_000;
const ENOUGH = 0.8;
const STEP_MS = 100;

/** A piece of work: when it was seen, and its table, if any. Times are milliseconds since the epoch. */
export interface Mark {
  readonly seen: number;
  readonly table?: string;
}

/** Milliseconds since the kill. NaN: it did not happen while it was waited for. */
export interface RecoveryTimes {
  /** Until the first work after the kill. */
  readonly first: number;
  /** Until each table in play had gone on or ended. NaN also where marks name no table. */
  readonly all: number;
  /** Until the throughput was restored: the start of the first three seconds with at least 80 % of the throughput of the ten before. */
  readonly back: number;
  /** Until the killed process or server was ready again. */
  readonly ready: number;
}

/**
 * @param marks in the order in which they were seen
 * @param playing the tables in play at the kill
 * @param now everything up to here was seen
 */
export function timesOf(
  marks: readonly Mark[],
  { killedAt, playing, now }: { readonly killedAt: number; readonly playing: ReadonlySet<string>; readonly now: number },
): Omit<RecoveryTimes, 'ready'> {
  const later = marks.filter(({ seen }) => seen >= killedAt);
  const first = new Map<string, number>();
  for (const { table, seen } of later) if (table !== undefined && !first.has(table)) first.set(table, seen);
  const went = [...playing].map((table) => first.get(table) ?? Number.NaN);
  return {
    first: (later[0]?.seen ?? Number.NaN) - killedAt,
    all: (went.length ? Math.max(...went) : Number.NaN) - killedAt,
    back: backAfter(
      marks.map(({ seen }) => seen),
      { killedAt, first: later[0]?.seen ?? now, now },
    ),
  };
}

function backAfter(
  seen: readonly number[],
  { killedAt, first, now }: { readonly killedAt: number; readonly first: number; readonly now: number },
): number {
  const between = (from: number, to: number): number => seen.filter((at) => at >= from && at < to).length;
  const wanted = (between(killedAt - BASE_MS, killedAt) * WINDOW_MS * ENOUGH) / BASE_MS;
  for (let from = first; from + WINDOW_MS <= now; from += STEP_MS) if (between(from, from + WINDOW_MS) >= wanted) return from - killedAt;
  return Number.NaN;
}

/** The times after one kind of kill. */
export interface KillTimes {
  readonly kill: string;
  readonly times: readonly RecoveryTimes[];
}

/** Medians and ranges in seconds, as a Markdown table. */
export function recoveryTable(all: readonly KillTimes[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['kill', 'first done after it, s', 'each table gone on, s', 'as much done as before, s', 'ready again, s', 'times']),
    row(Array.from({ length: 6 }, () => '---')),
    ...all.map(({ kill, times }) => {
      const cell = (of: (times: RecoveryTimes) => number): string => secondsOf(times.map(of));
      return row([
        kill,
        cell(({ first }) => first),
        cell((one) => one.all),
        cell(({ back }) => back),
        cell(({ ready }) => ready),
        `${times.length}`,
      ]);
    }),
  ].join('\n');
}

/** The median and the range, in seconds, and how often there was no value. */
export function secondsOf(times: readonly number[]): string {
  const known = times.filter((ms) => !Number.isNaN(ms));
  if (!known.length) return '';
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  const lacking = times.length - known.length;
  const range = `${seconds(median(known))} (${seconds(Math.min(...known))} to ${seconds(Math.max(...known))})`;
  return lacking ? `${range}, ${lacking} times not` : range;
}

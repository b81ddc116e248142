import { machine, median } from '../figures.ts';

/** How long before a blow it is seen how much is done, in milliseconds. */
export const BASE_MS = 10_000;
/** Over how long it is seen whether as much is done again, and which part of it is enough: games do not do the same each second. */
const WINDOW_MS = 3_000;
const ENOUGH = 0.8;
const STEP_MS = 100;

/** Something that was done: when it was seen, and at which table, when it was at one. Times are milliseconds since the epoch. */
export interface Mark {
  readonly seen: number;
  readonly table?: string;
}

/** From a blow on, in milliseconds; NaN: it did not come while it was waited for. */
export interface Times {
  /** Until the first of what was done after it. */
  readonly first: number;
  /** Until each table that was being played had gone on, or was over; NaN also where tables do not tell. */
  readonly all: number;
  /** Until as much was done again as before: the beginning of the first three seconds, from the first thing done on, that have at least 80 % of what ten before the blow had. */
  readonly back: number;
  /** Until whoever was struck said that it is ready again. */
  readonly ready: number;
}

/**
 * What can be said of a blow by what was done before and after it.
 * @param marks in the order in which they were seen; those after the blow have come about after it
 * @param playing the tables that were being played
 * @param now up to when everything was seen
 */
export function timesOf(
  marks: readonly Mark[],
  { blow, playing, now }: { readonly blow: number; readonly playing: ReadonlySet<string>; readonly now: number },
): Omit<Times, 'ready'> {
  const later = marks.filter(({ seen }) => seen >= blow);
  const first = new Map<string, number>();
  for (const { table, seen } of later) if (table !== undefined && !first.has(table)) first.set(table, seen);
  const went = [...playing].map((table) => first.get(table) ?? Number.NaN);
  return {
    first: (later[0]?.seen ?? Number.NaN) - blow,
    all: (went.length ? Math.max(...went) : Number.NaN) - blow,
    back: backAfter(
      marks.map(({ seen }) => seen),
      { blow, first: later[0]?.seen ?? now, now },
    ),
  };
}

function backAfter(
  seen: readonly number[],
  { blow, first, now }: { readonly blow: number; readonly first: number; readonly now: number },
): number {
  const between = (from: number, to: number): number => seen.filter((at) => at >= from && at < to).length;
  const wanted = (between(blow - BASE_MS, blow) * WINDOW_MS * ENOUGH) / BASE_MS;
  for (let from = first; from + WINDOW_MS <= now; from += STEP_MS) if (between(from, from + WINDOW_MS) >= wanted) return from - blow;
  return Number.NaN;
}

/** What came of one kind of blow, each time. */
export interface Struck {
  readonly blow: string;
  readonly times: readonly Times[];
}

/** Medians and ranges as Markdown, in seconds. */
export function recoveryText(all: readonly Struck[], words: string): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `\n### recovery\n\n${machine()}\n\n${words}\n`,
    row(['blow', 'first done after it, s', 'each table gone on, s', 'as much done as before, s', 'ready again, s', 'times']),
    row(Array.from({ length: 6 }, () => '---')),
    ...all.map(({ blow, times }) => {
      const cell = (of: (times: Times) => number): string => secondsOf(times.map(of));
      return row([
        blow,
        cell(({ first }) => first),
        cell((one) => one.all),
        cell(({ back }) => back),
        cell(({ ready }) => ready),
        `${times.length}`,
      ]);
    }),
    '',
  ].join('\n');
}

/** The median and the range, in seconds, and how often there was nothing to measure, if ever. */
export function secondsOf(times: readonly number[]): string {
  const known = times.filter((ms) => !Number.isNaN(ms));
  if (!known.length) return '';
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  const lacking = times.length - known.length;
  const range = `${seconds(median(known))} (${seconds(Math.min(...known))} to ${seconds(Math.max(...known))})`;
  return lacking ? `${range}, ${lacking} times not` : range;
}

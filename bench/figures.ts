import { cpus, totalmem } from 'node:os';

/** The middle of some numbers; of an even count the lower of the two. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN;

/** The value below which a share of the numbers lies (nearest rank). */
export const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
};

/** Where and when something was measured. */
export const machine = (): string =>
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;

export interface Figure {
  readonly what: string;
  readonly unit: string;
  /** One number for each run. */
  readonly runs: readonly number[];
}

const round = (n: number): string => (Math.abs(n) >= 100 ? n.toFixed(0) : Math.abs(n) >= 10 ? n.toFixed(1) : n.toFixed(2));

/** Figures as a Markdown table: the median, and the range of the runs. */
export const figuresTable = (figures: readonly Figure[]): string =>
  [
    '| measure | median | range | unit | runs |',
    '| --- | --- | --- | --- | --- |',
    ...figures.map(
      ({ what, unit, runs }) =>
        `| ${what} | ${round(median(runs))} | ${round(Math.min(...runs))} to ${round(Math.max(...runs))} | ${unit} | ${runs.length} |`,
    ),
  ].join('\n');

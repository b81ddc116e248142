/** Prints a line on standard output. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints a line on standard error, beside the results. */
export const aside = (line: string): void => void process.stderr.write(`${line}\n`);

/** `1 table`, `2 tables`. */
export const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

type Rows = readonly (readonly string[])[];

/** Rows of words under each other; the last column is as long as it is. */
export function columns(rows: Rows, indent = '  '): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length))) ?? [];
  const lineOf = (row: readonly string[]): string => row.map((word, i) => (i < row.length - 1 ? word.padEnd(widths[i]!) : word)).join('  ');
  return rows.map((row) => (indent + lineOf(row)).trimEnd());
}

/** The same with all but the first column aligned at the right, for numbers. */
export function numberColumns(rows: Rows, indent = ''): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows.map((row) => indent + row.map((cell, i) => (i ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  ')).join('\n');
}

export const sayColumns = (rows: Rows, indent = ''): void => columns(rows, indent).forEach(say);

interface Listing<T> {
  /** What is said where there is nothing. */
  readonly none: string;
  readonly header: readonly string[];
  row(one: T): readonly string[];
}

/** Prints what was found: a line of JSON each for programs, else a table. */
export function sayList<T extends object>(found: readonly T[], isJson: boolean, { none, header, row }: Listing<T>): void {
  if (isJson) for (const one of found) say(JSON.stringify(one));
  else if (found.length) sayColumns([header, ...found.map(row)]);
  else say(none);
}

/** `2026-11-27`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Rows of words under each other; the last column is as long as it is. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length))) ?? [];
  return rows.map(
    (row) =>
      indent +
      row
        .map((word, i) => (i < row.length - 1 ? word.padEnd(widths[i]!) : word))
        .join('  ')
        .trimEnd(),
  );
}

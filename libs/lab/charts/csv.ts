/** Rows as lines of CSV (RFC 4180); only cells that need quotes have them. */
export const csvLines = (rows: readonly (readonly (string | number)[])[]): readonly string[] =>
  rows.map((row) => row.map((cell) => quoted(String(cell))).join(','));

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Rows of numbers that are mostly 0: of row r the columns `columns[starts[r] .. starts[r + 1]]`, and their values at the same places. */
export interface SparseRows {
  readonly dimension: number;
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

/** The columns of one row that are not 0, with their values; such as a map. */
export interface SparseRow extends Iterable<readonly [number, number]> {
  readonly size: number;
}

export function sparseRows(rows: readonly SparseRow[], dimension: number): SparseRows {
  const count = rows.reduce((sum, { size }) => sum + size, 0);
  const out = { dimension, starts: new Int32Array(rows.length + 1), columns: new Int32Array(count), values: new Float32Array(count) };
  let at = 0;
  for (const [r, row] of rows.entries()) {
    for (const [column, value] of row) {
      out.columns[at] = column;
      out.values[at++] = value;
    }
    out.starts[r + 1] = at;
  }
  return out;
}

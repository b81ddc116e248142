/** A square matrix by rows: the element at row i, column j is at `i * size + j`. */
export interface Matrix {
  readonly size: number;
  readonly elements: Float64Array;
}

export const zeroMatrix = (size: number): Matrix => ({ size, elements: new Float64Array(size * size) });

/** The lower triangle of a Cholesky factorisation, and how many rows are independent of those before them. */
export interface Cholesky {
  readonly lower: Matrix;
  readonly rank: number;
}

/** Relative to its diagonal element, a pivot below this is rounding: the row depends on those before it. */
const DEPENDENT = 1e-10;

/**
 * Factorises a symmetric positive semidefinite matrix, of which the lower triangle is read. A row that depends on those before it gets an
 * infinite pivot, so that solving leaves its unknown at 0: a generalised inverse.
 */
export function cholesky({ size, elements }: Matrix): Cholesky {
  const lower = zeroMatrix(size);
  const at = lower.elements;
  let rank = 0;
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = elements[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= at[i * size + k]! * at[j * size + k]!;
      if (j < i) at[i * size + j] = sum / at[j * size + j]!;
      else {
        const isIndependent = sum > DEPENDENT * elements[i * size + i]!;
        at[i * size + i] = isIndependent ? Math.sqrt(sum) : Infinity;
        if (isIndependent) rank++;
      }
    }
  return { lower, rank };
}

/** Solves A x = b for the factorised A. */
export function solve({ lower: { size, elements } }: Cholesky, b: Float64Array): Float64Array {
  const x = Float64Array.from(b);
  for (let i = 0; i < size; i++) {
    let sum = x[i]!;
    for (let k = 0; k < i; k++) sum -= elements[i * size + k]! * x[k]!;
    x[i] = sum / elements[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < size; k++) sum -= elements[k * size + i]! * x[k]!;
    x[i] = sum / elements[i * size + i]!;
  }
  return x;
}

import { best } from './retrieve.ts';

export interface VectorIndex {
  /** The positions of the `most` vectors with the highest cosines above `above`, best first. */
  find(query: ArrayLike<number>, most: number, above: number): readonly number[];
}

/**
 * Compares the query with every vector, so the search is exact up to the rounding of 32-bit floats.
 * @param vectors of one number of dimensions; an absent one has the cosine 0
 */
export function vectorIndex(vectors: readonly (ArrayLike<number> | undefined)[], dimensions: number): VectorIndex {
  const floats = new Float32Array(vectors.length * dimensions);
  for (const [row, vector] of vectors.entries()) if (vector) floats.set(unit(vector), row * dimensions);
  return {
    find(query, most, above) {
      const wanted = unit(query);
      const products = new Float32Array(vectors.length);
      for (let row = 0, at = 0; row < vectors.length; row++) {
        let product = 0;
        for (let d = 0; d < dimensions; d++) product += floats[at++]! * wanted[d]!;
        products[row] = product;
      }
      return best(products, most, above);
    },
  };
}

/** The vector with the length 1. */
function unit(vector: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(vector);
  const length = Math.sqrt(values.reduce((sum, each) => sum + each * each, 0));
  return length ? values.map((each) => each / length) : values;
}

import { best } from './retrieve.ts';
import { vectorMemory } from './vector-products.ts';

export interface VectorIndex {
  /** The positions of the `most` vectors with the highest cosines above `above`, best first. */
  find(query: ArrayLike<number>, most: number, above: number): readonly number[];
}

const FLOAT_BYTES = 4;
/** Dimensions that are multiplied together; vectors are filled up with zeros. */
const STRIDE = 8;

/**
 * Compares the query with every vector, so the search is exact up to the rounding of 32-bit floats.
 * @param vectors of one number of dimensions; an absent one has the cosine 0
 */
export function vectorIndex(vectors: readonly (ArrayLike<number> | undefined)[], dimensions: number): VectorIndex {
  const width = Math.ceil(dimensions / STRIDE) * STRIDE;
  const bytes = width * FLOAT_BYTES;
  const end = vectors.length * bytes;
  const { buffer, computeProducts } = vectorMemory(end + bytes + vectors.length * FLOAT_BYTES);
  const floats = new Float32Array(buffer);
  const products = new Float32Array(buffer, end + bytes, vectors.length);
  for (const [row, vector] of vectors.entries()) if (vector) floats.set(unit(vector), row * width);
  return {
    find(query, most, above) {
      floats.set(unit(query), end / FLOAT_BYTES);
      computeProducts(0, end, bytes, end, end + bytes);
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

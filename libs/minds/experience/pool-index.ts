import { stepOf } from '@maw/games/kernel/question.ts';
import { kindOfDecision } from '../decision-kind.ts';
import type { Asking, Experience, ExperienceIndex, Moment } from '../mind.ts';
import { best } from './retrieve.ts';
import { type WordIndex, wordIndex } from './word-index.ts';

/** An entry of a pool as it is stored. */
export interface StoredExperience extends Experience {
  readonly branch: string;
  /** The embedding of the reflection. */
  readonly vector?: Float32Array;
}

/** What kind of decision experience is about: choices in secret by their step, as poison is not protection. */
export function branchOf(moment: Pick<Moment, 'rules' | 'mustChoose'> & { readonly questions: readonly Asking[] }): string {
  const kind = kindOfDecision(moment);
  const [first] = moment.questions;
  return kind === 'secret-choice' && first ? stepOf(first.id) : kind;
}

interface Branch {
  readonly entries: readonly Experience[];
  readonly vectors: VectorIndex | undefined;
  words?: Promise<WordIndex>;
}

/**
 * Experience in memory. The search is exact: it finds what a comparison with every entry of the branch finds.
 * @param embeddedBy the model of the vectors. A pool without vectors is searched by words.
 * @throws Error when the vectors have several numbers of dimensions
 */
export function poolIndex(pool: string, embeddedBy: string | undefined, stored: readonly StoredExperience[]): ExperienceIndex {
  const dimensions = stored.find(({ vector }) => vector)?.vector?.length ?? 0;
  const model = dimensions ? embeddedBy : undefined;
  const other = stored.find(({ vector }) => vector && vector.length !== dimensions)?.vector;
  if (other) throw new Error(`the pool ${pool} mixes vectors of ${dimensions} and ${other.length} dimensions; build or import it again`);
  const branches = new Map<string, Branch>();
  for (const [branch, entries] of Map.groupBy(stored, (entry) => entry.branch)) {
    const vectors = model === undefined ? undefined : vectorIndex(entries.map(({ vector }) => vector), dimensions); // prettier-ignore
    branches.set(branch, { entries: entries.map(({ reflection, response, score }) => ({ reflection, response, score })), vectors });
  }
  return {
    pool,
    model,
    async find({ branch, reflection, vector, epsilon, most }) {
      const found = branches.get(branch);
      if (!found) return [];
      if (found.vectors && vector && vector.length !== dimensions)
        throw new Error(`the pool ${pool} has vectors of ${dimensions} dimensions, not ${vector.length}`);
      const positions =
        found.vectors && vector ? found.vectors.find(vector, most, epsilon) : best((await wordsOf(found))(reflection), most, 0);
      return positions.map((at) => found.entries[at]!);
    },
  };
}

/** Made for the first search by words: a pool with vectors seldom needs it. */
const wordsOf = (branch: Branch): Promise<WordIndex> => (branch.words ??= wordIndex(branch.entries.map(({ reflection }) => reflection)));

type VectorIndex = ReturnType<typeof vectorIndex>;

/**
 * Compares the query with every vector, so the search is exact up to the rounding of 32-bit floats.
 * @param vectors of one number of dimensions; an absent one has the cosine 0
 */
function vectorIndex(vectors: readonly (ArrayLike<number> | undefined)[], dimensions: number) {
  const floats = new Float32Array(vectors.length * dimensions);
  for (const [row, vector] of vectors.entries()) if (vector) floats.set(unit(vector), row * dimensions);
  return {
    /** The positions of the `most` vectors with the highest cosines above `above`, best first. */
    find(query: ArrayLike<number>, most: number, above: number): readonly number[] {
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

import { kindOfDecision } from '../decision-kind.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { Asking, Experience, ExperienceIndex, Moment } from '../mind.ts';
import { best, bm25 } from './retrieve.ts';

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
  /** The vectors of the entries one behind the other, each of length 1. */
  readonly vectors: Float32Array;
}

/** Experience in memory. The search is exact: every entry of the branch is compared. */
export function poolIndex(pool: string, model: string | undefined, stored: readonly StoredExperience[]): ExperienceIndex {
  const dimensions = stored.find(({ vector }) => vector)?.vector?.length ?? 0;
  const branches = new Map<string, Branch>();
  for (const [branch, entries] of Map.groupBy(stored, (entry) => entry.branch)) {
    const vectors = new Float32Array(model === undefined ? 0 : entries.length * dimensions);
    if (model !== undefined) for (const [i, { vector }] of entries.entries()) if (vector) vectors.set(unit(vector), i * dimensions);
    branches.set(branch, { entries: entries.map(({ reflection, response, score }) => ({ reflection, response, score })), vectors });
  }
  return {
    pool,
    model,
    find({ branch, reflection, vector, epsilon, most }) {
      const found = branches.get(branch);
      if (!found) return [];
      if (model === undefined || !vector) {
        const scores = bm25(reflection, found.entries.map((entry) => entry.reflection)); // prettier-ignore
        return best(scores, most, 0).map((at) => found.entries[at]!);
      }
      if (vector.length !== dimensions) throw new Error(`the pool ${pool} has vectors of ${dimensions} dimensions, not ${vector.length}`);
      return best(cosines(found.vectors, unit(Float32Array.from(vector))), most, epsilon).map((at) => found.entries[at]!);
    },
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length ? vector.map((each) => each / length) : vector;
}

/** The products of a vector with each of many; cosines when all have the length 1. */
function cosines(vectors: Float32Array, query: Float32Array): readonly number[] {
  const { length } = query;
  const results: number[] = [];
  for (let at = 0; at < vectors.length; at += length) {
    let product = 0;
    for (let d = 0; d < length; d++) product += vectors[at + d]! * query[d]!;
    results.push(product);
  }
  return results;
}

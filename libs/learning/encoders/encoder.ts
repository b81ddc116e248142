import type { SparseRow } from '../network/sparse-rows.ts';
import type { Observation } from '../observation/observation.ts';

/** An observation, and for encoders that want one its embedding. */
export interface Embeddable extends Observation {
  readonly embedding?: readonly number[] | Float32Array | undefined;
}

/** Turns what a speaker knows into a row of numbers. */
export interface Encoder {
  /** Names the version and all parameters: equal names give equal rows. */
  readonly name: string;
  readonly dimension: number;
  /** The model whose embedding it wants of `embeddedText`; absent: none. */
  readonly model?: string;
  /** @throws Error when it wants an embedding and there is none, or one of another length */
  encode(observation: Embeddable): SparseRow;
}

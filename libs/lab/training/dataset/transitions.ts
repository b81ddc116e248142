import { createHash } from 'node:crypto';
import type { Encoder } from '@maw/learning/encoders/encoder.ts';
import { type SparseRows, sparseRows } from '@maw/learning/network/sparse-rows.ts';
import type { Choice, Dataset } from './dataset.ts';

/** Choices as numbers, in the order of the dataset. */
export interface Transitions {
  readonly states: SparseRows;
  /** By choice: the index of its tactic. */
  readonly tactics: Int32Array;
  readonly rewards: Float64Array;
  /** By choice: the number of the seat's next choice, or -1 after its last. */
  readonly next: Int32Array;
  /** The numbers of each seat's first choices in a game. */
  readonly first: readonly number[];
}

export function transitionsOf({ tactics }: Pick<Dataset, 'tactics'>, choices: readonly Choice[], encoder: Encoder): Transitions {
  const indices = new Map(tactics.map((tactic, i) => [tactic, i]));
  return {
    states: sparseRows(
      choices.map((choice) => encoder.encode(choice)),
      encoder.dimension,
    ),
    tactics: Int32Array.from(choices, ({ tactic }) => indices.get(tactic)!),
    rewards: Float64Array.from(choices, ({ reward }) => reward),
    next: Int32Array.from(choices, ({ isLast }, i) => (isLast ? -1 : i + 1)),
    first: choices.flatMap((_, i) => (i === 0 || choices[i - 1]!.isLast ? [i] : [])),
  };
}

/** The choices of `a`, followed by those of `b`. */
export function joinTransitions(a: Transitions, b: Transitions): Transitions {
  const count = a.tactics.length;
  const { starts, columns } = a.states;
  return {
    states: {
      dimension: a.states.dimension,
      starts: joined(
        Int32Array,
        starts,
        b.states.starts.slice(1).map((at) => at + columns.length),
      ),
      columns: joined(Int32Array, columns, b.states.columns),
      values: joined(Float32Array, a.states.values, b.states.values),
    },
    tactics: joined(Int32Array, a.tactics, b.tactics),
    rewards: joined(Float64Array, a.rewards, b.rewards),
    next: joined(
      Int32Array,
      a.next,
      b.next.map((next) => (next < 0 ? next : next + count)),
    ),
    first: [...a.first, ...b.first.map((i) => i + count)],
  };
}

type Numbers = Int32Array | Float32Array | Float64Array;

function joined<T extends Numbers>(kind: new (length: number) => T, a: T, b: T): T {
  const out = new kind(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** The choices to train on, and those of the deals that are held out: about one deal in `oneIn`, whatever else is in the file. */
export function splitByDeal({ choices }: Dataset, oneIn = 5): { readonly train: readonly Choice[]; readonly heldOut: readonly Choice[] } {
  const isHeldOut = ({ deal }: Choice): boolean => createHash('sha256').update(deal).digest().readUInt32BE() % oneIn === 0;
  const { train = [], heldOut = [] } = Object.groupBy(choices, (choice) => (isHeldOut(choice) ? 'heldOut' : 'train'));
  return { train, heldOut };
}

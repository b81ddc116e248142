import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { decodeSafetensors, encodeSafetensors, type Tensor } from '@maw/learning/policy/safetensors.ts';
import type { Evaluation } from './evaluation.ts';
import type { StepLoss, TrainingState } from './trainer.ts';

/** The mean losses of the steps up to one, and what the policy was worth there, where it was evaluated. */
export interface CurvePoint extends StepLoss, Partial<Evaluation> {
  readonly step: number;
}

/** Where a training stands. */
export interface Checkpoint {
  readonly state: TrainingState;
  readonly curve: readonly CurvePoint[];
}

const FORMAT = 'maw-checkpoint-1';

/**
 * Writes a checkpoint in place of the one before; a crash leaves one or the other.
 * @param run what identifies the run: its config and its data
 */
export function writeCheckpoint(file: string, { state, curve }: Checkpoint, run: string): void {
  const tensors = new Map<string, Tensor>(arraysOf(state).map(([name, values]) => [name, { shape: [values.length], values }]));
  const metadata = { format: FORMAT, step: String(state.step), curve: JSON.stringify(curve), run };
  writeFileSync(`${file}.new`, encodeSafetensors({ tensors, metadata }));
  renameSync(`${file}.new`, file);
}

const arraysOf = ({ critics, targets, adam }: TrainingState): readonly (readonly [name: string, values: Float32Array])[] => [
  ...critics.map(({ parameters }, i) => [`critic.${i}`, parameters] as const),
  ...targets.map(({ parameters }, i) => [`target.${i}`, parameters] as const),
  ...adam.flatMap(({ mean, variance }, i) => [[`adam.${i}.mean`, mean] as const, [`adam.${i}.variance`, variance] as const]),
];

/**
 * Reads a checkpoint into a state before its first step, which has the same sizes.
 * @throws Error when the file is broken, or of another run
 */
export function readCheckpoint(file: string, state: TrainingState, run: string): Checkpoint {
  const { tensors, metadata } = decodeSafetensors(readFileSync(file), file);
  if (metadata['format'] !== FORMAT) throw new Error(`${file} is no checkpoint`);
  if (metadata['run'] !== run) throw new Error(`${file} is of another run: its data or parameters differ`);
  for (const [name, values] of arraysOf(state)) {
    const read = tensors.get(name)?.values;
    if (read?.length !== values.length) throw new Error(`${file}: ${name} has ${read?.length ?? 'no'} values, not ${values.length}`);
    values.set(read);
  }
  state.step = Number(metadata['step']);
  return { state, curve: JSON.parse(metadata['curve']!) as CurvePoint[] };
}

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
  const tensors = new Map<string, Tensor>();
  const add = (name: string, values: Float32Array): void => void tensors.set(name, { shape: [values.length], values });
  state.critics.forEach(({ parameters }, i) => add(`critic.${i}`, parameters));
  state.targets.forEach(({ parameters }, i) => add(`target.${i}`, parameters));
  state.adam.forEach(({ mean, variance }, i) => {
    add(`adam.${i}.mean`, mean);
    add(`adam.${i}.variance`, variance);
  });
  const metadata = { format: FORMAT, step: String(state.step), curve: JSON.stringify(curve), run };
  writeFileSync(`${file}.new`, encodeSafetensors({ tensors, metadata }));
  renameSync(`${file}.new`, file);
}

/**
 * Reads a checkpoint into a state before its first step, which has the same sizes.
 * @throws Error when the file is broken, or of another run
 */
export function readCheckpoint(file: string, state: TrainingState, run: string): Checkpoint {
  const { tensors, metadata } = decodeSafetensors(readFileSync(file), file);
  if (metadata['format'] !== FORMAT) throw new Error(`${file} is no checkpoint`);
  if (metadata['run'] !== run) throw new Error(`${file} is of another run: its data or parameters differ`);
  const fill = (name: string, values: Float32Array): void => {
    const read = tensors.get(name)?.values;
    if (read?.length !== values.length) throw new Error(`${file}: ${name} has ${read?.length ?? 'no'} values, not ${values.length}`);
    values.set(read);
  };
  state.critics.forEach(({ parameters }, i) => fill(`critic.${i}`, parameters));
  state.targets.forEach(({ parameters }, i) => fill(`target.${i}`, parameters));
  state.adam.forEach(({ mean, variance }, i) => {
    fill(`adam.${i}.mean`, mean);
    fill(`adam.${i}.variance`, variance);
  });
  state.step = Number(metadata['step']);
  return { state, curve: JSON.parse(metadata['curve']!) as CurvePoint[] };
}

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { lineChart } from '../charts/line-chart.ts';
import { readDataset } from './dataset/dataset.ts';
import { withEmbeddings } from './dataset/embeddings.ts';
import { splitByDeal, transitionsOf } from './dataset/transitions.ts';
import { encoderNamed } from '@maw/learning/encoders/encoder-named.ts';
import { POLICY_FILES, readPolicy, writePolicy } from '@maw/learning/policy/policy.ts';
import { type CurvePoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { TrainingConfig } from './config.ts';
import { evaluateOnHeldOut, type Evaluation, evaluationSteps, FITS } from './evaluation.ts';
import { createTrainer, createTrainingState, headOf, meanLoss, type StepLoss, type Task, type TrainingState } from './trainer.ts';

/** A training that is to be made, or to be continued, in a folder of its own. */
export const Run = z.strictObject({
  format: z.literal('maw-run-1').default('maw-run-1'),
  /** The dataset's file. */
  dataset: z.string(),
  sha256: z.string(),
  /** Of the embeddings beside it, where the encoder wants some. */
  embeddingsSha256: z.string().optional(),
  config: TrainingConfig,
});
export type Run = z.infer<typeof Run>;

const FILES = { run: 'run.json', checkpoint: 'checkpoint.safetensors', curve: 'curve.json' } as const;

/** How many points a learning curve has, and after how many of them a checkpoint is written. */
const POINTS = 100;
const POINTS_PER_CHECKPOINT = 10;

/**
 * Describes a new run in its folder, in place of any that was there.
 * @throws Error when the dataset cannot be trained on, or lacks the embeddings that the encoder wants
 */
export function createRun(folder: string, dataset: string, config: TrainingConfig): Run {
  const parsed = readDataset(dataset);
  const { train, heldOut } = splitByDeal(parsed);
  if (!train.length || !heldOut.length)
    throw new Error(`${dataset} has too few deals: one in five is held out, which leaves ${train.length} choices and ${heldOut.length}`);
  const { embeddingsSha256 } = withEmbeddings(parsed, encoderNamed(config.encoder), dataset);
  const embeddings = embeddingsSha256 === undefined ? {} : { embeddingsSha256 };
  const run: Run = { format: 'maw-run-1', dataset, sha256: parsed.sha256, ...embeddings, config };
  mkdirSync(folder, { recursive: true });
  for (const file of [...Object.values(FILES), ...Object.values(POLICY_FILES)]) rmSync(join(folder, file), { force: true });
  writeFileSync(join(folder, FILES.run), `${JSON.stringify(run, undefined, 2)}\n`);
  return run;
}

/** @throws Error when there is none */
export function readRun(folder: string): Run {
  const file = join(folder, FILES.run);
  if (!existsSync(file)) throw new Error(`there is no training in ${folder}: ${file} is missing`);
  return parseState(Run, file);
}

/**
 * Reads a file in which a training or a sweep is described.
 * @throws Error when it is cut off or was changed
 */
export function parseState<T>(schema: z.ZodType<T>, file: string): T {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} is damaged: begin the training again`, { cause });
  }
}

/**
 * Makes the steps of a run that its last checkpoint does not have yet, and writes its policy and learning curve. What comes of it does not depend on where it
 * was interrupted.
 * @param onProgress told now and then how many steps of `stepsOf` have been made
 * @throws Error when the dataset or its embeddings have changed since the run was created, or the training diverges
 */
export function continueRun(folder: string, onProgress: (step: number) => void): void {
  const run = readRun(folder);
  const { config } = run;
  const read = readDataset(run.dataset, { what: `training in ${folder}`, sha256: run.sha256 });
  const encoder = encoderNamed(config.encoder);
  const dataset = withEmbeddings(read, encoder, run.dataset);
  const { embeddingsSha256 } = run;
  if (dataset.embeddingsSha256 !== embeddingsSha256)
    throw new Error(`the embeddings of ${run.dataset} have changed since the training in ${folder} began`);
  const { train, heldOut } = splitByDeal(dataset);
  const task: Task = { config, data: transitionsOf(dataset, train, encoder), tactics: dataset.tactics.length };
  const unseen = transitionsOf(dataset, heldOut, encoder);
  let evaluating = 0; // steps
  const watch: Watch = {
    trained: (step) => onProgress(step + evaluating),
    evaluate: ({ critics, step }) =>
      evaluateOnHeldOut(task, critics, unseen, () => void (++evaluating % SHOWN_EVERY === 0 && onProgress(step + evaluating))),
  };
  const { state, curve: losses } = trainFrom(folder, run, task, watch);
  const evaluation = watch.evaluate(state);
  checkFinite(state.critics, evaluation, folder);
  const curve = losses.map((point) => (point.step === state.step ? { ...point, ...evaluation } : point));
  writeFileSync(join(folder, FILES.curve), JSON.stringify(curve));
  writeFileSync(join(folder, 'learning-curve.svg'), curveChart(config, curve));
  if (config.evaluateEvery !== undefined) writeFileSync(join(folder, 'value-curve.svg'), valueChart(curve));
  const head = headOf(task);
  writePolicy(folder, state.critics, {
    encoder: config.encoder,
    tactics: dataset.tactics,
    quantiles: head.quantiles,
    training: parametersOf(config),
    data: {
      source: dataset.source,
      sha256: run.sha256,
      ...(embeddingsSha256 === undefined ? {} : { embeddingsSha256 }),
      choices: dataset.choices.length,
    },
    evaluation,
  });
}

function curveChart({ method, rho }: TrainingConfig, curve: readonly CurvePoint[]): string {
  const isCloning = method === 'cloning';
  const line = (name: string, loss: keyof StepLoss) => ({ name, points: curve.map((each) => [each.step, each[loss]] as const) });
  const lines = [
    ...(isCloning ? [] : [line('temporal difference', 'temporalDifference')]),
    ...(isCloning || rho > 0 ? [line(isCloning ? 'negative log-likelihood' : 'conservative term', 'conservatism')] : []),
  ];
  return lineChart({ title: 'Loss by step', x: 'step', lines });
}

/** What the policy was worth along the training. */
function valueChart(curve: readonly CurvePoint[]): string {
  const line = (name: string, value: keyof Evaluation) => ({
    name,
    points: curve.flatMap((each) => (each[value] === undefined ? [] : [[each.step, each[value]] as const])),
  });
  return lineChart({
    title: 'Value on held-out deals by step',
    x: 'step',
    lines: [line('all games', 'value'), line('held-out games alone', 'heldOutValue')],
  });
}

/** The parameters that a training goes by: a clone has no rho, no targets, and one critic. */
function parametersOf({ rho, critics, quantiles, targetInterval, ...config }: TrainingConfig): Readonly<Record<string, unknown>> {
  return config.method === 'cloning' ? config : { ...config, rho, critics, quantiles, targetInterval };
}

/** How many steps a run takes with those of its evaluations. */
export const stepsOf = (config: TrainingConfig): number =>
  config.steps + FITS * evaluationSteps(config) * (1 + Math.floor((config.steps - 1) / (config.evaluateEvery ?? Infinity)));

/** After how many steps of an evaluation progress is told. */
const SHOWN_EVERY = 100;

/** What watches a training. */
interface Watch {
  trained(step: number): void;
  evaluate(state: TrainingState): Evaluation;
}

/** Checks a policy, copies its files, and returns their paths. @throws Error when it is incomplete, or its parts do not belong together */
export function copyPolicy(from: string, to: string): readonly string[] {
  readPolicy(from);
  mkdirSync(to, { recursive: true });
  return Object.values(POLICY_FILES).map((name) => {
    copyFileSync(join(from, name), join(to, name));
    return join(to, name);
  });
}

/** @throws Error when a training has left the numbers, which nobody could use */
function checkFinite(critics: TrainingState['critics'], { value, heldOutValue }: Evaluation, folder: string): void {
  if ([value, heldOutValue].every(Number.isFinite) && critics.every(({ parameters }) => parameters.every(Number.isFinite))) return;
  throw new Error(`the training in ${folder} has diverged: train with a lower learning rate, or with smaller rewards in the dataset`);
}

function trainFrom(
  folder: string,
  run: Run,
  task: Task,
  { trained, evaluate }: Watch,
): { readonly state: TrainingState; readonly curve: readonly CurvePoint[] } {
  const { steps, evaluateEvery = Infinity } = task.config;
  const file = join(folder, FILES.checkpoint);
  const identity = JSON.stringify(run);
  const fresh = { state: createTrainingState(task), curve: [] };
  const begun = existsSync(file) ? readCheckpoint(file, fresh.state, identity) : fresh;
  const { state } = begun;
  const curve = [...begun.curve];
  const step = createTrainer(task, state);
  const window = Math.max(1, Math.round(steps / POINTS));
  let losses: StepLoss[] = [];
  while (state.step < steps) {
    losses.push(step());
    const isDue = state.step % evaluateEvery === 0 && state.step < steps; // at the end it is evaluated anyway
    if (state.step % window !== 0 && state.step < steps && !isDue) continue;
    curve.push({ step: state.step, ...meanLoss(losses), ...(isDue ? evaluate(state) : {}) });
    losses = [];
    if (state.step % (window * POINTS_PER_CHECKPOINT) === 0) writeCheckpoint(file, { state, curve }, identity);
    trained(state.step);
  }
  return { state, curve };
}

import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Activations, backward, createActivations, createNetwork, forward, type Network } from '@maw/learning/network/network.ts';
import type { TrainingConfig } from './config.ts';
import type { Transitions } from './dataset/transitions.ts';
import { conservatism, type Head, temporalDifference, valuesOf } from './losses.ts';

/** All that training changes. With the config and the data it determines everything that follows. */
export interface TrainingState {
  /** How many steps have been made. */
  step: number;
  readonly critics: readonly Network[];
  /** Copies of the critics as they were at the last update; they say what the next state is worth. */
  readonly targets: readonly Network[];
  readonly adam: readonly AdamState[];
}

/** The mean losses of one step, per choice and critic. */
export interface StepLoss {
  readonly temporalDifference: number;
  readonly conservatism: number;
}

/** What is learnt from which numbers. */
export interface Task {
  readonly config: TrainingConfig;
  readonly data: Transitions;
  readonly tactics: number;
  /** By choice: the tactic of a fixed policy, which is evaluated instead of improved. */
  readonly policy?: Int32Array;
}

export const headOf = ({ config, tactics }: Task): Head => ({ tactics, quantiles: config.method === 'cloning' ? 1 : config.quantiles });

/** The state before the first step. */
export function createTrainingState(task: Task): TrainingState {
  const { config, data } = task;
  const { tactics, quantiles } = headOf(task);
  const widths = [data.states.dimension, ...config.hidden, tactics * quantiles];
  const count = config.method === 'cloning' ? 1 : config.critics;
  const critics = Array.from({ length: count }, (_, i) => createNetwork(widths, diceOf(config.seed, `critic ${i}`)));
  return {
    step: 0,
    critics,
    targets: config.method === 'cloning' ? [] : critics.map(copyOf),
    adam: critics.map(({ parameters }) => createAdam(parameters.length)),
  };
}

const copyOf = ({ widths, parameters }: Network): Network => ({ widths, parameters: parameters.slice() });

/** Arrays that are reused from step to step. */
interface Workspace {
  readonly rows: Int32Array;
  readonly nextRows: Int32Array;
  readonly activations: Activations;
  readonly gradient: Float64Array;
  readonly values: Float64Array;
  /** Summed over critics: the values of the next states. */
  readonly nextValues: Float64Array;
  /** By row: the samples of its return. */
  readonly returns: Float64Array;
}

/** A function that makes one step. The batch of step n depends on the seed and n only. */
export function createTrainer(task: Task, state: TrainingState): () => StepLoss {
  const { config, data } = task;
  const head = headOf(task);
  const [{ widths, parameters }] = state.critics as [Network];
  const { batch } = config;
  const work: Workspace = {
    rows: new Int32Array(batch),
    nextRows: new Int32Array(batch),
    activations: createActivations(widths, batch),
    gradient: new Float64Array(parameters.length),
    values: new Float64Array(batch * head.tactics),
    nextValues: new Float64Array(batch * head.tactics),
    returns: new Float64Array(batch * head.quantiles),
  };
  return () => {
    const dice = diceOf(config.seed, `step ${state.step}`);
    for (let i = 0; i < batch; i++) work.rows[i] = dice.below(data.tactics.length);
    if (state.targets.length) findReturns(task, state, work);
    state.step++;
    const losses = state.critics.map((_, i) => updateCritic(task, state, work, i));
    if (state.step % config.targetInterval === 0)
      state.targets.forEach(({ parameters: target }, i) => target.set(state.critics[i]!.parameters));
    return meanLoss(losses);
  };
}

export function meanLoss(losses: readonly StepLoss[]): StepLoss {
  const meanOf = (field: keyof StepLoss): number => losses.reduce((sum, loss) => sum + loss[field], 0) / losses.length;
  return { temporalDifference: meanOf('temporalDifference'), conservatism: meanOf('conservatism') };
}

/**
 * The returns of a batch: its rewards, and what the target critics give for the next states. The critics choose the next tactic (van Hasselt et
 * al. 2016: double DQN), the most cautious target critic says what it is worth. After a last choice nothing follows.
 */
function findReturns(task: Task, state: TrainingState, work: Workspace): void {
  const { config, data, policy } = task;
  const { rows, nextRows, activations, values, nextValues, returns } = work;
  const head = headOf(task);
  const { tactics, quantiles } = head;
  rows.forEach((row, i) => (nextRows[i] = Math.max(0, data.next[row]!)));
  nextValues.fill(0);
  if (!policy)
    for (const critic of state.critics) {
      valuesOf(forward(critic, data.states, nextRows, rows.length, activations), rows.length, head, values);
      values.forEach((value, i) => (nextValues[i]! += value));
    }
  const chosen = rows.map((row, i) => (policy ? policy[Math.max(0, data.next[row]!)]! : greatestAt(nextValues, i * tactics, tactics)));
  const least = new Float64Array(rows.length).fill(Infinity);
  for (const target of state.targets) {
    const outputs = forward(target, data.states, nextRows, rows.length, activations);
    valuesOf(outputs, rows.length, head, values);
    for (let i = 0; i < rows.length; i++) {
      const at = i * tactics + chosen[i]!;
      if (values[at]! >= least[i]!) continue;
      least[i] = values[at]!;
      const isLast = data.next[rows[i]!]! < 0;
      for (let q = 0; q < quantiles; q++)
        returns[i * quantiles + q] = data.rewards[rows[i]!]! + (isLast ? 0 : config.gamma * outputs[at * quantiles + q]!);
    }
  }
}

function updateCritic(task: Task, { critics, adam, step, targets }: TrainingState, work: Workspace, which: number): StepLoss {
  const { config, data } = task;
  const head = headOf(task);
  const { rows, activations, gradient, values, returns } = work;
  const critic = critics[which]!;
  const outputs = forward(critic, data.states, rows, rows.length, activations);
  const toOutputs = activations.gradients.at(-1)!.fill(0);
  const { tactics, quantiles } = head;
  valuesOf(outputs, rows.length, head, values);
  const loss = { temporalDifference: 0, conservatism: 0 };
  const weight = targets.length ? config.rho : 1;
  for (let i = 0; i < rows.length; i++) {
    const tactic = data.tactics[rows[i]!]!;
    const own = returns.subarray(i * quantiles, (i + 1) * quantiles);
    if (targets.length)
      loss.temporalDifference += temporalDifference(outputs, i * tactics * quantiles, tactic, head, own, 1 / rows.length, toOutputs);
    if (weight > 0) loss.conservatism += conservatism(values, i, tactic, head, weight / rows.length, toOutputs);
  }
  gradient.fill(0);
  backward(critic, data.states, rows, rows.length, activations, gradient);
  updateByAdam(critic.parameters, gradient, adam[which]!, config.learningRate, step);
  return loss;
}

/** The place of the greatest of `count` numbers from `at`, counted from there; the first of equals. */
export function greatestAt(values: ArrayLike<number>, at: number, count: number): number {
  let best = 0;
  for (let i = 1; i < count; i++) if (values[at + i]! > values[at + best]!) best = i;
  return best;
}

/** What Adam remembers of the gradients (Kingma and Ba 2015). */
interface AdamState {
  readonly mean: Float32Array;
  readonly variance: Float32Array;
}

const createAdam = (size: number): AdamState => ({ mean: new Float32Array(size), variance: new Float32Array(size) });

const [BETA_1, BETA_2, EPSILON] = [0.9, 0.999, 1e-8] as const;

/** Moves the parameters against the gradient. `step` counts from 1. */
function updateByAdam(parameters: Float32Array, gradient: Float64Array, { mean, variance }: AdamState, rate: number, step: number): void {
  const scaledRate = (rate * Math.sqrt(1 - BETA_2 ** step)) / (1 - BETA_1 ** step);
  const scaledEpsilon = EPSILON * Math.sqrt(1 - BETA_2 ** step);
  for (let i = 0; i < parameters.length; i++) {
    const g = gradient[i]!;
    const m = BETA_1 * mean[i]! + (1 - BETA_1) * g;
    const v = BETA_2 * variance[i]! + (1 - BETA_2) * g * g;
    mean[i] = m;
    variance[i] = v;
    parameters[i]! -= (scaledRate * m) / (Math.sqrt(v) + scaledEpsilon);
  }
}

import { joinTransitions, type Transitions } from './dataset/transitions.ts';
import { createActivations, forward, type Network } from '@maw/learning/network/network.ts';
import type { TrainingConfig } from './config.ts';
import { type Head, valuesOf } from './losses.ts';
import { createTrainer, createTrainingState, greatestAt, headOf, type Task } from './trainer.ts';

/** The values that some critics give each tactic of each state, averaged over critics: states x tactics. */
export function criticValues(critics: readonly Network[], { states }: Pick<Transitions, 'states'>, head: Head): Float64Array {
  const count = states.starts.length - 1;
  const rows = Int32Array.from({ length: count }, (_, i) => i);
  const values = new Float64Array(count * head.tactics);
  const sum = new Float64Array(count * head.tactics);
  for (const critic of critics) {
    valuesOf(forward(critic, states, rows, count, createActivations(critic.widths, count)), count, head, values);
    values.forEach((value, i) => (sum[i]! += value / critics.length));
  }
  return sum;
}

/** The greedy tactic of some critics at each state. */
export function greedyTactics(critics: readonly Network[], data: Pick<Transitions, 'states'>, head: Head): Int32Array {
  const values = criticValues(critics, data, head);
  return Int32Array.from({ length: values.length / head.tactics }, (_, i) => greatestAt(values, i * head.tactics, head.tactics));
}

/** The critics of an evaluation learn longer than those of a training: before, they have hardly heard of the points at the end of a game. */
export const evaluationSteps = ({ steps }: TrainingConfig): number => Math.min(4_000, Math.ceil((4 / 3) * steps));

/** How policies are evaluated, whatever they were trained with. Without rho the critics believe in what nobody in the games ever did. */
const EVALUATION = {
  method: 'q-learning',
  batch: 32,
  learningRate: 1e-3,
  rho: 0.1,
  critics: 2,
  quantiles: 1,
  targetInterval: 200,
} as const;

/**
 * What a policy is worth from some first choices, by fitted Q evaluation (Le et al. 2019): critics learn the returns of the policy from
 * recorded games, never having seen it play. The conservative term keeps them from promising more where the games say nothing.
 * @param policy by choice of `data`: its tactic
 * @param from numbers of choices in `data`
 * @param onStep told after each step
 */
export function evaluatePolicy(
  config: TrainingConfig,
  data: Transitions,
  tactics: number,
  policy: Int32Array,
  from: readonly number[] = data.first,
  onStep?: () => void,
): number {
  const steps = evaluationSteps(config);
  const task = { config: { ...config, ...EVALUATION, steps }, data, tactics, policy };
  const state = createTrainingState(task);
  const step = createTrainer(task, state);
  for (; state.step < steps; onStep?.()) step();
  const values = criticValues(state.critics, data, { tactics, quantiles: 1 });
  return from.reduce((sum, i) => sum + values[i * tactics + policy[i]!]!, 0) / from.length;
}

/** A policy's value from the held-out deals, with critics fitted to all games, and with critics fitted to the held-out games alone. */
export interface Evaluation {
  /** Knows most, so policies are chosen by it; but it shares the chance of the games that they were trained on. */
  readonly value: number;
  /** Knows little, but nothing of those games, so it says whether a difference is real. */
  readonly heldOutValue: number;
}

/** How many times its critics learn: for `value`, and for `heldOutValue`. */
export const FITS = 2;

/** Evaluates critics that a task has trained. @param onStep told after each step of the evaluation */
export function evaluateOnHeldOut(task: Task, critics: readonly Network[], heldOut: Transitions, onStep?: () => void): Evaluation {
  const { config, tactics, data: train } = task;
  const head = headOf(task);
  const [own, unseen] = [train, heldOut].map((data) => greedyTactics(critics, data, head)) as [Int32Array, Int32Array];
  const count = train.tactics.length;
  const from = heldOut.first.map((i) => i + count);
  const everything = Int32Array.from({ length: count + unseen.length }, (_, i) => (i < count ? own[i]! : unseen[i - count]!));
  return {
    value: evaluatePolicy(config, joinTransitions(train, heldOut), tactics, everything, from, onStep),
    heldOutValue: evaluatePolicy(config, heldOut, tactics, unseen, undefined, onStep),
  };
}

import type { Transitions } from '../dataset/transitions.ts';
import { createActivations, forward, type Network } from '../network/network.ts';
import type { TrainingConfig } from './config.ts';
import { type Head, valuesOf } from './losses.ts';
import { createTrainer, createTrainingState, greatestAt } from './trainer.ts';

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

/** The share of states at which two policies choose the same tactic. */
export const agreement = (a: Int32Array, b: Int32Array): number => a.filter((tactic, i) => tactic === b[i]).length / a.length;

/** How policies are evaluated, whatever they were trained with. Without rho the critics believe in what nobody in the games ever did. */
const EVALUATION = {
  method: 'q-learning',
  steps: 2_000,
  batch: 32,
  learningRate: 1e-3,
  rho: 0.1,
  critics: 2,
  quantiles: 1,
  targetInterval: 200,
} as const;

/**
 * What a policy is worth from the first choices of some recorded games, by fitted Q evaluation (Le et al. 2019): critics learn the returns
 * of the policy from these games, never having seen it play. The conservative term keeps them from promising more where the games say nothing.
 * @param policy by choice: its tactic
 */
export function evaluateOnHeldOut(config: TrainingConfig, data: Transitions, tactics: number, policy: Int32Array): number {
  const task = { config: { ...config, ...EVALUATION }, data, tactics, policy };
  const state = createTrainingState(task);
  const step = createTrainer(task, state);
  while (state.step < EVALUATION.steps) step();
  const values = criticValues(state.critics, data, { tactics, quantiles: 1 });
  return data.first.reduce((sum, i) => sum + values[i * tactics + policy[i]!]!, 0) / data.first.length;
}

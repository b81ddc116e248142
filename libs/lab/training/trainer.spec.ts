import { describe, expect, it } from '@jest/globals';
import type { Transitions } from './dataset/transitions.ts';
import { sparseRows } from '@maw/learning/network/sparse-rows.ts';
import { TrainingConfig, type TrainingOptions } from './config.ts';
import { criticValues } from './evaluation.ts';
import { createTrainer, createTrainingState, headOf, type Task } from './trainer.ts';

/**
 * A seat that chooses twice: first only the tactic 0 was tried, then 0 and 1, for points of 0 and 1. So the first choice is worth gamma to who
 * goes on with 1.
 */
const data: Transitions = {
  states: sparseRows([new Map([[0, 1]]), new Map([[1, 1]]), new Map([[0, 1]]), new Map([[1, 1]])], 2),
  tactics: Int32Array.of(0, 1, 0, 0),
  rewards: Float64Array.of(0, 1, 0, 0),
  next: Int32Array.of(1, -1, 3, -1),
  first: [0, 2],
};
const task = (given: TrainingOptions, policy?: Int32Array): Task => ({
  config: TrainingConfig.parse({
    hidden: [16],
    rho: 0,
    gamma: 0.9,
    steps: 600,
    batch: 8,
    learningRate: 5e-3,
    targetInterval: 20,
    ...given,
  }),
  data,
  tactics: 3,
  ...(policy ? { policy } : {}),
});

function train(of: Task) {
  const state = createTrainingState(of);
  const step = createTrainer(of, state);
  while (state.step < of.config.steps) step();
  return state;
}
const valuesAfter = (of: Task): Float64Array => criticValues(train(of).critics, data, headOf(of));

describe('a trainer', () => {
  it.each([{ quantiles: 1 }, { quantiles: 8 }])('learns what follows a choice, and that nothing follows the last, with %j', (given) => {
    const values = valuesAfter(task({ ...given, rho: 0.01 }));
    expect(values[3]).toBeCloseTo(0, 1);
    expect(values[4]).toBeCloseTo(1, 1);
    expect(values[0]).toBeCloseTo(0.9, 1);
  });

  it('evaluates a fixed policy instead of the best one', () => {
    const values = valuesAfter(task({}, Int32Array.of(0, 0, 0, 0)));
    expect(values[0]).toBeCloseTo(0, 1);
    expect(values[4]).toBeCloseTo(1, 1);
  });

  it('promises less the more conservative it is, where nothing was tried', () => {
    const gap = (rho: number): number => {
      const values = valuesAfter(task({ rho }));
      return Math.max(values[1]!, values[2]!) - values[0]!;
    };
    const [a, b, c] = [gap(0.05), gap(0.5), gap(2)];
    expect(b).toBeLessThan(a);
    expect(c).toBeLessThan(b);
    expect(c).toBeLessThan(-1);
  });

  it('clones the recorded shares', () => {
    const values = valuesAfter(task({ method: 'cloning' }));
    expect(values[3]! - values[4]!).toBeCloseTo(0, 0); // both were chosen once
    expect(values[0]! - Math.max(values[1]!, values[2]!)).toBeGreaterThan(3);
  });

  it('freezes the targets between their updates', () => {
    const of = task({ targetInterval: 5 });
    const state = createTrainingState(of);
    const begun = state.targets.map(({ parameters }) => [...parameters]);
    const step = createTrainer(of, state);
    for (let i = 0; i < 4; i++) step();
    expect(state.targets.map(({ parameters }) => [...parameters])).toEqual(begun);
    expect(state.critics.map(({ parameters }) => [...parameters])).not.toEqual(begun);
    step();
    expect(state.targets.map(({ parameters }) => [...parameters])).toEqual(state.critics.map(({ parameters }) => [...parameters]));
  });

  it('takes returns from the targets, not from the critics that are being trained', () => {
    const of = task({ targetInterval: 1_000, steps: 300 });
    const state = createTrainingState(of);
    for (const { parameters } of state.targets) parameters.fill(0); // the next state is worth nothing
    const step = createTrainer(of, state);
    while (state.step < 300) step();
    const values = criticValues(state.critics, data, headOf(of));
    expect(values[4]).toBeCloseTo(1, 1);
    expect(values[0]).toBeCloseTo(0, 1);
  });

  it('gives the same weights for the same seed, and others for another', () => {
    const weights = (seed: string) => [...train(task({ seed, steps: 30 })).critics[1]!.parameters];
    expect(weights('a')).toEqual(weights('a'));
    expect(weights('a')).not.toEqual(weights('b'));
  });
});

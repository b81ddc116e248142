import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { backward, createActivations, createNetwork, forward } from '@maw/learning/network/network.ts';
import { sparseRows } from '@maw/learning/network/sparse-rows.ts';
import { conservatism, type Head, logSumExp, temporalDifference, valuesOf } from './losses.ts';

const dice = diceOf('losses', '');
const any = (): number => dice.below(2_001) / 1_000 - 1;
// Five inputs, six rows and hidden layers of 7 and 3: no size is a multiple of the four that are handled at once.
const inputs = sparseRows(
  Array.from({ length: 6 }, (_, row) => new Map(Array.from({ length: row }, (__, i) => [i, any()]))),
  5,
);
const rows = Int32Array.from([5, 0, 3, 3, 1, 2]);
const COUNT = rows.length;
const chosen = rows.map(() => dice.below(4));
const targets = Array.from({ length: COUNT }, () => Array.from({ length: 3 }, any));

const LOSSES: readonly { readonly name: string; readonly quantiles: number; readonly rho: number; readonly isCloning?: boolean }[] = [
  { name: 'double DQN', quantiles: 1, rho: 0 },
  { name: 'conservative Q-learning', quantiles: 1, rho: 4 },
  { name: 'quantile critics', quantiles: 3, rho: 0.5 },
  { name: 'cloning', quantiles: 1, rho: 1, isCloning: true },
];

describe.each(LOSSES)('the gradient of $name', ({ quantiles, rho, isCloning = false }) => {
  const head: Head = { tactics: 4, quantiles };
  const widths = [5, 7, 3, 4 * quantiles];
  const network = createNetwork(widths, diceOf('losses', `network ${quantiles}`));
  for (const i of network.parameters.keys()) network.parameters[i]! += any() / 10; // no sum is exactly 0, where ReLU has no derivative
  const activations = createActivations(widths, COUNT);
  const values = new Float64Array(COUNT * 4);

  function loss(): number {
    const outputs = forward(network, inputs, rows, COUNT, activations);
    const gradient = activations.gradients.at(-1)!.fill(0);
    valuesOf(outputs, COUNT, head, values);
    let sum = 0;
    for (let i = 0; i < COUNT; i++) {
      if (!isCloning) sum += temporalDifference(outputs, i * 4 * quantiles, chosen[i]!, head, targets[i]!, 1 / COUNT, gradient);
      sum += conservatism(values, i, chosen[i]!, head, rho / COUNT, gradient);
    }
    return sum;
  }

  it('agrees with finite differences to 1e-3', () => {
    loss();
    const gradient = new Float64Array(network.parameters.length);
    backward(network, inputs, rows, COUNT, activations, gradient);
    const { parameters } = network;
    let largest = 0;
    for (const [i, before] of parameters.entries()) {
      const at = (value: number): readonly [number, number] => {
        parameters[i] = value;
        return [loss(), parameters[i]!];
      };
      const [above, high] = at(before + 1e-4);
      const [below, low] = at(before - 1e-4);
      parameters[i] = before;
      expect(Math.abs((above - below) / (high - low) - gradient[i]!)).toBeLessThan(1e-3);
      largest = Math.max(largest, Math.abs(gradient[i]!));
    }
    expect(largest).toBeGreaterThan(0.05);
  });
});

describe('the losses', () => {
  it('take the maximum out of log-sum-exp, so that no value overflows', () => {
    expect(logSumExp([0, 1_000, 1_000, 5], 1, 2)).toBeCloseTo(1_000 + Math.log(2), 9);
    expect(logSumExp([-2_000, -2_001], 0, 2)).toBeCloseTo(-2_000 + Math.log(1 + Math.exp(-1)), 9);
    const gradient = new Float64Array(2);
    expect(conservatism(Float64Array.of(1_000, 900), 0, 1, { tactics: 2, quantiles: 1 }, 1, gradient)).toBeCloseTo(100, 9);
    expect([...gradient]).toEqual([1, -1]);
  });

  it('have quantiles tend to the quantiles of the returns', () => {
    const head = { tactics: 1, quantiles: 4 };
    const outputs = new Float64Array(4);
    const returns = [0, 1, 2, 3];
    for (let step = 0; step < 4_000; step++) {
      const gradient = new Float64Array(4);
      temporalDifference(outputs, 0, 0, head, returns, 1, gradient);
      outputs.forEach((value, i) => (outputs[i] = value - 0.05 * gradient[i]!));
    }
    outputs.forEach((value, i) => i && expect(value).toBeGreaterThan(outputs[i - 1]! + 0.3));
    expect((outputs[0]! + outputs[3]!) / 2).toBeCloseTo(1.5, 2);
  });
});

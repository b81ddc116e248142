/** What Adam remembers of the gradients (Kingma and Ba 2015). */
export interface AdamState {
  readonly mean: Float32Array;
  readonly variance: Float32Array;
}

export const createAdam = (size: number): AdamState => ({ mean: new Float32Array(size), variance: new Float32Array(size) });

const [BETA_1, BETA_2, EPSILON] = [0.9, 0.999, 1e-8] as const;

/** Moves the parameters against the gradient. `step` counts from 1. */
export function updateByAdam(
  parameters: Float32Array,
  gradient: Float64Array,
  { mean, variance }: AdamState,
  rate: number,
  step: number,
): void {
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

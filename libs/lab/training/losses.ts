/** log(sum(exp)) of `count` numbers from `at`, without overflow. */
export function logSumExp(values: ArrayLike<number>, at: number, count: number): number {
  let most = -Infinity;
  for (let i = at; i < at + count; i++) most = Math.max(most, values[i]!);
  let sum = 0;
  for (let i = at; i < at + count; i++) sum += Math.exp(values[i]! - most);
  return most + Math.log(sum);
}

/** Some outputs of a network: for each tactic `quantiles` numbers, whose mean is its value. */
export interface Head {
  readonly tactics: number;
  readonly quantiles: number;
}

/** The value of each tactic in one row of outputs. @param into rows x tactics */
export function valuesOf(outputs: Float64Array, count: number, { tactics, quantiles }: Head, into: Float64Array): void {
  for (let i = 0; i < count * tactics; i++) {
    let sum = 0;
    for (let q = 0; q < quantiles; q++) sum += outputs[i * quantiles + q]!;
    into[i] = sum / quantiles;
  }
}

/**
 * The loss of predicting a return in one row, and its gradient by the row's outputs, added to `gradient`.
 * With one quantile half the squared error, with more the quantile Huber loss (Dabney et al. 2018, equation 10).
 * @param row where the row begins in `outputs` and `gradient`
 * @param targets `quantiles` samples of the return
 */
export function temporalDifference(
  outputs: Float64Array,
  row: number,
  tactic: number,
  { quantiles }: Head,
  targets: ArrayLike<number>,
  scale: number,
  gradient: Float64Array,
): number {
  const at = row + tactic * quantiles;
  if (quantiles === 1) {
    const error = outputs[at]! - targets[0]!;
    gradient[at]! += scale * error;
    return (scale * error * error) / 2;
  }
  let loss = 0;
  for (let i = 0; i < quantiles; i++) {
    const fraction = (i + 0.5) / quantiles;
    for (let j = 0; j < quantiles; j++) {
      const error = targets[j]! - outputs[at + i]!;
      const weight = (scale * Math.abs(fraction - Number(error < 0))) / quantiles;
      const size = Math.abs(error);
      loss += weight * (size <= 1 ? (error * error) / 2 : size - 0.5);
      gradient[at + i]! -= weight * Math.max(-1, Math.min(1, error));
    }
  }
  return loss;
}

/**
 * How much more the values promise than the value of the recorded tactic: log(sum(exp(values))) - value, and its gradient. The conservative
 * term of equation 14; of logits it is the negative log-likelihood, the loss of cloning.
 */
export function conservatism(
  values: Float64Array,
  row: number,
  tactic: number,
  { tactics, quantiles }: Head,
  scale: number,
  gradient: Float64Array,
): number {
  const all = logSumExp(values, row * tactics, tactics);
  for (let t = 0; t < tactics; t++) {
    const by = (scale * (Math.exp(values[row * tactics + t]! - all) - Number(t === tactic))) / quantiles;
    const at = (row * tactics + t) * quantiles;
    for (let q = 0; q < quantiles; q++) gradient[at + q]! += by;
  }
  return scale * (all - values[row * tactics + tactic]!);
}

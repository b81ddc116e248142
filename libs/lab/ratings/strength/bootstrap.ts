import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { cholesky, solve, zeroMatrix } from '../linear-algebra.ts';
import type { StrengthFit } from './bradley-terry.ts';
import { addMatch, type Derivatives, likelihoodAt, PRIOR_PRECISION, priorAt } from './likelihood.ts';

/** What deals add to the gradient, or to the information, at the estimate: element `at[i]` grows by `values[i]`. Zeros are left out. */
interface Terms {
  /** By deal, where its terms begin; and at the end, how many there are. */
  readonly starts: Uint32Array;
  readonly at: Uint32Array;
  readonly values: Float64Array;
}

/** With fewer deals, the bootstrap is too sure of itself. */
export const ENOUGH_DEALS = 20;
/** With more deals, the information of those that are drawn is that of all, but for a few per cent; it is left as it is then. */
const MANY_DEALS = 2000;

/**
 * Parameters of resampled contests, without end: as many deals as there are, drawn with replacement, refitted by one Newton step from the
 * estimate with the gradient and the information of the drawn deals. Deals are drawn, not games, as the games of a deal depend on each other
 * (the cluster bootstrap: Davison and Hinkley, 1997, Bootstrap Methods and their Application, section 3.8).
 * The centre of the prior is drawn from the prior each time, so that what the games do not tell, such as a comparison of agents that never
 * met, is as uncertain as the prior, and not certain.
 */
export function* bootstrapStrengths(fit: StrengthFit, seed: string): Generator<Float64Array, never> {
  const { design, estimate } = fit;
  const deals = design.deals.length;
  const gradients = termsOf(fit, ({ gradient }) => gradient, false);
  const informations = deals > MANY_DEALS ? undefined : termsOf(fit, ({ information }) => information.elements, true);
  const fixed = informations ? undefined : cholesky(likelihoodAt(design, estimate).information);
  const dice = diceOf(seed, 'bootstrap');
  const prior = priorAt(estimate);
  const times = new Uint32Array(deals);
  for (;;) {
    times.fill(0);
    for (let i = 0; i < deals; i++) times[dice.below(deals)]!++;
    const gradient = prior.gradient.map((part) => part + Math.sqrt(PRIOR_PRECISION) * normalOf(dice));
    addTerms(gradients, times, gradient);
    const information = { size: estimate.length, elements: prior.information.elements.slice() };
    if (informations) addTerms(informations, times, information.elements);
    const move = solve(fixed ?? cholesky(information), gradient);
    yield estimate.map((value, i) => value + move[i]!);
  }
}

/** The terms of each deal in a vector by parameter, or in a lower triangle of parameters by parameters. */
function termsOf({ design, estimate }: StrengthFit, part: (of: Derivatives) => Float64Array, isMatrix: boolean): Terms {
  const size = estimate.length;
  const derivatives = { gradient: new Float64Array(size), information: zeroMatrix(size) };
  const from = part(derivatives);
  const [at, values]: [number[], number[]] = [[], []];
  const starts = new Uint32Array(design.deals.length + 1);
  for (const [d, deal] of design.deals.entries()) {
    const parameters = new Set<number>();
    for (const match of deal) {
      addMatch(match, estimate, derivatives);
      for (const team of match) for (const parameter of team.parameters) parameters.add(parameter);
    }
    for (const row of parameters)
      for (const position of isMatrix ? Array.from(parameters, (column) => row * size + column) : [row])
        if (from[position] !== 0) {
          at.push(position);
          values.push(from[position]!);
        }
    derivatives.gradient.fill(0);
    for (const row of parameters) for (const column of parameters) derivatives.information.elements[row * size + column] = 0;
    starts[d + 1] = at.length;
  }
  return { starts, at: Uint32Array.from(at), values: Float64Array.from(values) };
}

/** Adds the terms of each deal, as often as it was drawn. */
function addTerms({ starts, at, values }: Terms, times: Uint32Array, to: Float64Array): void {
  for (let d = 0; d < times.length; d++) {
    const count = times[d]!;
    if (count > 0) for (let i = starts[d]!, end = starts[d + 1]!; i < end; i++) to[at[i]!]! += count * values[i]!;
  }
}

/** A value between 0 and 1, neither of them. */
export const uniformOf = (dice: Dice): number => (dice.below(0x1_0000_0000) + 0.5) / 0x1_0000_0000;

/** A standard normal value (Box and Muller, 1958, Annals of Mathematical Statistics 29, 610–611). */
export const normalOf = (dice: Dice): number => Math.sqrt(-2 * Math.log(uniformOf(dice))) * Math.cos(2 * Math.PI * uniformOf(dice));

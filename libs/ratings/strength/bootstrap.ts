import { diceOf } from '@maw/games/kernel/dice.ts';
import { normalOf } from '../chance.ts';
import type { StrengthFit } from './bradley-terry.ts';
import { addMatch, PRIOR_PRECISION, priorAt } from './likelihood.ts';
import { cholesky, type Matrix, solve, zeroMatrix } from '../linear-algebra.ts';

/** What one deal adds to the derivatives at the estimate; information by its position in the matrix, without zeros. */
interface DealTerms {
  readonly gradient: Sparse;
  readonly information: Sparse;
}

interface Sparse {
  readonly at: Int32Array;
  readonly values: Float64Array;
}

/**
 * Parameters of resampled contests, without end: as many deals as there are, drawn with replacement, refitted by one Newton step from the
 * estimate with the gradient and information of the drawn deals. Deals are drawn, not games, as the games of a deal depend on each other
 * (the cluster bootstrap: Davison and Hinkley, 1997, Bootstrap Methods and their Application, section 3.8).
 * The centre of the prior is drawn from the prior each time, so that what the games do not tell, such as a comparison of agents that never
 * met a common rule set, is as uncertain as the prior, and not certain.
 */
export function* bootstrapStrengths({ design, estimate }: StrengthFit, seed: string): Generator<Float64Array, never> {
  const deals = termsOf({ design, estimate });
  const dice = diceOf(seed, 'bootstrap');
  const prior = priorAt(estimate);
  const times = new Int32Array(deals.length);
  for (;;) {
    times.fill(0);
    for (let i = 0; i < deals.length; i++) times[dice.below(deals.length)]!++;
    const gradient = prior.gradient.map((part) => part + Math.sqrt(PRIOR_PRECISION) * normalOf(dice));
    const information: Matrix = { size: estimate.length, elements: prior.information.elements.slice() };
    for (const [d, deal] of deals.entries()) {
      if (times[d] === 0) continue;
      add(deal.gradient, times[d]!, gradient);
      add(deal.information, times[d]!, information.elements);
    }
    const move = solve(cholesky(information), gradient);
    yield estimate.map((value, i) => value + move[i]!);
  }
}

function termsOf({ design, estimate }: StrengthFit): readonly DealTerms[] {
  const gradient = new Float64Array(estimate.length);
  const information = zeroMatrix(estimate.length);
  return design.deals.map((deal) => {
    for (const match of deal) addMatch(match, estimate, { gradient, information });
    const parameters = [...new Set(deal.flatMap((match) => match.flatMap((team) => team.parameters)))].toSorted((a, b) => a - b);
    const pairs = parameters.flatMap((row, i) => parameters.slice(0, i + 1).map((column) => row * estimate.length + column));
    return { gradient: take(gradient, parameters), information: take(information.elements, pairs) };
  });
}

/** The elements at some positions that are not 0; they are reset to 0. */
function take(from: Float64Array, positions: readonly number[]): Sparse {
  const at = Int32Array.from(positions.filter((position) => from[position] !== 0));
  const values = Float64Array.from(at, (position) => from[position]!);
  for (const position of at) from[position] = 0;
  return { at, values };
}

function add({ at, values }: Sparse, times: number, to: Float64Array): void {
  for (let i = 0; i < at.length; i++) to[at[i]!]! += times * values[i]!;
}

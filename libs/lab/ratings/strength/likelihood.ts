import { type Design, type Match, parameterCount, type Team } from './design.ts';
import { cholesky, type Matrix, solve, zeroMatrix } from '../linear-algebra.ts';

/**
 * The precision of the normal prior of every parameter: a standard deviation of three logits. It hardly moves an estimate, and keeps it
 * finite where one agent has won every game.
 */
export const PRIOR_PRECISION = 1 / 9;

/** Derivatives of a log-likelihood. */
export interface Derivatives {
  readonly gradient: Float64Array;
  /** The negated matrix of second derivatives; its lower triangle only. */
  readonly information: Matrix;
}

/** The derivatives of the prior alone, at some parameters. */
export function priorAt(at: Float64Array): Derivatives {
  const information = zeroMatrix(at.length);
  for (let i = 0; i < at.length; i++) information.elements[i * at.length + i] = PRIOR_PRECISION;
  return { gradient: at.map((value) => -PRIOR_PRECISION * value), information };
}

/** The chance of each side to win. */
export function chancesOf(match: Match, at: Float64Array): readonly number[] {
  const strengths = match.map(({ parameters, weights }) => parameters.reduce((sum, parameter, i) => sum + at[parameter]! * weights[i]!, 0));
  const most = Math.max(...strengths);
  const odds = strengths.map((strength) => Math.exp(strength - most));
  const all = odds.reduce((a, b) => a + b);
  return odds.map((each) => each / all);
}

/** Adds one game to the derivatives. @returns its log-likelihood */
export function addMatch(match: Match, at: Float64Array, { gradient, information }: Derivatives): number {
  const chances = chancesOf(match, at);
  let value = 0;
  for (const [t, team] of match.entries()) {
    const { parameters, weights, share } = team;
    if (share > 0) value += share * Math.log(Math.max(chances[t]!, Number.MIN_VALUE));
    for (let i = 0; i < parameters.length; i++) gradient[parameters[i]!]! += (share - chances[t]!) * weights[i]!;
    for (let u = 0; u < t; u++) addDifference(team, match[u]!, chances[t]! * chances[u]!, information);
  }
  return value;
}

/** Adds `factor` times the square of one side's terms less the other's. Sides share no parameter. */
function addDifference(one: Team, other: Team, factor: number, information: Matrix): void {
  addProducts(one, one, factor, information);
  addProducts(other, other, factor, information);
  addProducts(one, other, -factor, information);
  addProducts(other, one, -factor, information);
}

function addProducts(a: Team, b: Team, factor: number, { size, elements }: Matrix): void {
  for (let i = 0; i < a.parameters.length; i++) {
    const row = a.parameters[i]!;
    for (let j = 0; j < b.parameters.length; j++) {
      const column = b.parameters[j]!;
      if (column <= row) elements[row * size + column]! += factor * a.weights[i]! * b.weights[j]!;
    }
  }
}

/** The penalised log-likelihood of all games, with its derivatives. */
export function likelihoodAt(design: Design, at: Float64Array): Derivatives & { readonly value: number } {
  const derivatives = priorAt(at);
  let value = at.reduce((sum, part) => sum - (PRIOR_PRECISION / 2) * part * part, 0);
  for (const deal of design.deals) for (const match of deal) value += addMatch(match, at, derivatives);
  return { ...derivatives, value };
}

const MAX_STEPS = 100;
/** A step that moves every parameter by less than this many logits is the last. */
const PRECISE = 1e-9;
/** A likelihood that falls by less than this, relative to itself, falls by rounding. */
const ROUNDING = 1e-12;

/**
 * The parameters that maximise the penalised likelihood, by Newton's method with step halving. The likelihood is strictly concave, so there
 * is one maximum.
 */
export function maximise(design: Design): Float64Array {
  let at = new Float64Array(parameterCount(design));
  let here = likelihoodAt(design, at);
  for (let step = 0; step < MAX_STEPS; step++) {
    let move = solve(cholesky(here.information), here.gradient);
    const tolerance = ROUNDING * (1 + Math.abs(here.value));
    for (;;) {
      const next = at.map((value, i) => value + move[i]!);
      const there = likelihoodAt(design, next);
      const isPrecise = move.every((part) => Math.abs(part) < PRECISE);
      if (there.value >= here.value - tolerance || isPrecise) {
        [at, here] = [next, there];
        if (isPrecise) return at;
        break;
      }
      move = move.map((part) => part / 2);
    }
  }
  return at;
}

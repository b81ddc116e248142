/** How much of the time a population plays each strategy in the long run. */
export interface AlphaRank {
  /** By strategy; they sum to 1. The strongest have the most. */
  readonly masses: readonly number[];
  /** The ranking intensity at which they were taken. */
  readonly alpha: number;
  /** Whether the masses had settled there: a stronger selection would not change them. */
  readonly isSettled: boolean;
}

/** The size of the population. */
const POPULATION = 50;

/**
 * The stationary distribution of alpha-rank (Omidshafiei and others, 2019, Scientific Reports 9, 9937) for a symmetric game of one population: a
 * mutant takes the population over with the chance of the Moran process, in which it spreads the faster the more it gets from the others.
 * @param payoffs what the strategy of the row gets against that of the column
 * @param alpha the ranking intensity: how much payoffs matter
 */
export function stationaryMasses(payoffs: readonly (readonly number[])[], alpha: number, population = POPULATION): readonly number[] {
  const rates = payoffs.map((row, resident) =>
    row.map((_, mutant) => (mutant === resident ? 0 : fixation(payoffs, mutant, resident, alpha, population) / (payoffs.length - 1))),
  );
  return stationary(rates);
}

/** The chance that one mutant takes over all residents (Traulsen, Nowak and Pacheco, 2006, Physical Review E 74, 011909). */
function fixation(payoffs: readonly (readonly number[])[], mutant: number, resident: number, alpha: number, population: number): number {
  let [all, log] = [1, 0];
  for (let mutants = 1; mutants < population; mutants++) {
    const gets = (own: number, other: number, alike: number): number =>
      ((alike - 1) * payoffs[own]![own]! + (population - alike) * payoffs[own]![other]!) / (population - 1);
    log -= alpha * (gets(mutant, resident, mutants) - gets(resident, mutant, population - mutants));
    all += Math.exp(log);
  }
  return 1 / all;
}

/** The intensity at which a sweep begins, and the largest exponent that it uses: beyond it, rates would underflow. */
const WEAKEST = 1e-3;
const LARGEST_EXPONENT = 300;
/** Masses that change by less than this are still. */
const STILL = 1e-4;

/**
 * alpha-rank by a sweep: the intensity is doubled until payoffs decide every takeover and the masses no longer change, or until exponents
 * become too large.
 * @param payoffs as for `stationaryMasses`. @throws Error when a payoff is missing
 */
export function alphaRank(payoffs: readonly (readonly number[])[]): AlphaRank {
  const all = payoffs.flat();
  if (!all.every(Number.isFinite)) throw new Error('alpha-rank needs a payoff for each pair of strategies');
  const range = Math.max(...all) - Math.min(...all);
  if (!(range > 0)) return { masses: payoffs.map(() => 1 / payoffs.length), alpha: 0, isSettled: true };
  const strongest = LARGEST_EXPONENT / (POPULATION * range);
  const gaps = payoffs.flatMap((row, i) => row.map((value, j) => Math.abs(value - payoffs[j]![i]!))).filter((gap) => gap > 0);
  const decisive = 10 / (POPULATION * Math.min(...gaps));
  let alpha = Math.min(WEAKEST / range, strongest);
  let masses = stationaryMasses(payoffs, alpha);
  while (alpha * 2 <= strongest) {
    const next = stationaryMasses(payoffs, (alpha *= 2));
    const isStill = next.every((mass, i) => Math.abs(mass - masses[i]!) < STILL);
    masses = next;
    if (isStill && alpha >= decisive) return { masses, alpha, isSettled: true };
  }
  return { masses, alpha, isSettled: false };
}

/**
 * The stationary distribution of a Markov chain, from its rates off the diagonal, by the elimination of Grassmann, Taksar and Heyman (1985,
 * Operations Research 33, 1107–1116), which subtracts nothing: rates that differ by a hundred orders of magnitude do not spoil it.
 */
function stationary(rates: readonly (readonly number[])[]): readonly number[] {
  const flow = rates.map((row) => [...row]);
  const exits = flow.map(() => 0);
  for (let n = flow.length - 1; n > 0; n--) {
    exits[n] = flow[n]!.slice(0, n).reduce((sum, rate) => sum + rate, 0);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (i !== j) flow[i]![j]! += (flow[i]![n]! * flow[n]![j]!) / exits[n]!;
  }
  const weights = flow.map((_, n) => Number(n === 0));
  for (let n = 1; n < flow.length; n++) for (let i = 0; i < n; i++) weights[n]! += (weights[i]! * flow[i]![n]!) / exits[n]!;
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / all);
}

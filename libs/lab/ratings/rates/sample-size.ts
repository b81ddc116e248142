import { normalBeyond } from '../distributions.ts';
import { chancesOf } from './sign-flips.ts';

/** With fewer games or deals it is hardly known how much they differ, so nobody can say how many a comparison needs. */
export const LEAST_TO_PLAN = 10;

/** A two-sided test at `level` shall find a difference with this `power`, of .5 at least. */
export interface Sought {
  readonly level: number;
  readonly power: number;
}

export const USUALLY_SOUGHT: Sought = { level: 0.05, power: 0.8 };

/**
 * How many deals, or games of each of two groups, find a difference; with fewer than six none is found.
 * @param variance of the difference in one deal, or of a game of one group less one of the other
 * @param none the same where there is no difference in truth
 * @returns a whole number; Infinity for no difference
 */
export function dealsForPower(difference: number, variance: number, { level, power }: Sought, none = variance): number {
  const reach = normalBeyond(level) * Math.sqrt(none) + normalBeyond(2 * (1 - power)) * Math.sqrt(variance);
  return difference === 0 ? Infinity : Math.max(6, Math.ceil((reach / difference) ** 2));
}

/** Where the formula gives more deals, it is as good as counting. */
const MOST_COUNTED = 1000;

/**
 * The least deals at which `signFlipP` finds a difference with this power, each deal being won by one, by the other or by neither. It takes some more
 * than `dealsForPower` says, as of few deals only certain p are possible. Parameters as there.
 */
export function pairedDealsForPower(difference: number, variance: number, sought: Sought, none = variance): number {
  const byFormula = dealsForPower(difference, variance, sought, none);
  if (byFormula > MOST_COUNTED) return byFormula;
  const size = Math.abs(difference);
  const decided = Math.min(1, Math.max(size, variance + size ** 2));
  const found = [0];
  for (let deals = 1; ; deals++) {
    found.push(chanceFound(deals, (1 + size / decided) / 2, sought.level));
    if (chancesOf(deals, decided).reduce((sum, chance, of) => sum + chance * found[of]!, 0) >= sought.power) return deals;
  }
}

/** How likely p is below the level, in favour of the better one, which wins each of these deals with the chance `won`. */
function chanceFound(deals: number, won: number, level: number): number {
  const [fair, chances] = [chancesOf(deals), chancesOf(deals, won)];
  let [p, chance] = [0, 0];
  for (let lost = 0; 2 * lost < deals; lost++) {
    p += 2 * fair[lost]!;
    if (p >= level) break;
    chance += chances[deals - lost]!;
  }
  return chance;
}

import type { Experience } from '../mind.ts';

/** The score of all decisions of a player: equation 4 of document 001. @param days the day of the end */
export const experienceScore = (isWinner: boolean, days: number): number => (isWinner ? 1000 - days : days);

export interface Selection {
  /** The one with the lowest score. */
  readonly bad: Experience;
  /** Those that may be good. */
  readonly good: readonly Experience[];
}

/** How good ones are found: near the median of the scores (the paper's), or with a score of 993 to 995, highest first (the program's). */
export type GoodBy = 'median' | 'fixed';

/** Chooses what is compared: the worst, and at most `most` good ones. Undefined when there is nothing to compare. */
export function selectExperience(found: readonly Experience[], by: GoodBy, most: number): Selection | undefined {
  const [bad, ...others] = found.toSorted((a, b) => a.score - b.score);
  if (!bad || !others.length) return undefined;
  const scores = found.map(({ score }) => score).toSorted((a, b) => a - b);
  const median = (scores[(scores.length - 1) >> 1]! + scores[scores.length >> 1]!) / 2;
  const good =
    by === 'fixed'
      ? others.filter(({ score }) => score >= 993 && score <= 995).toSorted((a, b) => b.score - a.score)
      : others.toSorted((a, b) => Math.abs(a.score - median) - Math.abs(b.score - median));
  return good.length ? { bad, good: good.slice(0, most) } : undefined;
}

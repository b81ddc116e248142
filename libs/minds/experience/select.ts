import type { Seat } from '@maw/games/kernel/question.ts';
import type { Experience } from '../mind.ts';
import { escapePattern, namePattern, wordPattern } from '../name-pattern.ts';

/** The score of all decisions of a player: equation 4 of document 001. @param days the day of the end */
export const experienceScore = (isWinner: boolean, days: number): number => (isWinner ? 1000 - days : days);

export interface Selection {
  /** The one with the lowest score. */
  readonly bad: Experience;
  /** Those that may be good. */
  readonly good: readonly Experience[];
}

/** A shorter word of a name is not taken for the player. */
const SHORTEST_WORD = 2;

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

/** The letter that stands for a seat in experience: `Player A`. */
export const maskOf = (seat: Seat): string => `Player ${String.fromCodePoint(65 + seat)}`;

/**
 * Replaces the names of players, so that experience of one game names nobody of another.
 * @param masked what stands for a seat: a letter if not given
 */
export function maskNames(text: string, names: readonly string[], masked: (seat: Seat) => string = maskOf): string {
  const byLength = names.flatMap(spellingsOf).toSorted((a, b) => b.length - a.length);
  if (!byLength.length) return text;
  const any = new RegExp(byLength.map(({ pattern }) => `(${pattern})`).join('|'), 'gu');
  return text.replace(any, (...groups) => masked(byLength[groups.slice(1).findIndex((group) => group !== undefined)]!.seat));
}

/** A name in any case and with any hyphens, and each word of it as it is written. */
function spellingsOf(name: string, seat: Seat): readonly { readonly pattern: string; readonly length: number; readonly seat: Seat }[] {
  const words = name.split(/[\s_-]+/).filter(Boolean);
  const whole = { pattern: `(?i:${wordPattern(words.map(escapePattern).join('[\\s_-]+'))})`, length: name.length, seat };
  const parts = words.length > 1 ? words.filter(({ length }) => length >= SHORTEST_WORD) : [];
  return words.length ? [whole, ...parts.map((word) => ({ pattern: namePattern(word), length: word.length, seat }))] : [];
}

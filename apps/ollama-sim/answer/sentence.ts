import type { Random } from '../seeded-random.ts';

const DOES = ['trusts', 'watches', 'remembers', 'doubts', 'forgets', 'defends'];
const WHAT = ['the first vote', 'that answer', 'the silence', 'what was said', 'an old friend', 'the last night'];

const MAX_CHARS = 200;

/**
 * A made-up sentence of at least `min` and at most `max` characters; where it does not fit, it is repeated or cut. The number makes it, and a
 * name that is cut from it, one that nobody else has.
 */
export const sentence = (random: Random, min = 1, max = Math.max(MAX_CHARS, min)): string => {
  const pick = (words: readonly string[]): string => words[random.below(words.length)]!;
  let text = `Guest ${random.below(100_000)} ${pick(DOES)} ${pick(WHAT)}.`;
  while (text.length < min) text += ` ${text}`;
  return text.length > max ? text.slice(0, max).trimEnd().padEnd(min, '.') : text;
};

import type { Dice } from '@maw/games/kernel/dice.ts';

/** Sentences for one occasion; NAME stands for a player, or for several. */
export type Sentences = readonly [string, ...string[]];

/** Picks a sentence for an occasion. */
export const phrasebook =
  <Occasion extends string>(phrases: { readonly [occasion in Occasion]: Sentences }) =>
  (occasion: Occasion, dice: Dice, name = ''): string =>
    dice.pick(phrases[occasion]).replaceAll('NAME', name);

/** What a seer says about its results. */
export const revealResults = (results: readonly { readonly name: string; readonly isWolf: boolean }[]): string =>
  ['I am the Seer.', ...results.map(({ name, isWolf }) => `${name} is ${isWolf ? '' : 'not '}a Werewolf.`)].join(' ');

/** As many of the sentences as fit, from the first on; undefined when not even that does. */
export function fitSentences(sentences: readonly string[], maxChars: number): string | undefined {
  for (let count = sentences.length; count > 0; count--) {
    const text = sentences.slice(0, count).join(' ');
    if ([...text].length <= maxChars) return text;
  }
  return undefined;
}

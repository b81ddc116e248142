import type { Moment } from '../moment.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { escapePattern, namePattern } from '@maw/games/kernel/name-pattern.ts';
import { commonDice } from '../shared/choosing.ts';
import { memoize } from '../shared/memoize.ts';

/** How a seat words what it says; it changes nothing else. */
const TEMPERS = ['blunt', 'cautious', 'chatty', 'dry'] as const;
type Temper = (typeof TEMPERS)[number];

/** The sentences for an occasion: for every temper, the plainest first, and more for each. `{name}` and other words in braces are filled in. */
type Sentences = { readonly any: readonly [string, ...string[]] } & { readonly [temper in Temper]?: readonly string[] };
/** All sentences of a game, by occasion. */
export type Book<Occasion extends string = string> = { readonly [occasion in Occasion]: Sentences };
/** What is filled in: names, reasons. */
export type Filling = { readonly [word: string]: string };

/** Words an occasion. */
export type Voice<Occasion extends string = string> = (occasion: Occasion, filling?: Filling) => string;

/** The temper of a seat at a table: public, and no seat more often of one temper than another. */
export const temperOf = (table: string, seat: number): Temper => commonDice(table, `temper/${seat}`).pick(TEMPERS);

/**
 * Words occasions in the temper of a seat. It avoids sentences that were heard lately, about whomever; the dice are those of the table, so the choices of a
 * strategy do not depend on them.
 * @param heard speeches that should not be repeated, the last one last
 * @param isPlain whether to use the plainest words only
 */
export function voiceOf<Occasion extends string>(
  book: Book<Occasion>,
  { table, seat, phase, iteration, players }: Pick<Moment, 'table' | 'seat' | 'phase' | 'iteration' | 'players'>,
  heard: readonly string[] = [],
  isPlain = false,
): Voice<Occasion> {
  const temper = temperOf(table, seat);
  const sentencesIn = sentencesWithout(players.map(({ name }) => name));
  let spoken: (readonly string[])[] | undefined;
  return (occasion, filling = {}) => {
    const { any, [temper]: own = [] } = book[occasion];
    if (isPlain) return fill(any[0], filling);
    const key = `${phase}/${occasion}`;
    // half of what it says sounds like itself, if it has own words for it
    const isOwnFirst = own.length > 0 && commonDice(table, `words/${seat}/${key}/${iteration}`).below(2) === 0;
    // those who speak at the same time begin at different places of the same order
    const order = (sentences: readonly string[]): readonly string[] => {
      const shuffled = commonDice(table, `words/${key}`).shuffle(sentences);
      const start = (seat + iteration) % Math.max(1, shuffled.length);
      return [...shuffled.slice(start), ...shuffled.slice(0, start)];
    };
    const all = (isOwnFirst ? [...order(own), ...order(any)] : [...order(any), ...order(own)]).map((sentence) => fill(sentence, filling));
    const before = (spoken ??= heard.map(sentencesIn));
    const ranked = all.map((text) => ({ text, at: lastHeard(sentencesIn(text), before) }));
    const { text } = ranked.reduce((best, one) => (one.at < best.at ? one : best));
    before.push(sentencesIn(text));
    return text;
  };
}

/** Finds the sentences of a text, with a sign for each of the names, in any case: a table says the same ones again and again. */
const sentencesWithout = memoize((names: readonly string[]) => {
  const pattern = new RegExp(names.map((name) => `${namePattern(name)}|${escapePattern(name)}(?=さん)`).join('|') || '(?!)', 'giu');
  return memoize((text: string): readonly string[] => text.replace(pattern, '_').split(/(?<=[.!?]) |(?<=[。！？])/), 300);
}, 100);

/** The position of the last speech with one of some sentences; -1 when there is none. */
const lastHeard = (sentences: readonly string[], heard: readonly (readonly string[])[]): number =>
  heard.findLastIndex((speech) => sentences.some((sentence) => speech.includes(sentence)));

/** Every sentence of a temper for an occasion; without one: of all tempers. */
export const sentencesOf = (sentences: Sentences, temper?: Temper): readonly string[] => [
  ...sentences.any,
  ...(temper ? [temper] : TEMPERS).flatMap((each) => sentences[each] ?? []),
];

/** Japanese has no capitals, and a name stays as it is. */
const JAPANESE = /\p{Script=Hiragana}/u;

export const fill = (sentence: string, filling: Filling): string => {
  const text = sentence.replace(/\{(\w+)\}/g, (_, word: string) => filling[word] ?? '');
  return JAPANESE.test(sentence) ? text : text.charAt(0).toUpperCase() + text.slice(1);
};

/** A seer's result, true or not. */
export interface SeerResult {
  readonly seat: Seat;
  readonly isWolf: boolean;
}

/** What a seer says about its results; `isAgain`: it has said before that it is the seer. */
export function revealResults(
  results: readonly SeerResult[],
  { players }: Pick<Moment, 'players'>,
  voice: Voice<'seer' | 'seerAgain' | 'found' | 'cleared' | 'foundDead' | 'clearedDead'>,
  isAgain: boolean,
): string {
  const tell = ({ seat, isWolf }: SeerResult) => {
    const { name, alive } = players[seat]!;
    return voice(`${isWolf ? 'found' : 'cleared'}${alive ? '' : 'Dead'}`, { name });
  };
  return [voice(isAgain ? 'seerAgain' : 'seer'), ...results.map(tell)].join(' ');
}

/** As many of the sentences as fit, from the first on; undefined when not even that does. */
export function fitSentences(sentences: readonly string[], maxChars: number): string | undefined {
  for (let count = sentences.length; count > 0; count--) {
    const text = sentences.slice(0, count).join(' ');
    if ([...text].length <= maxChars) return text;
  }
  return undefined;
}

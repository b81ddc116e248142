import type { Seat } from '@maw/games/kernel/question.ts';
import { escapePattern } from '@maw/games/kernel/name-pattern.ts';
import { sanitize } from '../sanitize.ts';
import { commonWords } from '@maw/games/english/common-words.ts';

/** A word of a name that has fewer characters is found only as it is written, and not shortened, bent or within another word. */
const SHORTEST_BENT = 3;
/** From so many characters on a name, or its beginning, is found anywhere and in any case. */
const LEAST_DISTINCT = 5;
/** How many letters are taken for an ending of a name: `Bobs`, `Bobby`, `Annie`. */
const MAX_ENDING = 4;
/** Letters of scripts without capitals. Most of them do not part words, or attach particles to them. */
const CASELESS = /\p{Lo}/u;
/** Names of which the last two characters are used alone. */
const WITH_FAMILY_NAME = /^[\p{Script=Han}\p{Script=Hangul}]{3,}$/u;
const IN_WORD = '[\\p{L}\\p{N}_]';
const WITH_MARKS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu;

/** The label of a seat: `Player A`. */
export const labelOf = (seat: Seat): string => `Player ${String.fromCodePoint(65 + seat)}`;

/**
 * Replaces the names of players by labels: `Player A` for seat 0. It also takes bent names (`Bobs`, `Annie`), beginnings (`Chris` for
 * Christopher) and words made with a name (`TeamBob`) for names, and so rare words that look like one, and common ones that are one
 * (`will`): for texts that must not name anybody, not for what is sent to players.
 */
export function labelPlayers(text: string, names: readonly string[]): string {
  const { spellings, exact, any } = matcherOf(names);
  if (!spellings.length) return text;
  let [labelled, at] = ['', 0];
  for (const match of withoutMarks(text).matchAll(any)) {
    const [found, ...groups] = match;
    const word = found.toLowerCase();
    if (commonWords.has(word) && !exact.has(word) && !exact.has(found)) continue;
    const { seat } = spellings[groups.findIndex((group) => group !== undefined)]!;
    labelled += text.slice(at, match.index) + labelOf(seat);
    at = match.index + found.length;
  }
  return labelled + text.slice(at);
}

interface Matcher {
  readonly spellings: readonly Spelling[];
  /** Names in lower case, and words of names as they are written: those that are common words count too. */
  readonly exact: ReadonlySet<string>;
  /** A group for each spelling. */
  readonly any: RegExp;
}

/** A game has many texts. */
const matchers = new WeakMap<readonly string[], Matcher>();

function matcherOf(names: readonly string[]): Matcher {
  const known = matchers.get(names);
  if (known) return known;
  const plain = names.map((name) => withoutMarks(sanitize(name)));
  const spellings = plain.flatMap(spellingsOf).toSorted((a, b) => b.length - a.length);
  const exact = new Set(plain.flatMap((name) => [name.toLowerCase(), ...wordsOf(name)]));
  const made = { spellings, exact, any: new RegExp(spellings.map(({ pattern }) => `(${pattern})`).join('|'), 'gu') };
  matchers.set(names, made);
  return made;
}

const wordsOf = (name: string): readonly string[] => name.split(/[\s_-]+/).filter(Boolean);

/** The same for a text as somebody wrote it, as one line: no character that nobody sees hides a name. */
export const labelRawText = (text: string, names: readonly string[]): string =>
  labelPlayers(sanitize(text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')), names);

/** `Zoe` for Zoë: as many characters as before. */
const withoutMarks = (text: string): string => text.replace(WITH_MARKS, (letter) => letter.normalize('NFD')[0]!);

/** Replaces labels by what `nameOf` says of their seats, also after `Players` (`Players A and B`); other numbered players are `a player`. */
export function unlabelPlayers(text: string, seats: number, nameOf: (seat: Seat) => string): string {
  const letters = Array.from({ length: seats }, (_, seat) => labelOf(seat).at(-1)!);
  const letter = `[${letters.map(escapePattern).join('')}]`;
  const labels = new RegExp(
    `\\b(?:[Pp]layer ${letter}|[Pp]layers ${letter}(?:(?:, | and | or |, and |, or | & )${letter})*)(?![\\p{L}\\p{N}])`,
    'gu',
  );
  return text
    .replace(labels, (label) =>
      label.replace(/^[Pp]layers? /, '').replace(/[^, &]+/g, (word) => (letters.includes(word) ? nameOf(letters.indexOf(word)) : word)),
    )
    .replaceAll(/\b(?:seat|player|agent) ?\[?\d+\]?/gi, 'a player');
}

interface Spelling {
  readonly pattern: string;
  /** Longer ones are found first; among equals a whole name before a part of another. */
  readonly length: number;
  readonly seat: Seat;
}

/** The whole name and each of its words: as they are written, bent, shortened, and within other words. */
function spellingsOf(name: string, seat: Seat): readonly Spelling[] {
  const words = wordsOf(name);
  if (!words.length) return [];
  if (CASELESS.test(name)) {
    const given = WITH_FAMILY_NAME.test(name) ? [[...name].slice(1).join('')] : [];
    return [name, ...given].map((each) => ({ pattern: `(?i:${escapePattern(each)})`, length: each.length, seat }));
  }
  const whole = { pattern: asWord(bent(words.map(escapePattern).join('[\\s_-]+'), name)), length: name.length, seat };
  const parts =
    words.length > 1 ? words.map((word) => ({ pattern: asWord(bent(escapePattern(word), word)), length: word.length - 0.5, seat })) : [];
  return [whole, ...parts, ...words.flatMap((word) => [...beginningsOf(word, seat), ...compoundsOf(word, seat)])];
}

const bent = (pattern: string, { length }: string): string => (length < SHORTEST_BENT ? pattern : `(?i:${pattern})\\p{L}{0,${MAX_ENDING}}`);

/** `Chris` and `Chrissy` of Christopher; a short one only with a capital, as `the` begins Theodor too. */
function beginningsOf(word: string, seat: Seat): readonly Spelling[] {
  const [first = '', ...rest] = word;
  const lengths = Array.from({ length: Math.max(0, rest.length + 1 - SHORTEST_BENT) }, (_, i) => i + SHORTEST_BENT);
  return lengths.map((length) => {
    const end = escapePattern(rest.slice(0, length - 1).join(''));
    const begin = length < LEAST_DISTINCT ? escapePattern(first.toUpperCase()) : `(?i:${escapePattern(first)})`;
    return { pattern: asWord(`${begin}(?i:${end})\\p{L}{0,2}`), length: length - 0.5, seat };
  });
}

/** Words made with a word of a name: `TeamBob`, `Bob2`, `BobTheWolf`; a longer one in any case. */
function compoundsOf(word: string, seat: Seat): readonly Spelling[] {
  const [found, length] = [escapePattern(word), word.length - 0.75];
  if (word.length < SHORTEST_BENT) return [];
  if (word.length >= LEAST_DISTINCT) return [{ pattern: asWord(`${IN_WORD}*(?i:${found})${IN_WORD}*`), length, seat }];
  const hasCapital = word !== word.toLowerCase();
  const after = `${found}(?=[\\p{Lu}\\p{N}_])${IN_WORD}*`;
  return [{ pattern: asWord(hasCapital ? `(?:${IN_WORD}+${found}${IN_WORD}*|${after})` : after), length, seat }];
}

const asWord = (pattern: string): string => `(?<!${IN_WORD})${pattern}(?!${IN_WORD})`;

import type { Seat } from '@maw/games/kernel/question.ts';
import { maskOf } from '../../experience/select.ts';
import { escapePattern } from '../../name-pattern.ts';
import { sanitize } from '../../sanitize.ts';

/** A word of a name that has fewer characters is found only as it is written, and not shortened or bent. */
const SHORTEST_BENT = 3;
/** How many letters are taken for an ending of a name: `Bobs`, `Bobby`, `Annie`. */
const MAX_ENDING = 4;
/** Scripts that do not part words. */
const UNPARTED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Replaces the names of players by labels: `Player A` for seat 0. It also takes bent names (`Bobs`, `Annie`) and beginnings with a capital
 * (`Chris` for Christopher) for names, and so ordinary words that look like one: for prompts that must not name anybody, not for their replies.
 */
export function labelPlayers(text: string, names: readonly string[]): string {
  const spellings = names.flatMap((name, seat) => spellingsOf(sanitize(name), seat)).toSorted((a, b) => b.length - a.length);
  if (!spellings.length) return text;
  const any = new RegExp(spellings.map(({ pattern }) => `(${pattern})`).join('|'), 'gu');
  return text.replace(any, (...groups) => maskOf(spellings[groups.slice(1).findIndex((group) => group !== undefined)]!.seat));
}

/** Replaces labels by what `nameOf` says of their seats, also after `Players` (`Players A and B`); other numbered players are `a player`. */
export function unlabelPlayers(text: string, seats: number, nameOf: (seat: Seat) => string): string {
  const letters = Array.from({ length: seats }, (_, seat) => maskOf(seat).at(-1)!);
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

/** The whole name and each of its words, as they are written and bent, and the beginnings of each word. */
function spellingsOf(name: string, seat: Seat): readonly Spelling[] {
  const words = name.split(/[\s_-]+/).filter(Boolean);
  if (!words.length) return [];
  const whole = { pattern: asWord(bent(words.map(escapePattern).join('[\\s_-]+'), name)), length: name.length, seat };
  const parts =
    words.length > 1 ? words.map((word) => ({ pattern: asWord(bent(escapePattern(word), word)), length: word.length - 0.5, seat })) : [];
  return UNPARTED.test(name)
    ? [{ ...whole, pattern: escapePattern(name) }]
    : [whole, ...parts, ...words.flatMap((word) => beginningsOf(word, seat))];
}

const bent = (pattern: string, { length }: string): string => (length < SHORTEST_BENT ? pattern : `(?i:${pattern})\\p{L}{0,${MAX_ENDING}}`);

/** `Chris` and `Chrissy` of Christopher; only with a capital, as `the` begins Theodor too. */
function beginningsOf(word: string, seat: Seat): readonly Spelling[] {
  const [first = '', ...rest] = word;
  const lengths = Array.from({ length: Math.max(0, rest.length + 1 - SHORTEST_BENT) }, (_, i) => i + SHORTEST_BENT);
  return lengths.map((length) => {
    const end = escapePattern(rest.slice(0, length - 1).join(''));
    return { pattern: asWord(`${escapePattern(first.toUpperCase())}(?i:${end})\\p{L}{0,2}`), length: length - 0.5, seat };
  });
}

const asWord = (pattern: string): string => `(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`;

import { escapePattern } from '@maw/games/kernel/name-pattern.ts';
import { editDistance } from '../edit-distance.ts';
import { commonWords } from '@maw/games/english/common-words.ts';
import { CUT } from './objects.ts';

/** What a reply may name: the words of the options, and other names that are none of them, such as those of the dead. */
export interface Vocabulary {
  readonly options: readonly string[];
  readonly others?: readonly string[];
}

/** Words that say that nothing is chosen. */
const PASS_WORDS: ReadonlySet<string> = new Set(['pass', 'skip', 'none', 'null', 'nobody', 'no one', 'noone', 'no-one', 'nothing']);
const YES: ReadonlySet<string> = new Set(['yes', 'yeah', 'yep', 'true', 'agree', 'agreed', 'accept', 'support', 'approved', 'approves', 'ja', 'oui']); // prettier-ignore
const NO: ReadonlySet<string> = new Set(['no', 'nope', 'false', 'disapprove', 'disapproves', 'disapproved', 'oppose', 'against', 'rejected', 'rejects', 'deny', 'nein', 'non']); // prettier-ignore

/** The numbers of the options that a field names, each once. Nothing is guessed from a name that broke off. */
export function namedInField(value: unknown, words: Vocabulary): readonly number[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((each) => namedInField(each, words)))];
  if (typeof value === 'object' && value !== null) {
    const { name, player, target } = value as { readonly name?: unknown; readonly player?: unknown; readonly target?: unknown };
    return namedInField(name ?? player ?? target ?? '', words);
  }
  if (value === null) return [passOf(words)].filter((i) => i >= 0);
  if (typeof value === 'boolean') return indexOf(words, isYesNo(words) ? (value ? 'approve' : 'reject') : '');
  const text = typeof value === 'string' || typeof value === 'number' ? tidied(String(value)) : '';
  if (!text || text.includes(CUT)) return [];
  const whole = wholeWord(text, words);
  if (whole.length) return whole;
  const head = text.split(/\s*[(（:：]|\s+[-–—]+\s/u)[0]!;
  const isSentence = head.split(' ').length > 3;
  for (const part of head === text ? [text] : [head, text]) {
    const named = namedInText(part, words, !isSentence);
    if (named.length) return named;
  }
  return nearest(head, words);
}

const tidied = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

function indexOf({ options }: Vocabulary, word: string): readonly number[] {
  const i = options.indexOf(word);
  return i < 0 ? [] : [i];
}

const passOf = ({ options }: Vocabulary): number => options.findIndex((word) => PASS_WORDS.has(word.toLowerCase()));
const isYesNo = ({ options }: Vocabulary): boolean => options.length === 2 && options.includes('approve') && options.includes('reject');

/** A value that is one word of an option, or stands for one. */
function wholeWord(text: string, words: Vocabulary): readonly number[] {
  const { options, others = [] } = words;
  const exact = options.findIndex((word) => word.normalize('NFKC') === text);
  if (exact >= 0) return [exact];
  const bare = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\])]+$/gu, '').toLowerCase();
  const same = options.flatMap((word, i) => (word.normalize('NFKC').toLowerCase() === bare ? [i] : []));
  if (same.length === 1) return same;
  if (others.some((word) => word.normalize('NFKC').toLowerCase() === bare)) return [];
  if (PASS_WORDS.has(bare)) return [passOf(words)].filter((i) => i >= 0);
  if (isYesNo(words) && (YES.has(bare) || NO.has(bare))) return indexOf(words, YES.has(bare) ? 'approve' : 'reject');
  const number = /^(?:(?:player|agent|seat|number|no\.?)\s*)?#?\s*(\d+)$/.exec(bare)?.[1];
  return number === undefined ? [] : numbered(Number(number), words);
}

/** The option that bears a number: `Player 4`, `Agent[04]`. Never one by its place. */
function numbered(number: number, { options, others = [] }: Vocabulary): readonly number[] {
  const bears = (word: string): boolean =>
    [...word.matchAll(/(?<![\p{L}\p{N}])\d+(?![\p{L}\p{N}])/gu)].some(([digits]) => Number(digits) === number);
  const found = options.flatMap((word, i) => (bears(word) ? [i] : []));
  return found.length === 1 && !others.some(bears) ? found : [];
}

/** The marks that stand for mentions: of the options in their order, and of anybody else. */
const MARK = 0xe100;
const OTHER = '\ue0ff';
/** What a reply has of them is none of ours. */
const PRIVATE = /[\ue000-\uf8ff]/g;
/** `Bram's vote` is not for Bram. */
const OF_SOMEBODY = /[\ue0ff-\uf8ff]['’]s (?=(?:votes?|choice|target|enem(?:y|ies)|friends?|partners?|side|team)(?!\p{L}))/giu;
const MENTION = /[\ue100-\uf8ff]/g;
/** No letter or digit of a script that separates its words. */
const EDGE = String.raw`[\p{L}\p{M}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]`;
const whole = (pattern: string, ends: string): string => {
  const isSpaced = /^[\p{L}\p{N}]/u.test(ends) && !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(ends);
  return isSpaced ? `(?<![${EDGE}]|[${EDGE}]-)${pattern}(?!-?[${EDGE}])` : pattern;
};

const NEGATION =
  /(?<!\p{L})(?:not|never|cannot|neither|nor|hardly|without|spare|avoid(?:ing)?|refuse[sd]? to|no(?= reason|\s[\ue100-\uf8ff])|nicht|nie|pas|не|\p{L}+n t|(?:do|does|did|wo|ca|would|should)nt)(?!\p{L})/u;
/** What follows is neither chosen nor denied. */
const UNDECIDED = /\b(?:not (?:yet )?sure|unsure|undecided|(?:can ?not|can t|could not) (?:tell|decide|say)|whoever|same as|if)\b/;
/** Options of which one is chosen by denying the other. */
const OPPOSITES: ReadonlySet<string> = new Set(['approve reject', 'fail success']);
const ALL_BUT =
  /\b(?:any|every)(?:one|body|thing)? (?:but|except|other than)\b|\ball (?:but|except)\b|\b(?:except|instead of|rather than|other than)\b/g;
/** What ends the reach of a negation. */
const CLAUSE_END = /[.,;:!?…。、，；：！？\n()|]|\s[-–—]+\s|\b(?:but|so|therefore|then|and(?= i\b))\b/u;

/**
 * The options that a text names as whole words and does not deny, each once. Of two opposites, to deny one is to name the other; to deny a player names nobody.
 * @param isName whether the text is about a name, so that no word in it is an ordinary one
 */
export function namedInText(text: string, words: Vocabulary, isName = false): readonly number[] {
  const marked = withMarks(text.normalize('NFKC').replace(PRIVATE, ''), words, isName).replace(ALL_BUT, ' not ');
  const [named, denied] = [new Set<number>(), new Set<number>()];
  for (const clause of marked.split(CLAUSE_END)) {
    const from = clause.search(NEGATION);
    const unsure = clause.search(UNDECIDED);
    for (const { 0: mark, index } of clause.matchAll(MENTION))
      if (unsure < 0 || index < unsure) (from >= 0 && from < index ? denied : named).add(mark.charCodeAt(0) - MARK);
  }
  if (named.size || denied.size !== 1 || !OPPOSITES.has(words.options.toSorted().join(' '))) return [...named];
  return denied.has(0) ? [1] : [0];
}

/** The text in lower case and without accents, with a mark in place of each mention. The longest name that fits counts. */
function withMarks(text: string, words: Vocabulary, isName: boolean): string {
  const { options, others = [] } = words;
  const known =
    [...options.map((word, i) => ({ word: word.normalize('NFKC'), mark: String.fromCharCode(MARK + i) })), ...others.map((word) => ({ word: word.normalize('NFKC'), mark: OTHER }))] // prettier-ignore
      .toSorted((a, b) => b.word.length - a.word.length);
  let marked = text;
  for (const { word, mark } of known) marked = marked.replace(mentionOf(word, isName), mark);
  marked = folded(marked.replace(OF_SOMEBODY, ' '));
  const bare = Map.groupBy(known, ({ word }) => folded(word));
  for (const [word, [one, ...more]] of bare)
    if (word && !more.length && (isName || !isOrdinary(one!.word)))
      marked = marked.replace(new RegExp(whole(escapePattern(word), word.at(-1)!), 'gv'), one!.mark);
  marked = marked.replace(/(?:#|\b(?:player|agent|seat|number)\s)\s*(\d+)\b/g, (said, digits: string) => {
    const [i] = numbered(Number(digits), words);
    return i === undefined ? said : String.fromCharCode(MARK + i);
  });
  return withSynonyms(marked, words);
}

/** A name that is a word too counts only as it is written, and not where a sentence begins with it: `Will you`, `May I`. */
function mentionOf(word: string, isName: boolean): RegExp {
  const pattern = whole(escapePattern(word), word.at(-1)!);
  if (isName || !isOrdinary(word)) return new RegExp(pattern, 'giv');
  return new RegExp(String.raw`(?<!(?:^|[.!?\n])\s*(?=\S+ \p{Ll}))${pattern}`, 'gv');
}

const ORDINARY: ReadonlySet<string> = new Set([
  'hope',
  'grant',
  'rose',
  'bill',
  'drew',
  'grace',
  'faith',
  'joy',
  'mark',
  'frank',
  'rob',
  'sue',
  'chance',
  'skip',
]);
const isOrdinary = (word: string): boolean =>
  /^\p{Lu}/u.test(word) && (commonWords.has(word.toLowerCase()) || ORDINARY.has(word.toLowerCase()));

/** Without case, accents and marks between letters; words stay apart. */
const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase().replace(/(?<=[\p{L}\p{N}])[-_'’‘`´](?=[\p{L}\p{N}])/gu, ' '); // prettier-ignore

function withSynonyms(text: string, words: Vocabulary): string {
  const pass = passOf(words);
  const mark = (i: number): string => String.fromCharCode(MARK + i);
  if (pass >= 0) return text.replace(/\b(?:nobody|no one|skip)\b(?! (?:but|except|other than)\b)/g, mark(pass));
  if (!isYesNo(words)) return text;
  const [yes, no] = [mark(words.options.indexOf('approve')), mark(words.options.indexOf('reject'))];
  return text
    .replace(/\b(?:disapproves?|disapproved|rejects|rejected|rejecting|oppose|against)\b/g, no)
    .replace(/\b(?:approves|approved|approving|agree)\b/g, yes)
    .split(/([.,;:!?\n])/)
    .map((clause) => (YES.has(clause.trim()) ? yes : NO.has(clause.trim()) ? no : clause))
    .join('');
}

/** The only option that has the same letters, or one letter in six other ones, and is like nobody else. */
function nearest(text: string, { options, others = [] }: Vocabulary): readonly number[] {
  const given = lettersOf(text.replace(/^player\s+/i, ''));
  const like = [...options, ...others].flatMap((word, i) => {
    const letters = lettersOf(word);
    return given && editDistance(given, letters) <= Math.floor(Math.max(given.length, letters.length) / 6) ? [i] : [];
  });
  const same = like.filter((i) => lettersOf([...options, ...others][i]!) === given);
  const found = same.length ? same : like;
  return found.length === 1 && found[0]! < options.length ? found : [];
}

const lettersOf = (text: string): string => folded(text.normalize('NFKC')).replace(/[^\p{L}\p{N}]/gu, '');

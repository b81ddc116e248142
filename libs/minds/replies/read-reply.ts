import { namedSeats, stepOf } from '@maw/games/kernel/question.ts';
import type { Answer, Asking, Moment } from '../mind.ts';
import { choiceField, hasLanguage, type Way, wordsFor } from '../prompts/reply.ts';
import { printable } from '@maw/text/clean.ts';
import { sanitize } from '../sanitize.ts';
import { namedInField, namedInText, type Vocabulary } from './named.ts';
import { CUT, type Fields, objectsIn } from './objects.ts';
import { isTooLong, replyText, withoutFence } from './reply-text.ts';
import { isRefusal, speechOf, fitting } from './speech.ts';

/** Who is asked, and who sits at the table. */
export type Asked = Partial<Pick<Moment, 'name' | 'players'>>;

/** The answers and the reason of a reply, or what is wrong with it, in words for the model. */
export type Reading = Understood | { readonly wrong: string };

export interface Understood {
  readonly answers: readonly Answer[];
  readonly way: Way;
  readonly reason?: string;
}

/** Field names are compared without case and marks. */
const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const keys = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const DO = keys('do does action act verb type tool function command move');
const REASON = keys('reason reasons reasoning thought thoughts thinking think analysis explanation why rationale justification because comment note notes plan strategy'); // prettier-ignore
const TEXTS = [
  keys('text'),
  keys('speech message speak say said utterance statement dialogue line words talk whisper'),
  keys('content response reply answer output'),
];
const TARGET = keys('target targets');
const CHOSEN = keys('vote choice chosen choose selected selection pick');
const NAMES = keys('answer decision player players name names option result response victim seat team members output value final');

/** Words for `do` that mean nothing is said or done. */
const LISTEN = keys('listen none null nothing wait silent silence staysilent donothing skip pass noaction idle');
const SPEAK = keys('speak say talk tell discuss message speech respond accuse claim');
const CHOOSE = keys('vote execute kill lynch eliminate choose select pick target');

/**
 * Reads a model's reply, in whatever form it came. Nothing is guessed: a choice is taken only if exactly one legal option is named in the field for
 * it or, without a field, in the whole text outside of a reason. Nothing in it is trusted: the result is one of the options, or a short enough
 * printable text.
 */
export function readReply(content: string, ways: readonly Way[], asked: Asked = {}): Reading {
  const text = withoutFence(replyText(content));
  if (!text) return { wrong: 'It was empty.' };
  if (isTooLong(text)) return { wrong: 'It was too long.' };
  const objects = objectsIn(text, (name) => isFieldName(keyOf(name), ways));
  if (!objects.length) return readProse(text, ways, asked);
  const readings = objects.map((each) =>
    typeof each === 'string'
      ? readProse(each, ways, asked)
      : readObject(Array.isArray(each) ? { targets: each as unknown } : (each as Fields), ways, asked),
  );
  const read = readings.filter((reading) => 'answers' in reading);
  const different = new Set(read.map(({ answers, way }) => JSON.stringify([way.do, answers])));
  if (different.size > 1) return { wrong: 'It had more than one answer.' };
  return read[0] ?? readings[0]!;
}

function isFieldName(key: string, ways: readonly Way[]): boolean {
  return [DO, REASON, TARGET, CHOSEN, NAMES, ...TEXTS].some((set) => set.has(key)) || ways.some((way) => keyOf(way.do) === key);
}

/** A reply in fields. */
function readObject(object: Fields, ways: readonly Way[], asked: Asked): Reading {
  const fields = new Map(Object.entries(object).map(([name, value]) => [keyOf(name), value]));
  const way = wayOf(fields, ways, asked);
  if (!way) return { wrong: `"do" must be one of ${ways.map((each) => each.do).join(', ')}.` };
  const given = [...REASON].map((key) => fields.get(key)).find((value) => typeof value === 'string');
  const reason = given === undefined ? {} : { reason: printable(given) };
  const { asking } = way;
  if (!asking) return { answers: [], way, ...reason };
  const words = vocabularyOf(asking, asked);
  if (asking.verb === 'choose') {
    const reading = chosen(way, together(asking, choiceIn(fields, way, words)));
    return 'answers' in reading ? { ...reading, ...reason } : reading;
  }
  const to =
    asking.verb === 'tell' ? namedInField(fields.get('to') ?? fields.get('target') ?? fields.get('player') ?? '', words) : undefined;
  if (to && to.length !== 1) return { wrong: mustBe('to', words) };
  const reading = said(way, textIn(fields, way), asked, to);
  return 'answers' in reading ? { ...reading, ...reason } : reading;
}

/** Which way the fields are meant for: by the word in `do`, or by the fields that there are. */
function wayOf(fields: ReadonlyMap<string, unknown>, ways: readonly Way[], asked: Asked): Way | undefined {
  if (ways.length === 1) return ways[0];
  const does = [...DO].flatMap((key) => (fields.has(key) ? [fields.get(key)] : []))[0];
  const word = typeof does === 'string' ? does.trim().toLowerCase() : '';
  const named = ways.find((way) => keyOf(way.do) === keyOf(word)) ?? ways.find((way) => way.do === word.split(' ')[0]);
  if (named) return named;
  const choices = ways.filter(({ asking }) => asking?.verb === 'choose');
  const only = choices.length === 1 ? choices[0] : undefined;
  const speak = ways.filter(({ asking }) => asking?.verb === 'say');
  if (word) {
    if (only && wordsFor(only.asking!).some((option) => option.toLowerCase() === word)) return only;
    if (LISTEN.has(keyOf(word))) return ways.find(({ asking }) => !asking);
    if (CHOOSE.has(keyOf(word)) && only) return only;
    return SPEAK.has(keyOf(word)) && speak.length === 1 ? speak[0] : undefined;
  }
  const byKey = ways.filter((way) => fields.has(keyOf(way.do)));
  if (byKey.length === 1) return byKey[0];
  const hasText = speak.length === 1 && textIn(fields, speak[0]!) !== '';
  const hasChoice = only !== undefined && choiceIn(fields, only, vocabularyOf(only.asking!, asked)).length > 0;
  if (hasText !== hasChoice) return hasText ? speak[0] : only;
  const isNothing = [...DO].some((key) => fields.has(key)) && !hasText;
  return isNothing ? ways.find(({ asking }) => !asking) : undefined;
}

/** The options by their words, and everybody else at the table. */
function vocabularyOf(asking: Asking, { players = [] }: Asked): Vocabulary {
  const options = wordsFor(asking);
  const taken = new Set(asking.options.map(({ named }) => sanitize(named)));
  return { options, others: players.map(({ name }) => sanitize(name)).filter((name) => name && !taken.has(name)) };
}

/**
 * The options that the fields name: the target, else the field that has the name of the question, else one that may be meant. The verb counts where
 * the target is not there, or names a player where none can be chosen: `{"do":"reject","target":"Ann"}`.
 */
function choiceIn(fields: ReadonlyMap<string, unknown>, { do: word, asking }: Way, words: Vocabulary): readonly number[] {
  const own = new Set([...CHOSEN, choiceField(asking!), keyOf(word), keyOf(stepOf(asking!.id))]);
  const verbs = words.options.map(keyOf);
  const isOfPlayers = asking!.options.some(({ is }) => is.startsWith('seat:'));
  for (const isOne of [TARGET, own, NAMES, DO]) {
    const given = [...fields].filter(([key, value]) => isOne.has(key) && !(isOne === own && isOptionTrue(verbs, key, value)));
    const named = [...new Set(given.flatMap(([, value]) => namedInField(value, words)))];
    if (named.length) return named;
    if (given.some(([, value]) => !isNothing(value) && (isOfPlayers || !areNames(value, words))))
      return isOne === DO ? optionTrue(fields, verbs) : [];
  }
  return optionTrue(fields, verbs);
}

const isOptionTrue = (verbs: readonly string[], key: string, value: unknown): boolean => value === true && verbs.includes(key);
/** `{"success": true}`. */
const optionTrue = (fields: ReadonlyMap<string, unknown>, verbs: readonly string[]): readonly number[] =>
  verbs.flatMap((verb, i) => (verb && fields.get(verb) === true ? [i] : []));

const isNothing = (value: unknown): boolean => value === null || value === '' || (Array.isArray(value) && !value.length);
/** Whether it names players, so that it is no word about the choice itself. */
const areNames = (value: unknown, { others = [] }: Vocabulary): boolean =>
  [value].flat().every((each) => typeof each === 'string' && others.some((name) => name.toLowerCase() === each.trim().toLowerCase()));

function textIn(fields: ReadonlyMap<string, unknown>, { do: word }: Way): string {
  for (const names of TEXTS) {
    const found = [...fields].flatMap(([key, value]) => ((names.has(key) || (names === TEXTS[1] && key === keyOf(word))) && typeof value === 'string' ? [value] : [])); // prettier-ignore
    if (found.length) return found[0]!;
  }
  return fields.has('text') ? ' ' : '';
}

const mustBe = (field: string, { options }: Vocabulary, pick = 1): string =>
  pick === 1
    ? `"${field}" must be one of ${options.join(', ')}, and nothing else.`
    : `"${field}" must be ${pick} of ${options.join(', ')}, each once.`;

/** Of two players who may be named as one option, that option. */
function together({ options, pick }: Asking, named: readonly number[]): readonly number[] {
  const both = named.flatMap((i) => namedSeats(options[i]!.is)).toSorted((a, b) => a - b);
  const pair = options.findIndex(({ is }) => is === `seat:${both.join('+')}`);
  return pick === 1 && named.length === 2 && pair >= 0 ? [pair] : named;
}

/** The answer of a choice, where as many options are named as are picked. */
function chosen(way: Way, named: readonly number[]): Reading {
  const { id, options, pick } = way.asking!;
  if (named.length !== pick) return { wrong: mustBe(choiceField(way.asking!), { options: wordsFor(way.asking!) }, pick) };
  return { answers: [{ question: id, says: named.map((i) => options[i]!.is) }], way };
}

/** The answer of a text; none of one without a letter or digit: that is silence. @param to to whom it is whispered */
function said(way: Way, text: string, { name = '' }: Asked, to?: readonly number[]): Reading {
  const { id, options, maxChars } = way.asking!;
  if (text === '') return { wrong: '"text" is what you say.' };
  if (isRefusal(text))
    return { wrong: 'It is only a game, and nobody at the table hears you say that. Say something of the game, as a player.' };
  const speech = speechOf(text.includes(CUT) ? fitting(text, Infinity) : text, sanitize(name));
  if (!speech) return text.includes(CUT) ? { wrong: 'It broke off: say less.' } : { answers: [], way };
  const whole = fitting(speech, maxChars);
  if (!whole) return { wrong: `"text": a speech has at most ${maxChars} characters.` };
  return { answers: [{ question: id, says: to ? [options[to[0]!]!.is, whole] : [whole] }], way };
}

/** A reason in prose, and a question, name no choice. */
const REASONS = /\b(?:because|since|weil|denn|porque|parce que)\b[^,.;!?\n]*/gi;
const QUESTIONS = /(?<![^.!?。！？\n])[^.!?。！？\n]*[?？]/g;
const FINAL = /^[^]*\b(?:final|corrected)\b[^\n:：]{0,60}[:：]\s*/i;
/** A reply that was to be JSON. */
const IS_BROKEN = /^\s*[{[]\s*["'{]|"(?:do|target|text|reason)"\s*:/;

/** A reply without fields: a speech where only that can be meant, or a choice that is named. */
function readProse(text: string, ways: readonly Way[], asked: Asked): Reading {
  const choices = ways.filter(({ asking }) => asking?.verb === 'choose');
  const speak = ways.filter(({ asking }) => asking?.verb === 'say');
  const listen = ways.find(({ asking }) => !asking);
  if (IS_BROKEN.test(text)) return { wrong: 'It was not one whole JSON object.' };
  if (!choices.length && speak.length === 1) {
    const isFormal = hasLanguage(speak[0]!.asking!);
    if (isFormal && !/^(?:[A-Z]{2,}(?: [^\n]{1,80})?|Skip|Over)$/.test(text)) return { wrong: 'It was not one JSON object.' };
    const isListening =
      listen && /^(?:i(?:'ll|’ll)? )?(?:will )?(?:just )?(?:listen|wait|stay silent|do nothing)\b[^.!?]{0,40}[.!]?$/i.test(text);
    return isListening ? { answers: [], way: listen } : said(speak[0]!, text, asked);
  }
  if (isRefusal(text)) return { wrong: 'It is only a game.' };
  const about = text.replace(FINAL, '').replace(REASONS, '').replace(QUESTIONS, '').trim();
  const isNamed = (way: Way): boolean =>
    choices.length === ways.length - (listen ? 1 : 0) || new RegExp(`\\b${way.do}(?!d)`, 'i').test(about);
  const read = choices.flatMap((way) => {
    const words = vocabularyOf(way.asking!, asked);
    const isShort = about.split(/\s+/).length <= 2;
    const reading = chosen(way, isShort ? namedInField(about, words) : namedInText(about, words));
    return 'answers' in reading && (isShort || isNamed(way)) ? [reading] : [];
  });
  if (read.length === 1) return read[0]!;
  const done = ways.filter((way) => !way.asking && new RegExp(`\\b${way.do}\\b`, 'i').test(about));
  return !read.length && done.length === 1 ? { answers: [], way: done[0]! } : { wrong: 'It was not one JSON object.' };
}

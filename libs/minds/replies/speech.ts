import { sentencesOf, wholeSentences } from '@maw/contracts/whole-sentences.ts';
import { escapePattern } from '@maw/games/kernel/name-pattern.ts';
import { printable } from '@maw/text/clean.ts';
import { CUT } from './objects.ts';
import { replyText, withoutFence } from './reply-text.ts';

/** A sentence that only announces a speech: "Here is what I say:". */
const ANNOUNCED =
  /^(?:(?:sure|ok|okay|certainly|of course|alright)\b[^\n:]{0,40}[!.,:]\s*)?(?:here(?:'s|’s| is| are)\b[^\n:]{0,60}|my (?:speech|message|statement|reply|answer|words?)|i (?:would |will |'ll )?(?:say|speak))\s*:\s*(?=["“«„「]|\n)/i;
const QUOTED = /^(?:"([^"]*)"|“([^“”]*)”|«([^«»]*)»|„([^„“”]*)[“”]|「([^「」]*)」)$/u;

/**
 * What is said aloud of a text: without a sentence that announces it, quotation marks around all of it, and one's own name before it. Empty when
 * there is neither letter nor digit.
 * @param self one's own name
 */
export function speechOf(text: string, self: string): string {
  const name = self && new RegExp(String.raw`^[*_]*${escapePattern(self)}[*_]*\s*[:：]\s*[*_]*\s*`, 'iu');
  let speech = withoutFence(text).replace(ANNOUNCED, '').trim();
  for (let before = ''; before !== speech;) {
    before = speech;
    speech = (QUOTED.exec(speech)?.slice(1).find((inner) => inner !== undefined) ?? speech).trim(); // prettier-ignore
    if (name) speech = speech.replace(name, '').trim();
  }
  return /[\p{L}\p{N}]/u.test(speech) ? printable(speech) : '';
}

/** A text that is no longer than so many characters; else, or when it broke off, its whole sentences. Empty: none. */
export const fitting = (text: string, maxChars: number): string =>
  !text.includes(CUT) && [...text].length <= maxChars ? text : wholeSentences(text, maxChars);

const REFUSALS = [
  /\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b/i,
  /\b(?:i|we)(?:'m| am|’m)? ?(?:can(?:no|['’])t|can not|unable to|won['’]t|will not|not able to) (?:assist|comply|fulfil|participate|pretend|engage|generate|role-?play|help (?:you )?with (?:that|this)|provide (?:that|this)|continue (?:this|the|with)|take part in (?:this|that|the game|games|decei|decept)|play (?:this|the) game)/i,
];

/** Whether a model refuses to play, or speaks to whoever runs it. */
export const isRefusal = (text: string): boolean => REFUSALS.some((refusal) => refusal.test(text));

/** A refusal has hardly more characters. */
const LONGEST_REFUSAL = 300;

/** A reply in prose: without thought and fence, and empty when it is only a refusal. */
export function proseOf(content: string): string {
  const text = withoutFence(replyText(content));
  return text.length <= LONGEST_REFUSAL && isRefusal(text) ? '' : text;
}

/** A run of so many words of the prompt is read aloud, and so is a sentence of so many. */
const RUN = 10;
const SENTENCE = 5;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether a speech reads a prompt aloud: a whole sentence of it, or ten words in a row, outside of the quotations in it.
 * @param own what the mind itself wrote into the prompt, which it may say
 */
export function readsAloud(speech: string, prompt: string, own: readonly string[] = []): boolean {
  let text = prompt.replace(/«[^»]*»/g, '\n');
  for (const each of own) if (each.length >= 20) text = text.replaceAll(each, '\n');
  const said = wordsOf(speech);
  const saidAll = ` ${said.join(' ')} `;
  const promptAll = ` ${wordsOf(text).join(' ')} `;
  for (let i = 0; i + RUN <= said.length; i++) if (promptAll.includes(` ${said.slice(i, i + RUN).join(' ')} `)) return true;
  return text
    .split('\n')
    .flatMap(sentencesOf)
    .some((sentence) => {
      const words = wordsOf(sentence);
      return words.length >= SENTENCE && words.length < RUN && saidAll.includes(` ${words.join(' ')} `);
    });
}

import type { Seat } from '@maw/games/kernel/question.ts';
import { escapePattern } from '@maw/games/kernel/name-pattern.ts';
import { memoize } from '../../shared/memoize.ts';

/** Texts of others are this long at most; what a compatibility form makes longer is cut. */
const MAX_CHARS = 4000;

/** The signs for players, one for each seat, as a class for regular expressions: private characters, which no text keeps. */
export const PLAYER = '[\\ue000-\\uf8ff]';
const signOf = (seat: Seat): string => String.fromCharCode(0xe000 + seat);
export const seatOfSign = (sign: string): Seat => sign.charCodeAt(0) - 0xe000;

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const HONORIFIC = '(?:さん|さま|くん|ちゃん|様|君|氏|殿|[- ]?(?:san|kun|chan|sama)(?![a-z]))';

/** Words that a sentence needs; a name that is part of one counts only with an `@` or an honorific. */
const WORDS =
  '占い師 霊媒師 霊能者 騎士 狩人 村人 市民 人狼 狂人 人間 投票 処刑 追放 襲撃 結果 判定 私 わたし 僕 俺 自分 今日は 昨日 今夜 です ます でした ' +
  'ません ありません ではない さん 皆さん みんな 怪しい 疑う 思います 信じる 誰 あなた 実は カミングアウト ので から けど co';

interface Names {
  readonly pattern: RegExp;
  readonly seats: ReadonlyMap<string, Seat>;
}

const namesOf = memoize((names: readonly string[]): Names => {
  const seats = new Map<string, Seat>();
  for (const [seat, name] of names.entries()) {
    const plain = plainForm(name);
    if (plain && !seats.has(plain)) seats.set(plain, seat);
  }
  const all = [...seats.keys()].toSorted((a, b) => b.length - a.length);
  return { pattern: new RegExp(`(@?)(${all.map(escapePattern).join('|') || '(?!)'})(${HONORIFIC}?)`, 'gu'), seats };
}, 50);

/** Compatibility form in lower case: `ＣＯ？` is `co?`. */
const plainForm = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/** Letters of one script run on as one word; between others a name needs no blank. */
const scriptOf = (sign = ''): string => (/[\p{Script=Latin}\p{N}_]/u.test(sign) ? 'latin' : /[\p{Script=Katakana}ー]/u.test(sign) ? 'katakana' : sign); // prettier-ignore
const runsOn = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && scriptOf(left).length > 1 && scriptOf(left) === scriptOf(right);

/** Short names may be parts of other words. */
const isPlainName = (name: string): boolean =>
  !WORDS.includes(name) && (scriptOf(name[0]) === 'latin' || name.length > (/^\p{Script=Hiragana}+$/u.test(name) ? 2 : 1));

/**
 * A text for readers of Japanese: in compatibility form and lower case, without quotations, each player, with `@` and honorific, as one sign.
 * Blanks are commas. Undefined: none of it is Japanese but names.
 */
export function markNames(speech: string, names: readonly string[]): string | undefined {
  if (!JAPANESE.test(speech)) return undefined;
  const { pattern, seats } = namesOf(names);
  const text = plainForm(speech.replaceAll(/[\ue000-\uf8ff]/g, ' ')).slice(0, MAX_CHARS);
  const own = text.startsWith('「') && text.endsWith('」') ? text.slice(1, -1) : text;
  const marked = own.replaceAll(pattern, (found, at: string, name: string, honorific: string, offset: number) => {
    const isWhole =
      (at || !runsOn(own[offset - 1], name[0])) && (honorific || !runsOn(name.at(-1), own[offset + found.length])) && (at || honorific || isPlainName(name)); // prettier-ignore
    return isWhole ? signOf(seats.get(name)!) : found;
  });
  if (!JAPANESE.test(marked)) return undefined;
  return marked
    .replaceAll(/[「『][^「」『』]*[」』]/g, '')
    .replaceAll(/[、, \t\u3000]+/g, ',')
    .replaceAll(/(?<=[はがもをの]),(?=.)/g, (comma, offset: number, all: string) => (isTopic(all, offset) ? '' : comma));
}

/** Whether what stands before a comma is a player or the speaker with a particle: the sentence goes on. */
const isTopic = (text: string, comma: number): boolean => /^(?:[\ue000-\uf8ff]|私|し|僕|俺|分|く)$/.test(text[comma - 2] ?? '');

/** The sentences of a marked text, without their ends. */
export const sentencesIn = (marked: string): readonly { readonly text: string; readonly isQuestion: boolean }[] =>
  marked.split(/(?<=[。.!?\n])/).flatMap((sentence) => {
    const text = sentence.replace(/[。.!?\n]$/, '').replaceAll(/^,|,$/g, '');
    return text ? [{ text, isQuestion: sentence.endsWith('?') || /か(?:ね|よ)?$/.test(text) }] : [];
  });

/** How long an utterance may be, in the natural-language division: what is longer is cut, and a mention of another player gives more room. */
import type { AiwolfOptions } from './options.ts';

type Limits = Pick<
  AiwolfOptions,
  'language' | 'baseLength' | 'mentionLength' | 'mention' | 'lengthPerDay' | 'lengthPerTalk' | 'lengthIn' | 'maxChars'
>;

/** A text around the mention that counts. */
interface Mentioning {
  readonly before: string;
  /** With its `@`; empty: nobody is mentioned. */
  readonly mention: string;
  readonly after: string;
}

/** Whether an utterance has a length of its own; a day's share alone is one too. */
const hasBase = ({ baseLength, lengthPerDay }: Limits): boolean => baseLength > 0 || lengthPerDay > 0;
/** Sentences of the protocol are never cut. */
export const isCut = (limits: Limits): boolean => limits.language === 'free' && (hasBase(limits) || limits.lengthPerTalk > 0);

/** No told limit is shorter: each word that is always allowed fits. */
const LEAST = 20;

/** The longest utterance that is never cut, in characters, as players are told it. */
export function uncutChars(limits: Limits): number {
  const { baseLength, lengthPerDay, lengthPerTalk, lengthIn, maxChars } = limits;
  if (!isCut(limits) || lengthIn === 'words') return maxChars;
  const base = hasBase(limits) ? baseLength + lengthPerDay : maxChars;
  return Math.min(maxChars, Math.max(LEAST, Math.min(base, lengthPerTalk || maxChars)));
}

/**
 * A text as it is stored: up to its limit; with a mention what stands before it and after it, each up to a limit of its own.
 * @param others the names of the other players, by seat
 * @param share what the speaker has left of the day's share
 */
export function cut(text: string, others: readonly string[], share: number, limits: Limits): string {
  const { baseLength, mentionLength, lengthPerTalk, lengthIn } = limits;
  const { before, mention, after } = split(text, others, limits);
  const room = hasBase(limits) ? baseLength + share : Infinity;
  const cost = Math.max(0, lengthOf(before, lengthIn) - baseLength);
  const parts = {
    before: cutTo(before, room, lengthIn),
    mention: mention && ` ${mention} `,
    after: cutTo(after, mentionLength + Math.max(0, share - cost), lengthIn),
  };
  const length = lengthOf(parts.before, lengthIn);
  if (!lengthPerTalk || length + lengthOf(parts.after, lengthIn) <= lengthPerTalk) return parts.before + parts.mention + parts.after;
  if (length > lengthPerTalk) return cutTo(parts.before, lengthPerTalk, lengthIn);
  return parts.before + parts.mention + cutTo(parts.after, lengthPerTalk - length, lengthIn);
}

/** What a stored text takes of the day's share. */
export function shareOf(text: string, others: readonly string[], limits: Limits): number {
  const { before, mention, after } = split(text, others, limits);
  const [own, rest] = mention ? [before.replace(/ $/, ''), after.replace(/^ /, '')] : [before, ''];
  return (
    Math.max(0, lengthOf(own, limits.lengthIn) - limits.baseLength) + Math.max(0, lengthOf(rest, limits.lengthIn) - limits.mentionLength)
  );
}

function split(text: string, others: readonly string[], { mention: which, mentionLength, ...limits }: Limits): Mentioning {
  let at = -1;
  let mention = '';
  if (mentionLength > 0 && hasBase({ mention: which, mentionLength, ...limits }))
    for (const name of others) {
      const found = text.indexOf(`@${name}`);
      if (found < 0 || (at >= 0 && (which === 'lowest' || found >= at))) continue;
      at = found;
      mention = `@${name}`;
    }
  return at < 0 ? { before: text, mention, after: '' } : { before: text.slice(0, at), mention, after: text.slice(at + mention.length) };
}

const BLANK = /\p{White_Space}/u;
const wordsOf = (text: string): string[] => text.split(/\p{White_Space}+/u).filter(Boolean);

function lengthOf(text: string, unit: Limits['lengthIn']): number {
  if (unit === 'words') return wordsOf(text).length;
  return unit === 'characters' ? [...text].length : [...text].filter((each) => !BLANK.test(each)).length;
}

function cutTo(text: string, length: number, unit: Limits['lengthIn']): string {
  if (lengthOf(text, unit) <= length) return text;
  if (unit === 'words') return wordsOf(text).slice(0, length).join(' ');
  let left = length;
  let kept = '';
  for (const each of text) {
    if (unit === 'characters' || !BLANK.test(each)) left--;
    if (left < 0) break;
    kept += each;
    if (left === 0) break;
  }
  return kept;
}

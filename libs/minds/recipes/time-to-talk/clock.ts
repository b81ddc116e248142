import { diceOf } from '@maw/games/kernel/dice.ts';
import { escapePattern } from '@maw/games/kernel/name-pattern.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import { kindOfDecision } from '../../decision-kind.ts';
import type { Asking, Mind, Moment } from '../../mind.ts';
import { hasLanguage } from '../../prompts/reply.ts';
import { sanitize } from '../../sanitize.ts';

/** How often a seat wants to speak. */
export interface Rhythm {
  /** Who says when: the model is asked, which is told its share of the talk, or the clock alone goes by it. */
  readonly by: 'model' | 'rule';
  /** Lines a minute of the whole table. */
  readonly linesPerMinute: number;
  /** How much sooner a seat speaks that was named and has not answered. */
  readonly addressedFactor: number;
  /** The longest wait between two thoughts, in seconds. */
  readonly longest: number;
}

/** What a seat knows of a talk. The same whatever its role is and whatever it has found out. */
export interface Talk {
  readonly phase: string;
  /** Lines in this phase: its own, and those of all. */
  readonly own: number;
  readonly all: number;
  /** How many words each of the last lines of others has. */
  readonly words: readonly number[];
  /** When it wants to speak next. */
  readonly due: Instant;
  /** Somebody has named it, and it has not spoken since. */
  readonly isNamed: boolean;
  /** A line that is being typed: when it is done, how many lines of others came meanwhile, and whether it was written anew already. */
  readonly typed?: { readonly text: string; readonly at: Instant; readonly missed: number; readonly isSecond: boolean } | undefined;
}

/** A text is written anew once, and then dropped, when more lines than that came while it was typed. */
export const MOST_MISSED = 3;
const MOST_WORDS = 10;
/** A share of the talk makes a seat so many times as quick or slow, at most. */
const MOST_FACTOR = 4;

/** The question of a talk in which everybody speaks when they like; undefined in turns, in the language of a protocol, and where a choice is owed. */
export const freeTalkOf = (moment: Moment): Asking | undefined =>
  kindOfDecision(moment) === 'talk'
    ? moment.questions.find((asking) => asking.verb === 'say' && !asking.final && !hasLanguage(asking))
    : undefined;

/** How many take part: all the living; in secret, as nobody is told how many they are, a third of them. */
export function speakersIn({ players }: Moment, { secret }: Asking): number {
  const living = players.filter(({ alive }) => alive).length;
  return Math.max(1, secret ? Math.round(living / 3) : living);
}

/** The lines of a talk so far, with the news. Each line that is heard draws the next moment to speak anew. */
export function hear(mind: Mind, moment: Moment, asking: Asking, rhythm: Rhythm): Talk {
  const { phase, news, seat, name, now } = moment;
  const before = mind.notes['talk'] as Talk | undefined;
  let talk: Talk = before?.phase === phase ? before : { phase, own: 0, all: 0, words: before?.words ?? [], due: Infinity, isNamed: false };
  const room = asking.room ?? asking.id;
  const lines = news.filter((each) => each.speech !== undefined && each.text !== undefined && (each.room ?? room) === room);
  const isOwnName = new RegExp(`(?<!\\p{L})${escapePattern(sanitize(name).toLowerCase())}(?!\\p{L})`, 'u');
  for (const { by, speech = '' } of lines) {
    const isOwn = by === seat;
    const { typed } = talk;
    talk = {
      ...talk,
      own: talk.own + Number(isOwn),
      all: talk.all + 1,
      words: isOwn ? talk.words : [...talk.words, speech.split(/\s+/).filter(Boolean).length].slice(-MOST_WORDS),
      isNamed: !isOwn && (talk.isNamed || isOwnName.test(sanitize(speech).toLowerCase())),
      typed: typed && { ...typed, missed: typed.missed + Number(!isOwn) },
    };
  }
  const isDrawn = talk.due === Infinity || (lines.length > 0 && talk.due > now); // one that has passed is not lost
  return isDrawn ? { ...talk, due: now + waitMs(talk, moment, asking, rhythm) } : talk;
}

/** The time to the next line: exponential, shorter below a share of 1/n of the talk and longer above, and shorter for who was named. */
export function waitMs(
  { own, all, isNamed }: Talk,
  moment: Moment,
  asking: Asking,
  { by, linesPerMinute, addressedFactor }: Rhythm,
): number {
  const { seed, seat, phase, iteration } = moment;
  const n = speakersIn(moment, asking);
  const share = all && by === 'rule' ? (own * n) / all : 1;
  const factor = Math.min(MOST_FACTOR, Math.max(1 / MOST_FACTOR, MOST_FACTOR ** (1 - share))) * (isNamed ? addressedFactor : 1);
  const drawn = diceOf(seed, `${seat}/${phase}/${iteration}/talk`).below(1_000_000) / 1_000_000;
  return Math.round((-Math.log(1 - drawn) * n * 60_000) / (linesPerMinute * factor));
}

/** Thinks again at a moment, or after the longest wait. */
export const pauseUntil = (at: Instant, now: Instant, longest: number): number => Math.min(1, Math.max(0, (at - now) / (longest * 1_000)));

/** Whether a line says what one of those before says: four fifths of their words are the same. */
export function isRepeated(text: string, before: readonly string[]): boolean {
  const words = new Set(wordsOf(text));
  return before.some((line) => {
    const others = new Set(wordsOf(line));
    const common = [...words].filter((word) => others.has(word)).length;
    return common >= 0.8 * (words.size + others.size - common);
  });
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

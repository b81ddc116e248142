import { escapePattern } from '@maw/games/kernel/name-pattern.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import { type Clock, drawn, heardBy, isDue, newClock, type Rhythm } from '@maw/rule-players/conversation/clock.ts';
import { kindOfDecision } from '../../decision-kind.ts';
import type { Asking, Mind, Moment } from '../../mind.ts';
import { hasLanguage } from '../../prompts/reply.ts';
import { sanitize } from '../../sanitize.ts';

/** How often a seat wants to speak. */
export interface Pace {
  /** Who says when: the model is asked, which is told its share of the talk, or the clock alone goes by it. */
  readonly by: 'model' | 'rule';
  /** Lines a minute of the whole table. */
  readonly linesPerMinute: number;
  /** How much sooner a seat speaks that was named and has not answered. */
  readonly addressedFactor: number;
  /** The longest wait between two thoughts, in seconds. */
  readonly longest: number;
}

/** What a seat knows of a talk. */
export interface Talk extends Clock {
  /** How many words each of the last lines of others has. */
  readonly words: readonly number[];
  /** A line that is being typed: when it is done, how many lines of others came meanwhile, and whether it was written anew already. */
  readonly typed?: { readonly text: string; readonly at: Instant; readonly missed: number; readonly isSecond: boolean } | undefined;
}

/** A text is written anew once, and then dropped, when more lines than that came while it was typed. */
export const MOST_MISSED = 3;
const MOST_WORDS = 10;

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

function rhythmOf(moment: Moment, asking: Asking, { by, linesPerMinute, addressedFactor }: Pace): Rhythm {
  const n = speakersIn(moment, asking);
  return { n, mean: (n * 60_000) / linesPerMinute, addressedFactor, isEven: by === 'model' };
}

/** The lines of a talk so far, with the news. Each line that is heard draws the next moment to speak anew, unless that has passed. */
export function hear(mind: Mind, moment: Moment, asking: Asking, pace: Pace): Talk {
  const { phase, news, seat, name, now } = moment;
  const before = mind.notes['talk'] as Talk | undefined;
  const talk: Talk = before?.phase === phase ? before : { ...newClock(phase), words: before?.words ?? [] };
  const room = asking.room ?? asking.id;
  const lines = news.filter((each) => each.speech !== undefined && each.text !== undefined && (each.room ?? room) === room);
  const isOwnName = new RegExp(`(?<!\\p{L})${escapePattern(sanitize(name).toLowerCase())}(?!\\p{L})`, 'u');
  let { own, isNamed, words } = talk;
  for (const { by, speech = '' } of lines) {
    const isOwn = by === seat;
    own += Number(isOwn);
    words = isOwn ? words : [...words, speech.split(/\s+/).filter(Boolean).length].slice(-MOST_WORDS);
    isNamed = !isOwn && (isNamed || isOwnName.test(sanitize(speech).toLowerCase()));
  }
  const missed = lines.filter(({ by }) => by !== seat).length;
  const typed = talk.typed && { ...talk.typed, missed: talk.typed.missed + missed };
  const all = talk.all + lines.length;
  const clock = isDue(talk, now)
    ? { ...talk, own, all, isNamed }
    : heardBy(talk, { phase, own, all, isNamed }, moment, rhythmOf(moment, asking, pace));
  return { ...talk, ...clock, words, typed };
}

/** Draws the next moment to speak, from now on. */
export const drawnAnew = <T extends Talk>(talk: T, moment: Moment, asking: Asking, pace: Pace, now: Instant): T => ({
  ...talk,
  ...drawn(talk, { ...moment, now }, rhythmOf(moment, asking, pace)),
});

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

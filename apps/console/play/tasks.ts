import { stepOf } from '@maw/games/kernel/question.ts';
import { hasLanguage, hasOver, purposeOf, wordOptions } from '@maw/games/match/asked-question.ts';
import type { Asking } from '../api/shapes.ts';

/** An option as a button. */
export interface Choice {
  readonly is: string;
  readonly label: string;
  /** The seat that it names. */
  readonly seat: number | undefined;
}

interface Common {
  readonly id: string;
  readonly question: Asking;
  /** Whether others may know of the question: the panel of a secret one tells the role. */
  readonly isSecret: boolean;
}
export interface ChoiceTask extends Common {
  readonly does: 'choose';
  readonly purpose: string;
  readonly choices: readonly Choice[];
  readonly pick: number;
  /** One pick that may be changed: it is sent at once. Any other is confirmed. */
  readonly isInstant: boolean;
}
export interface SpeechTask extends Common {
  readonly does: 'speak';
  /** The last part of the name of the room. */
  readonly place: string;
  /** Whether it is the seat's turn, once. */
  readonly isTurn: boolean;
  /** The words for having nothing to say, where the game has them. */
  readonly silences: readonly ('Skip' | 'Over')[];
  /** A sentence of the language of the game, where it has one. */
  readonly example: string | undefined;
}
export interface WhisperTask extends Common {
  readonly does: 'whisper';
  readonly choices: readonly Choice[];
}
export type Task = ChoiceTask | SpeechTask | WhisperTask;

/** How the options of questions are called at a table. */
export interface Labels {
  seat(seat: number): string;
  /** An option that names no seat, such as `approve` or `centre:0+1`. */
  word(option: string, named: string): string;
}

const ORDER: readonly Task['does'][] = ['choose', 'whisper', 'speak'];

/** What a seat may do now: choices first, speech last, as they stand in the page. */
export const tasksOf = (asked: readonly Asking[], labels: Labels): readonly Task[] =>
  asked.map((question) => taskOf(question, labels)).toSorted((a, b) => ORDER.indexOf(a.does) - ORDER.indexOf(b.does));

function taskOf(question: Asking, labels: Labels): Task {
  const { id, verb, options, pick, final, room = '' } = question;
  const common = { id, question, isSecret: question.secret ?? false };
  switch (verb) {
    case 'choose':
      return {
        ...common,
        does: 'choose',
        purpose: purposeOf(stepOf(id), options),
        choices: choicesOf(question, labels),
        pick,
        isInstant: pick === 1 && !final,
      };
    case 'tell':
      return { ...common, does: 'whisper', choices: choicesOf(question, labels) };
    case 'say':
      return {
        ...common,
        does: 'speak',
        place: placeOf(room),
        isTurn: final,
        silences: hasOver(question) ? ['Skip', 'Over'] : [],
        example: hasLanguage(question) ? options.findLast(({ is }) => is.includes(' '))?.is : undefined,
      };
  }
}

/** The options, those that are words last. */
function choicesOf(question: Asking, labels: Labels): readonly Choice[] {
  const words = wordOptions(question);
  const choices = question.options.map(({ is, named }): Choice => {
    const seat = /^seat:\d+$/.test(is) ? Number(is.slice('seat:'.length)) : undefined;
    return { is, label: seat === undefined ? labels.word(is, named) : labels.seat(seat), seat };
  });
  return choices.toSorted((a, b) => Number(words.includes(a.is)) - Number(words.includes(b.is)));
}

/** `Village` of `round-1/day-2/Village`. */
export const placeOf = (room: string): string => room.slice(room.lastIndexOf('/') + 1);

/** The options that are picked once `option` is clicked. A word such as `pass` stands alone; where all places are taken, the oldest pick goes. */
export function togglePick(picked: readonly string[], option: string, { pick, question }: ChoiceTask): readonly string[] {
  if (picked.includes(option)) return picked.filter((each) => each !== option);
  const words = wordOptions(question);
  if (words.includes(option)) return [option];
  return [...picked.filter((each) => !words.includes(each)), option].slice(-pick);
}

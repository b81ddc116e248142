import { stepOf } from '@maw/games/kernel/question.ts';
import { hasLanguage, hasOver, purposeOf, wordOptions } from '@maw/games/match/asked-question.ts';
import type { OpenQuestions } from '../clients/table-stream.ts';

/** A question that the person may answer. */
export type Question = OpenQuestions['asked'][number];

const isOfWords = (question: Question): boolean => question.pick === 1 && wordOptions(question).length === question.options.length;
const orOf = (words: readonly string[]): string => words.map((word) => `/${word}`).join(' or ');

/** A line that answers the question, with others than the player at `seat` where there are others. */
export function exampleOf(question: Question, seat?: number): string {
  const { id, verb, options, pick } = question;
  if (verb === 'say') return options.findLast(({ is }) => is.includes(' '))?.named ?? '';
  if (verb === 'choose' && isOfWords(question)) return orOf(wordOptions(question));
  const players = options.filter(({ is }) => is.startsWith('seat:') && is !== `seat:${seat}`);
  const others = options.filter(({ is }) => !wordOptions(question).includes(is));
  const chosen = (players.length < pick ? others : players).slice(0, pick).map(({ named }) => named);
  return verb === 'tell' ? `/whisper ${chosen[0] ?? 'NAME'} meet me at the well` : `/${stepOf(id)} ${chosen.join(', ')}`;
}

/**
 * What is asked, whom or what can be chosen, how many, until when, and how to answer.
 * @param seat of the player who is asked
 * @param now milliseconds since the epoch
 */
export function describeQuestion(question: Question, seat: number, now: number): string {
  const left = ` ${timeLeft(question.until, now)} left.`;
  switch (question.verb) {
    case 'say':
      return describeSpeech(question) + left;
    case 'tell':
      return `You may whisper to one player: ${exampleOf(question, seat)}.${left}`;
    case 'choose':
      return describeChoice(question, seat) + left;
  }
}

function describeSpeech(question: Question): string {
  const { room, maxChars, final } = question;
  const name = room?.slice(room.lastIndexOf('/') + 1);
  const where = name === undefined ? '' : ` ${name === 'Table' ? 'at' : 'in'} the ${name}`;
  const how = final ? `It is your turn to speak${where}, once` : `You may speak${where}`;
  const language = hasLanguage(question) ? `, in plain English or in the language of the game, such as: ${exampleOf(question)}` : '';
  const pass = hasOver(question) ? ' /skip: nothing now; /over: nothing more today.' : final ? ' /skip passes.' : '';
  return `${how}: type it (at most ${maxChars} characters)${language}.${pass}`;
}

function describeChoice(question: Question, seat: number): string {
  const { id, options, pick, final } = question;
  const purpose = purposeOf(stepOf(id), options);
  const change = final
    ? 'It cannot be changed.'
    : `You may change it.${question.graceMs === undefined ? '' : ' /ready when you wait for nothing more.'}`;
  if (isOfWords(question)) return `${purpose}: ${exampleOf(question)}. ${change}`;
  const words = wordOptions(question);
  const orWord = words.length ? ` or ${orOf(words)}` : '';
  const centre = options.some(({ is }) => is.startsWith('centre:')) ? ' The cards in the centre are 0, 1 and 2.' : '';
  const others = options.filter(({ is }) => !words.includes(is)).map(({ named }) => named);
  return `${purpose}: ${pick} of ${others.join(', ')}.${centre} Type: ${exampleOf(question, seat)}${orWord}. ${change}`;
}

/** The question in a few words, for the row above the prompt. */
export function summarizeQuestion(question: Question, seat: number): string {
  const { id, verb, options, pick } = question;
  if (verb === 'say') {
    const example = exampleOf(question);
    return `speak: just type${example ? `, such as ${example}` : ''}${hasOver(question) ? ', /skip or /over' : question.final ? ' or /skip' : ''}`;
  }
  if (verb === 'tell') return 'whisper: /whisper NAME text';
  if (isOfWords(question)) return exampleOf(question);
  return `${stepOf(id)} ${pick} of ${options.length}: ${exampleOf(question, seat)}`;
}

/** `1:05`, never less than `0:00`. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

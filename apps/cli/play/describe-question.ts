import { stepOf } from '@maw/games/kernel/question.ts';
import type { OpenQuestions } from '../clients/web-shapes.ts';

/** A question that the person may answer. */
export type Question = OpenQuestions['asked'][number];

/** What each choice of the games is for. A choice that is not listed is called by its own name. */
const PURPOSES: { readonly [step: string]: string } = {
  vote: 'Vote for whom to execute',
  hunt: 'Choose the victim of the wolves',
  inspect: 'Choose whose role to look at',
  protect: 'Choose whom to protect tonight',
  save: 'Choose whom the antidote saves',
  poison: 'Choose whom the poison kills',
  divine: 'Choose whom to divine',
  guard: 'Choose whom to guard tonight',
  attack: 'Choose whom the wolves attack',
  team: 'Name the team of the quest',
  approve: 'Vote on the team',
  quest: 'Play your card for the quest',
  assassinate: 'Name the player who is Merlin',
  werewolf: 'Look at a card in the centre',
  seer: 'Look at cards',
  robber: 'Choose whose card to take for yours',
  troublemaker: 'Choose whose cards to swap',
};

/** Whether the rules of some game ask for this choice. */
export const isKnownChoice = (step: string): boolean => Object.hasOwn(PURPOSES, step);

/** Whether the options are few words, such as `approve` and `reject`: each of them is a command. */
export const isOfWords = ({ verb, pick, options }: Question): boolean =>
  verb === 'choose' && pick === 1 && options.length < 4 && options.every(({ is }) => /^[a-z]+$/.test(is));

/** A line that answers the question. */
export function exampleOf(question: Question): string {
  const { id, verb, options, pick } = question;
  const [first] = options;
  if (verb === 'say') return first ? options.at(-1)!.named : 'I trust nobody yet.';
  if (verb === 'tell') return `/whisper ${first?.named ?? 'NAME'} meet me at the well`;
  if (isOfWords(question)) return `/${first!.is}`;
  const firstNames = options.filter(({ is }) => is.startsWith('seat:'));
  const chosen = (firstNames.length < pick ? options : firstNames).slice(0, pick);
  return `/${stepOf(id)} ${chosen.map(({ named }) => named).join(', ')}`;
}

/** What is asked, whom or what can be chosen, how many, until when, and how to answer. @param now milliseconds since the epoch */
export function describeQuestion(question: Question, now: number): string {
  const { verb, room, until, options, maxChars } = question;
  const where = room ? ` in the ${room.slice(room.lastIndexOf('/') + 1)}` : '';
  const left = ` ${timeLeft(until, now)} left.`;
  switch (verb) {
    case 'say': {
      const how = question.final ? `It is your turn to speak${where}, once` : `You may speak${where}`;
      const language = options.length ? ` Sentences are of the AIWolf protocol, such as: ${exampleOf(question)}` : '';
      return `${how}: type it (at most ${maxChars} characters).${language}${left}`;
    }
    case 'tell':
      return `You may whisper to one player: ${exampleOf(question)}.${left}`;
    case 'choose':
      return describeChoice(question) + left;
  }
}

function describeChoice(question: Question): string {
  const { id, options, pick, final } = question;
  const purpose = PURPOSES[stepOf(id)] ?? `You are asked to ${stepOf(id)}`;
  const change = final ? ' It cannot be changed.' : ' You may change it.';
  if (isOfWords(question)) return `${purpose}: ${options.map(({ is }) => `/${is}`).join(' or ')}.${change}`;
  return `${purpose}: ${pick} of ${options.map(({ named }) => named).join(', ')}. Type: ${exampleOf(question)}.${change}`;
}

/** The question in a few words, for the row above the prompt. */
export function summarizeQuestion(question: Question): string {
  const { id, verb, options, pick } = question;
  if (verb === 'say') return 'speak: just type';
  if (verb === 'tell') return 'whisper: /whisper NAME text';
  if (isOfWords(question)) return options.map(({ is }) => `/${is}`).join(' or ');
  return `${stepOf(id)} ${pick} of ${options.length}: ${exampleOf(question)}`;
}

/** `1:05`, never less than `0:00`. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

import { namedSeats, stepOf } from '@maw/games/kernel/question.ts';
import { isComplete } from '@maw/games/match/asked-question.ts';
import { foldCase } from '@maw/text/clean.ts';
import { exampleOf, type Question } from './describe-question.ts';

export type Choice = { readonly question: Question; readonly says: readonly string[] } | { readonly why: string };

/** Letters with their marks, and digits alone: `centre:0+1` is also typed `centre 0 1`. */
const loose = (text: string): string => foldCase(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * The question a choice answers: the one of that name; `/vote` also answers the only choice there is, such as the hunt.
 * @returns the question and the options chosen, or why there are none; undefined: nothing of that name is asked
 */
export function resolveChoice(step: string, typed: string, asked: readonly Question[]): Choice | undefined {
  const choices = asked.filter(({ verb }) => verb === 'choose');
  const question =
    choices.find(({ id }) => stepOf(id) === step) ?? (step === 'vote' ? (choices.find(({ final }) => !final) ?? choices[0]) : undefined);
  if (question) return chosenFrom(question, typed);
  return undefined;
}

/** Words between and before names; where that leads to no choice, they are names themselves. */
const FILLER = /^(?:and|for)$/i;

function chosenFrom(question: Question, typed: string): Choice {
  const words = typed.split(/[\s,;&]+/).filter(Boolean);
  const readings = [words.filter((word) => !FILLER.test(word)), FILLER.test(words[0] ?? '') ? words.slice(1) : words, words];
  const found = readings.map((reading) => optionsNamed(reading, question));
  const says = found.find((each) => 'says' in each && isComplete(question, each.says));
  if (says) return { question, ...says } as Choice;
  const [wrong] = found;
  if (wrong && 'why' in wrong) return wrong;
  const wanted = question.pick === 1 ? 'Choose one' : `Choose ${question.pick}, each once,`;
  return { why: `${wanted} of ${namesOf(question.options)}. For example: ${exampleOf(question)}` };
}

function optionsNamed(given: readonly string[], question: Question): { readonly says: readonly string[] } | { readonly why: string } {
  const says: string[] = [];
  for (let words = given; words.length;) {
    const found = nextOption(words, question);
    if ('why' in found) return found;
    says.push(found.is);
    words = words.slice(found.words);
  }
  return { says };
}

/** How an option may be written whole: a numbered player as `Ann`, `2` or `Agent[02]`, cards in the centre as `centre:0+1` or `1 0`, two players as `Ann Bob`. */
function spellingsOf({ is, named }: Option): readonly string[] {
  const [, name, number] = /^(.*)\[(\d+)\]$/.exec(named) ?? [];
  const players = number === undefined ? [] : [name!, number, String(Number(number)), `agent${number}`, `agent${Number(number)}`];
  const [one, other] = namedSeats(is).length > 1 ? named.split(' and ') : [];
  const pair = other === undefined ? [] : [`${one} ${other}`, `${other} ${one}`, `${other} and ${one}`];
  const [, first, second = ''] = /^centre:(\d+)(?:\+(\d+))?$/.exec(is) ?? [];
  const cards = first === undefined ? [] : [first + second, second + first, `centre${second}${first}`];
  return [named, is, ...players, ...cards, ...pair].map(loose);
}

/** A choice of nobody, where nobody is called so. */
const NOBODY = /^(?:nobody|no-?one|none)$/i;

type Option = Question['options'][number];
const namesOf = (options: readonly Option[]): string => options.map(({ named }) => named).join(', ');

/** The option that the first words name: the longest whole name, else the only one that they begin. */
function nextOption(
  words: readonly string[],
  { options }: Question,
): { readonly is: string; readonly words: number } | { readonly why: string } {
  const typed = words.map((_, n) => loose(words.slice(0, n + 1).join(''))).toReversed(); // the longest first
  const named = (isMeant: (option: Option, typed: string) => boolean) => {
    for (const [i, text] of typed.entries()) {
      const found = text ? options.filter((option) => isMeant(option, text)) : [];
      if (found.length) return { found, words: words.length - i };
    }
    return undefined;
  };
  const match =
    named((option, text) => spellingsOf(option).includes(text)) ??
    named((option, text) => namedSeats(option.is).length < 2 && loose(option.named).startsWith(text));
  if (!match && NOBODY.test(words[0]!)) {
    if (options.some(({ is }) => is === 'pass')) return { is: 'pass', words: 1 };
    return { why: `Nobody cannot be chosen: whoever wants nobody chooses nothing. You may choose from ${namesOf(options)}.` };
  }
  if (!match) return { why: `${words[0]} cannot be chosen; choose from ${namesOf(options)}.` };
  if (match.found.length === 1) return { is: match.found[0]!.is, words: match.words };
  return { why: `${words.slice(0, match.words).join(' ')} may be ${match.found.map((option) => option.named).join(' or ')}.` };
}

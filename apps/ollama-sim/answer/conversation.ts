import type { Random } from '../seeded-random.ts';
import type { Guide } from '../json-schema/narrow.ts';
import { ACTIONS, actionOf, chooseAction } from './actions.ts';
import { FIRST_NAMES } from './names.ts';
import { mentions, type Reading } from './read-prompt.ts';
import { speech, thought } from './speech.ts';
import { suspect } from './suspicion.ts';
import { chooseTarget } from './target.ts';

/** Decides as a player would who has read the prompt: speaks first, votes later, follows accusations, spares partners. */
export const tableGuide = (reading: Reading, dice: Random): Guide => {
  const suspicion = suspect(reading);
  const said: string[] = [];
  let doing = '';

  const target = (options: readonly string[], taken: readonly unknown[] = []): string =>
    chooseTarget(reading, suspicion, options, doing, dice, taken);
  const speak = (maxChars: number): string => {
    const text = speech({ reading, suspicion, doing, target: favourite(), said, maxChars }, dice);
    said.push(text);
    return text;
  };
  const think = (maxChars: number): string => {
    const text = thought({ reading, suspicion, doing, target: favourite(), said, maxChars }, dice);
    said.push(text);
    return text;
  };
  let chosen: string | undefined;
  /** Whom I speak about: the one I have chosen, or would choose. */
  const favourite = (): string | undefined => (chosen ??= reading.others.length > 0 ? target(reading.others) : undefined);

  /** Whom I speak to in private: a partner if I have one. */
  const confidant = (words: readonly string[]): string => {
    const partners = words.filter((word) => reading.partners.includes(word));
    return dice.pick(partners.length > 0 ? partners : words.filter((word) => word !== reading.me).concat(words.slice(0, 1)));
  };

  const choose = (property: string, options: readonly unknown[], taken: readonly unknown[]): unknown => {
    const words = options.filter((option) => typeof option === 'string');
    if (words.length < options.length || words.length === 0) return dice.pick(options);
    if (words.every((word) => ACTIONS.test(word))) {
      doing = words[chooseAction(reading, suspicion, words, dice)] ?? '';
      return doing;
    }
    const opinion = opinionOn(words, reading, dice);
    if (opinion !== undefined) return opinion;
    const people = words.filter((word) => reading.others.includes(word) || word === reading.me);
    if (people.length < words.length / 2 && !/target|vote|victim|suspect|whom?$/i.test(property)) return dice.pick(fresh(words, taken));
    if (/^(to|recipient|with)$/i.test(property)) return confidant(words);
    chosen = target(words, taken);
    return chosen;
  };

  return {
    branch: (labels) => {
      const at = labels.some((label) => actionOf(label) !== 'other')
        ? chooseAction(reading, suspicion, labels, dice)
        : dice.below(labels.length);
      doing = labels[at] ?? '';
      return at;
    },
    choose,
    text: (property, maxChars) => {
      if (/^(first_?|nick_?|player_?)?name$|^call/i.test(property)) return nameFor(reading, dice);
      if (/^(to|target|player|who|whom|vote|victim|suspect)$/i.test(property)) return favourite() ?? '';
      if (
        /reason|because|why|thought|think|analy|plan|reflect|summ|belief|strateg|lesson|suggest|experience|observation|note/i.test(property)
      )
        return think(maxChars);
      if (/question/i.test(property)) return think(maxChars).replace(/[.!]$/, '?');
      return speak(maxChars);
    },
    keys: () => [...reading.others, 'first', 'second', 'third'],
  };
};

const fresh = (words: readonly string[], taken: readonly unknown[]): readonly string[] => {
  const left = words.filter((word) => !taken.includes(word));
  return left.length > 0 ? left : words;
};

/** Answers to the questions of a quest: approve or reject, success or fail, yes or no. */
const opinionOn = (words: readonly string[], reading: Reading, dice: Random): string | undefined => {
  const word = (pattern: RegExp): string | undefined => words.find((one) => pattern.test(one));
  const [success, fail] = [word(/^success/i), word(/^fail/i)];
  if (success !== undefined && fail !== undefined) return reading.wolf && dice.chance(0.6) ? fail : success;
  const [approve, reject] = [word(/^(approve|accept|agree|yes)$/i), word(/^(reject|refuse|disagree|no)$/i)];
  if (approve !== undefined && reject !== undefined && words.length === 2) return dice.chance(0.65) ? approve : reject;
  return undefined;
};

/** A first name that nobody in the prompt has. */
export const nameFor = (reading: Reading, dice: Random): string => {
  const free = FIRST_NAMES.filter((name) => !mentions(reading.text, name));
  return dice.pick(free.length > 0 ? free : FIRST_NAMES);
};

const ASKS_FOR_NAME = /\b(choose|pick|give|tell|invent|what is|what's|introduce)\b[^.\n]{0,40}\bname\b|\bname yourself\b/i;
const ASKS_TO_THINK = /\b(summar|reflect|reason|think|analy|plan|suggest|lesson|why)\w*/i;

/** What to say when no form is asked for. */
export const freeAnswer = (reading: Reading, dice: Random): string => {
  const guide = tableGuide(reading, dice);
  if (ASKS_FOR_NAME.test(reading.task)) return nameFor(reading, dice);
  return ASKS_TO_THINK.test(reading.task) ? `${guide.text('reason', 200)} ${guide.text('reason', 200)}` : guide.text('text', 200);
};

/** What a thinking model mutters first; more of it the harder it is told to think. */
export const musings = (reading: Reading, level: 'low' | 'medium' | 'high' | 'max', dice: Random): string => {
  const guide = tableGuide(reading, dice);
  const sentences = { low: 1, medium: 2, high: 4, max: 6 }[level];
  return Array.from({ length: sentences }, () => guide.text('thought', 300)).join(' ');
};

import type { Random } from '../seeded-random.ts';
import type { Guide } from '../json-schema/narrow.ts';
import { ACTIONS, actionOf, chooseAction } from './actions.ts';
import { FIRST_NAMES } from './phrases.ts';
import { mentions, type PromptFacts } from './read-prompt.ts';
import { speech, thought } from './speech.ts';
import { readSuspicion, type Suspicion } from './suspicion.ts';
import { chooseTarget } from './target.ts';

interface Player {
  readonly facts: PromptFacts;
  readonly suspicion: Suspicion;
  readonly random: Random;
  /** What it has said in this answer. */
  readonly said: string[];
  /** The action it has chosen. */
  action: string;
  target: string | undefined;
}

/** Decides as a player who has read the prompt: speaks first, votes later, follows accusations, spares partners. */
export const playerGuide = (facts: PromptFacts, random: Random): Guide => {
  const player: Player = { facts, suspicion: readSuspicion(facts), random, said: [], action: '', target: undefined };
  return {
    branch: (labels) => {
      const at = labels.some((label) => actionOf(label) !== 'other')
        ? chooseAction(facts, player.suspicion, labels, random)
        : random.below(labels.length);
      player.action = labels[at] ?? '';
      return at;
    },
    choose: (property, options, taken) => choose(player, property, options, taken),
    text: (property, maxChars) => write(player, property, maxChars),
    keys: () => [...facts.others, 'first', 'second', 'third'],
  };
};

const choose = (player: Player, property: string, options: readonly unknown[], taken: readonly unknown[]): unknown => {
  const { facts, suspicion, random } = player;
  const words = options.filter((option) => typeof option === 'string');
  if (words.length < options.length || words.length === 0) return random.pick(untaken(options, taken));
  if (words.every((word) => ACTIONS.test(word))) {
    player.action = words[chooseAction(facts, suspicion, words, random)] ?? '';
    return player.action;
  }
  const opinion = opinionOn(words, facts, random);
  if (opinion !== undefined) return opinion;
  const people = words.filter((word) => facts.others.includes(word) || word === facts.me);
  if (people.length < words.length / 2 && !/target|vote|victim|suspect|whom?$/i.test(property)) return random.pick(untaken(words, taken));
  if (/^(to|recipient|with)$/i.test(property)) return confidant(player, words);
  player.target = chooseTarget(facts, suspicion, words, player.action, random, taken);
  return player.target;
};

const WANTS_THOUGHT =
  /reason|because|why|thought|think|analy|plan|reflect|summ|belief|strateg|lesson|suggest|experience|observation|note|question/i;

const write = (player: Player, property: string, maxChars: number): string => {
  if (/^(first_?|nick_?|player_?)?name$|^call/i.test(property)) return nameFor(player.facts, player.random);
  if (/^(to|target|player|who|whom|vote|victim|suspect)$/i.test(property)) return favourite(player) ?? '';
  const { facts, suspicion, action, said, random } = player;
  const context = { facts, suspicion, action, target: favourite(player), said, maxChars };
  const text = WANTS_THOUGHT.test(property) ? thought(context, random) : speech(context, random);
  said.push(text);
  return /question/i.test(property) ? text.replace(/[.!]$/, '?') : text;
};

/** Whom it speaks about: the one it has chosen, or would choose. */
const favourite = (player: Player): string | undefined => {
  const { facts, suspicion, action, random } = player;
  return (player.target ??= facts.others.length > 0 ? chooseTarget(facts, suspicion, facts.others, action, random) : undefined);
};

/** Whom it speaks to in private: a partner if it has one. */
const confidant = ({ facts, random }: Player, words: readonly string[]): string => {
  const partners = words.filter((word) => facts.partners.includes(word));
  return random.pick(partners.length > 0 ? partners : words.filter((word) => word !== facts.me).concat(words.slice(0, 1)));
};

const untaken = <T>(options: readonly T[], taken: readonly unknown[]): readonly T[] => {
  const left = options.filter((option) => !taken.includes(option));
  return left.length > 0 ? left : options;
};

/** Answers such questions as approve or reject, success or fail, yes or no. */
const opinionOn = (words: readonly string[], facts: PromptFacts, random: Random): string | undefined => {
  const word = (pattern: RegExp): string | undefined => words.find((one) => pattern.test(one));
  const [success, fail] = [word(/^success/i), word(/^fail/i)];
  if (success !== undefined && fail !== undefined) return facts.isWolf && random.chance(0.6) ? fail : success;
  const [approve, reject] = [word(/^(approve|accept|agree|yes)$/i), word(/^(reject|refuse|disagree|no)$/i)];
  if (approve !== undefined && reject !== undefined && words.length === 2) return random.chance(0.65) ? approve : reject;
  return undefined;
};

/** A first name that nobody in the prompt has. */
const nameFor = (facts: PromptFacts, random: Random): string => {
  const free = FIRST_NAMES.filter((name) => !mentions(facts.text, name));
  return random.pick(free.length > 0 ? free : FIRST_NAMES);
};

const ASKS_FOR_NAME = /\b(choose|pick|give|tell|invent|what is|what's|introduce)\b[^.\n]{0,40}\bname\b|\bname yourself\b/i;
const ASKS_TO_THINK = /\b(summar|reflect|reason|think|analy|plan|suggest|lesson|why)\w*/i;

/** An answer without a schema. */
export const freeAnswer = (facts: PromptFacts, random: Random): string => {
  const guide = playerGuide(facts, random);
  if (ASKS_FOR_NAME.test(facts.task)) return nameFor(facts, random);
  return ASKS_TO_THINK.test(facts.task) ? `${guide.text('reason', 200)} ${guide.text('reason', 200)}` : guide.text('text', 200);
};

/** The thinking of a model; the higher the level, the longer. */
export const thinkingText = (facts: PromptFacts, level: 'low' | 'medium' | 'high' | 'max', random: Random): string => {
  const guide = playerGuide(facts, random);
  const sentences = { low: 1, medium: 2, high: 4, max: 6 }[level];
  return Array.from({ length: sentences }, () => guide.text('thought', 300)).join(' ');
};

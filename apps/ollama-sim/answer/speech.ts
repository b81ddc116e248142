import type { Random } from '../seeded-random.ts';
import { askersOf, replyMood } from './asked.ts';
import { QUESTIONS, REPLIES, SPEECH, THOUGHTS } from './phrases.ts';
import type { PromptFacts } from './read-prompt.ts';
import type { Suspicion } from './suspicion.ts';

interface SpeechContext {
  readonly facts: PromptFacts;
  readonly suspicion: Suspicion;
  readonly action: string;
  /** The player it talks about. */
  readonly target: string | undefined;
  /** The texts already in this answer. */
  readonly said: readonly string[];
  readonly maxChars: number;
}

const MAX_CHARS = 200;

/** A sentence or two for the table: plain words, real names, at most 200 characters and no more than allowed. */
export const speech = (occasion: SpeechContext, random: Random): string => {
  const replies = repliesTo(occasion, random);
  return (
    replies ||
    say(
      occasion,
      random,
      moods(occasion, random).flatMap((mood) => random.shuffle(SPEECH[mood])),
    )
  );
};

const MAX_REPLIES = 3;

/** Replies to those who have asked it something, as many as fit. */
const repliesTo = (occasion: SpeechContext, random: Random): string => {
  const { facts, target, maxChars } = occasion;
  return askersOf(facts)
    .slice(0, MAX_REPLIES)
    .reduce((text, asked) => {
      const said = [...occasion.said, text];
      const reply = say({ ...occasion, said }, random, random.shuffle(REPLIES[replyMood(asked, target)]), asked.who);
      const longer = `${text} ${reply}`.trim();
      return reply.includes(asked.who) && longer.length <= maxChars ? longer : text;
    }, '');
};

/** A private thought. */
export const thought = (occasion: SpeechContext, random: Random): string => {
  const { facts, target } = occasion;
  const own = target === undefined ? THOUGHTS.nameless : facts.isWolf ? [...THOUGHTS.wolf, ...THOUGHTS.named] : THOUGHTS.named;
  const asked = /question/i.test(facts.task.slice(-200)) ? random.shuffle(QUESTIONS) : [];
  return say(occasion, random, [...asked, ...random.shuffle(own), ...random.shuffle(THOUGHTS.nameless)]);
};

type Mood = keyof typeof SPEECH;

/** The fitting moods, best first. */
const moods = ({ facts, suspicion, action, target }: SpeechContext, random: Random): readonly Mood[] => {
  const { me, lines } = facts;
  if (target === undefined) return ['nameless', 'short'];
  if (facts.isWolf && (facts.isNight || /whisper/i.test(action)) && facts.partners.length > 0) return ['pack', 'short'];
  if (suspicion.known.includes(target)) return ['know', 'accuse', 'short'];
  const recent = lines.slice(-6).some((line) => me !== undefined && line.who !== me && line.says.includes(me));
  if (me !== undefined && suspicion.accusers.has(me) && recent && random.chance(0.7)) return ['defend', 'ask', 'short'];
  if (lines.length < 2) return ['opening', 'accuse', 'short'];
  if (facts.hasQuests && random.chance(0.5)) return ['quest', 'accuse', 'short'];
  const accused = (suspicion.blame.get(target) ?? 0) > 0 && suspicion.accusers.has(target);
  const pool: Mood[] = accused ? ['agree', 'agree', 'doubt', 'accuse'] : ['accuse', 'accuse', 'ask', 'opening'];
  return [random.pick(pool), random.pick(pool), 'accuse', 'ask', 'short'];
};

/** Words that only fit a game with wolves, and one in which players are voted out. */
const OF_WOLVES = /\b(?:wol(?:f|ves)|villagers?|tonight|last night|slept)\b/i;
const OF_VOTES = /\bvotes?\b/i;

/** Fills the first template that fits the game and has not been said; else the one that was said longest ago. */
const say = (
  { facts, suspicion, target, said, maxChars }: SpeechContext,
  random: Random,
  templates: readonly string[],
  asker?: string,
): string => {
  const accuserOf = (name: string | undefined): string | undefined => {
    const accuser = name === undefined ? undefined : suspicion.accusers.get(name);
    return accuser === undefined || accuser === facts.me || suspicion.dead.has(accuser) ? undefined : accuser;
  };
  const bystanders = facts.others.filter((name) => name !== target && name !== asker && !suspicion.dead.has(name));
  const other = bystanders.length > 0 ? random.pick(bystanders) : undefined;
  const heard = [...facts.lines.map((line) => line.says), ...said];
  const isOfGame = (template: string): boolean =>
    (facts.hasWolves || !OF_WOLVES.test(template)) && (!facts.hasQuests || !OF_VOTES.test(template));
  const fill = (template: string): string | undefined => {
    const accuser = SPEECH.defend.some((one) => one === template) ? accuserOf(facts.me) : accuserOf(target);
    const isSelf = target !== undefined && target === asker;
    const names: Readonly<Record<string, string | undefined>> = { me: facts.me, target: isSelf ? 'you' : target, other, accuser, asker };
    let missing = false;
    const text = template.replace(/\{(\w+)\}/g, (_, key: string) => {
      missing ||= names[key] === undefined;
      return names[key] ?? '';
    });
    return missing || text.length > Math.min(maxChars, MAX_CHARS) || facts.ownReplies.some((own) => own.includes(text))
      ? undefined
      : text.charAt(0).toUpperCase() + text.slice(1);
  };
  const filled = (all: readonly string[]): readonly string[] =>
    all
      .filter(isOfGame)
      .map(fill)
      .filter((text) => text !== undefined);
  const own = filled(templates);
  const possible = asker === undefined || !own.length ? [...own, ...filled(SPEECH.nameless)] : own;
  const lastHeard = (text: string): number => heard.findLastIndex((line) => text.split(/(?<=[.!?]) /).some((part) => line.includes(part)));
  const fresh = possible.find((text) => lastHeard(text) < 0);
  return fresh ?? possible.toSorted((a, b) => lastHeard(a) - lastHeard(b))[0] ?? 'Hm.';
};

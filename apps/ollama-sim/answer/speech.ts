import type { Random } from '../seeded-random.ts';
import { QUESTIONS, SPEECH, THOUGHTS } from './phrases.ts';
import type { PromptFacts } from './read-prompt.ts';
import type { Suspicion } from './suspicion.ts';

export interface SpeechContext {
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
export const speech = (occasion: SpeechContext, random: Random): string =>
  say(
    occasion,
    random,
    moods(occasion, random).flatMap((mood) => random.shuffle(SPEECH[mood])),
  );

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
  const accused = (suspicion.blame.get(target) ?? 0) > 0 && suspicion.accusers.has(target);
  const pool: Mood[] = accused ? ['agree', 'agree', 'doubt', 'accuse'] : ['accuse', 'accuse', 'ask', 'opening'];
  return [random.pick(pool), random.pick(pool), 'accuse', 'ask', 'short'];
};

/** Fills the first template that fits and has not been said. */
const say = ({ facts, suspicion, target, said, maxChars }: SpeechContext, random: Random, templates: readonly string[]): string => {
  const accuserOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : suspicion.accusers.get(name));
  const bystanders = facts.others.filter((name) => name !== target && !suspicion.dead.has(name));
  const other = bystanders.length > 0 ? random.pick(bystanders) : undefined;
  const heard = new Set([...facts.lines.map((line) => line.says), ...said]);
  const fill = (template: string): string | undefined => {
    const accuser = SPEECH.defend.some((one) => one === template) ? accuserOf(facts.me) : accuserOf(target);
    const names: Readonly<Record<string, string | undefined>> = {
      me: facts.me,
      target,
      other,
      accuser: accuser === facts.me ? undefined : accuser,
    };
    let missing = false;
    const text = template.replace(/\{(\w+)\}/g, (_, key: string) => {
      missing ||= names[key] === undefined;
      return names[key] ?? '';
    });
    return missing || text.length > Math.min(maxChars, MAX_CHARS) || facts.ownReplies.some((own) => own.includes(text)) ? undefined : text;
  };
  const possible = templates.map(fill).filter((text) => text !== undefined);
  return possible.find((text) => !heard.has(text)) ?? possible[0] ?? SPEECH.nameless.find((text) => text.length <= maxChars) ?? 'Hm.';
};

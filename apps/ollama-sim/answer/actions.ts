import type { Random } from '../seeded-random.ts';
import { askersOf } from './asked.ts';
import type { PromptFacts } from './read-prompt.ts';
import type { Suspicion } from './suspicion.ts';

/** Words that name an action rather than a player. */
export const ACTIONS =
  /^(speak|say|talk|claim|vote|listen|wait|pass|skip|over|nothing|none|whisper|kill|attack|see|inspect|check|divine|guard|protect|save|poison|heal)$/i;

type Action = 'speak' | 'vote' | 'listen' | 'whisper' | 'act' | 'other';

const KINDS: readonly (readonly [Exclude<Action, 'other'>, RegExp])[] = [
  ['whisper', /\bwhisper/i],
  ['vote', /\b(vote|eliminate|lynch|execute)/i],
  ['listen', /\b(listen|wait|pass|skip|silent|silence|nothing|none|over)\b/i],
  ['act', /\b(kill|attack|bite|see|inspect|check|divine|guard|protect|save|poison|heal|choose)\b/i],
  ['speak', /\b(speak|say|talk|speech|claim|chat|message)/i],
];

export const actionOf = (label: string): Action => KINDS.find(([, pattern]) => pattern.test(label))?.[0] ?? 'other';

/** Speaks early, votes once there is evidence, then mostly listens. */
export const chooseAction = (facts: PromptFacts, suspicion: Suspicion, labels: readonly string[], random: Random): number => {
  const weights = labels.map((label) => weightOf(actionOf(label), facts, suspicion));
  let roll = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    0,
    weights.findIndex((weight) => (roll -= weight) < 0),
  );
};

const weightOf = (action: Action, facts: PromptFacts, { votes, accusers }: Suspicion): number => {
  const { me, lines, ownReplies: mine, others } = facts;
  const spoken = lines.filter((line) => line.who === me).length + mine.filter((text) => /speak|"text"|"say/i.test(text)).length;
  const voted = (me !== undefined && votes.has(me)) || mine.some((text) => /"vote"/.test(text));
  const talk = lines.length / Math.max(3, others.length + 1);
  const spokeLast = me !== undefined && lines.at(-1)?.who === me;
  const defending = me !== undefined && accusers.has(me) ? 3 : 0;
  const crowd = votes.size >= others.length / 2 ? 4 : votes.size > 0 ? 2 : 1;
  const weights: Readonly<Record<Action, number>> = {
    speak: askersOf(facts).length > 0 ? 20 : spokeLast ? 0.5 : defending + (spoken === 0 ? 8 : spoken === 1 ? 4 : 1.5),
    vote: voted ? 0.3 : crowd * (talk < 0.7 ? 0.4 : talk < 1.5 ? 3 : 8),
    listen: 1.2 + (spokeLast ? 3 : 0) + (voted ? 6 : 0),
    whisper: facts.isWolf && facts.partners.length > 0 ? 1 : 0.4,
    act: 6,
    other: 1,
  };
  return weights[action];
};

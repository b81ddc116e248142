import { type Line, wordPattern } from './lines.ts';
import type { REPLIES } from './phrases.ts';
import type { PromptFacts } from './read-prompt.ts';

/** Who has asked this player something by name since it spoke last, the earliest first; each once, and none who is dead. */
export const askersOf = ({ me, lines, dead }: PromptFacts): readonly Line[] => {
  if (me === undefined) return [];
  const since = lines.slice(lines.findLastIndex(({ who }) => who === me) + 1);
  const asked = since.flatMap(({ who, says }) => {
    const question = says.split(/(?<=[?!.])\s+/u).find((part) => part.endsWith('?') && wordPattern(me).test(part));
    return question === undefined || dead.includes(who) ? [] : [{ who, says: question }];
  });
  return asked.filter(({ who }, i) => asked.findIndex((one) => one.who === who) === i);
};

/** What kind of reply a question needs. */
export const replyMood = ({ says }: Line, target: string | undefined): keyof typeof REPLIES => {
  if (/\bwhy\b|\breason\b/i.test(says)) return 'why';
  if (/\b(?:are|were) you\b|\byour (?:role|card)\b/i.test(says)) return 'role';
  if (/\btrust\b/i.test(says)) return 'trust';
  return target === undefined ? 'other' : 'suspect';
};

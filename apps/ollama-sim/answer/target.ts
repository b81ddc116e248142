import type { Random } from '../seeded-random.ts';
import type { PromptFacts } from './read-prompt.ts';
import type { Suspicion } from './suspicion.ts';

/**
 * The player to name. By day the most accused, never oneself and, for a wolf, never a partner. At night a wolf takes the most
 * mentioned, then the first in the list, without randomness, so that a pack agrees without talking.
 */
export const chooseTarget = (
  facts: PromptFacts,
  suspicion: Suspicion,
  options: readonly string[],
  action: string,
  random: Random,
  taken: readonly unknown[] = [],
): string => {
  const spared = (name: string): number =>
    (name === facts.me ? 4 : 0) +
    (taken.includes(name) ? 8 : 0) +
    (suspicion.dead.has(name) ? 2 : 0) +
    (facts.isWolf && facts.partners.includes(name) ? 1 : 0);
  const least = Math.min(...options.map(spared));
  const open = options.filter((name) => spared(name) === least);
  const hunting = facts.isWolf && (facts.isNight || /kill|attack|bite/i.test(action)) && !/\bvote\b.*\bday\b/i.test(action);
  const protecting = /guard|protect|save|heal/i.test(action);
  const looking = /see|inspect|check|divine/i.test(action);
  const score = (name: string): number => {
    if (hunting) return suspicion.named.get(name) ?? 0;
    const blame = suspicion.blame.get(name) ?? 0;
    if (protecting) return -blame + random.next() * 2;
    return (looking && Math.abs(blame) > 4 ? -5 : blame) + random.next() * (random.chance(0.15) ? 4 : 0.9);
  };
  const scored = open.map((name) => ({ name, score: score(name) }));
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).name;
};

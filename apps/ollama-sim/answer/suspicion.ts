import { wordPattern } from './lines.ts';
import type { PromptFacts } from './read-prompt.ts';

/** What the conversation says about each player. */
export interface Suspicion {
  /** Above zero: blamed; below: trusted. */
  readonly blame: ReadonlyMap<string, number>;
  /** Who blamed whom last. */
  readonly accusers: ReadonlyMap<string, string>;
  /** How often each player was mentioned, by anybody: the same count for all who heard the same. */
  readonly named: ReadonlyMap<string, number>;
  readonly votes: ReadonlyMap<string, string>;
  /** Players known to be wolves. */
  readonly known: readonly string[];
  readonly dead: ReadonlySet<string>;
}

const BLAME =
  /wol(f|ves)|lying|liar|\blies\b|suspicio|suspect|\bvot(e|ing)\b|accus|eliminat|lynch|execut|\bhang\b|guilty|\bevil\b|mafia|quiet|silent|nervous|strange|\bodd\b|hiding|wrong|(n't|not|cannot) trust|tonight/i;
const TRUST = /(not|n't|never|no) (?:\w+ ){0,2}(wolf|lying|suspicious|guilty|a liar)|innocent|\btrust\b|believe|villager|\bclear\b|defend/i;
const DISTRUST = /(n't|not|cannot|never|nobody) (?:\w+ )?(trust|believe)/i;
const WEIGHTS = { blame: 1, trust: -0.7, vote: 1.5, known: 6 } as const;

export const readSuspicion = (facts: PromptFacts): Suspicion => {
  const blame = new Map<string, number>();
  const named = new Map<string, number>();
  const accusers = new Map<string, string>();
  const votes = new Map<string, string>();
  const people = facts.me === undefined ? facts.others : [...facts.others, facts.me];

  for (const { who, says } of facts.lines) {
    for (const clause of says.split(/[.!?;,]| but /)) {
      for (const name of people) {
        if (name === who || !wordPattern(name).test(clause)) continue;
        add(named, name, 1);
        const trusted = TRUST.test(clause) && !DISTRUST.test(clause);
        if (trusted) add(blame, name, WEIGHTS.trust);
        else if (BLAME.test(clause)) {
          add(blame, name, WEIGHTS.blame);
          accusers.set(name, who);
        }
      }
    }
  }
  const known: string[] = [];
  const dead = new Set<string>(facts.dead);
  for (const [voter, target] of pairsIn(facts.text, people)) {
    votes.set(voter, target);
    add(blame, target, WEIGHTS.vote);
    if (!accusers.has(target)) accusers.set(target, voter);
  }
  for (const name of people) {
    const fact = new RegExp(`${wordPattern(name).source} (?:is|was|turned out to be) (not )?(?:an? |the )?(?:were)?wolf`, 'u');
    const death = new RegExp(
      `${wordPattern(name).source} (?:(?:was|is|has been) (?:found |now )?(?:killed|eliminated|executed|lynched|dead|hanged|murdered|out)|died)`,
      'u',
    );
    for (const row of facts.statements) {
      const found = fact.exec(row);
      if (found !== null) add(blame, name, found[1] === undefined ? WEIGHTS.known : -WEIGHTS.known);
      if (found !== null && found[1] === undefined) known.push(name);
      if (death.test(row)) dead.add(name);
    }
  }
  return { blame, accusers, named, votes, known: known.filter((name) => !dead.has(name) && !facts.partners.includes(name)), dead };
};

const add = (to: Map<string, number>, name: string, weight: number): void => void to.set(name, (to.get(name) ?? 0) + weight);

/** Who votes for whom: `Ann votes for Bob`, `Ann voted: Bob`. */
const pairsIn = (text: string, people: readonly string[]): readonly (readonly [string, string])[] => {
  if (people.length === 0) return [];
  const anyone = people.map((name) => wordPattern(name).source).join('|');
  const pattern = new RegExp(`(${anyone})(?: has)? (?:votes?|voted|is voting)(?: for| against| to \\w+)?:? (${anyone})`, 'gu');
  return [...text.matchAll(pattern)].map((match) => [match[1] ?? '', match[2] ?? ''] as const);
};

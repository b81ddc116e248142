import type { Seat } from '@maw/games/kernel/question.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';

/** The facts in a speech. */
export interface Meaning {
  readonly accuses: readonly Seat[];
  /** Results told by one who claims to be the seer. */
  readonly claims: readonly { readonly about: Seat; readonly isWolf: boolean }[];
}

/** What a speech says of a player. */
export interface Verdict {
  readonly about: Seat;
  readonly isGood: boolean;
  /** It is called a wolf, or may be one. */
  readonly isBad: boolean;
  /** It is suspected, or shall be voted for, in so many words. */
  readonly isWanted: boolean;
}

/** What a speech says of whom; ignores everything else. */
export function verdictsIn(speech: string, names: readonly string[]): readonly Verdict[] {
  const lower = speech.toLowerCase();
  return names.flatMap((name, about) => {
    if (!name || !lower.includes(name.toLowerCase())) return [];
    const who = namePattern(name);
    const says = (pattern: string): boolean => new RegExp(pattern, 'iu').test(speech);
    const isGood = says(`${who},? (?:is|was) (?:(?:not a|no) (?:were)?wolf|(?:a )?human|a villager|innocent|good|the seer)`);
    const isBad = says(`${who},? (?:is|was|must be|may be|looks like|could be) (?:an? |the )?(?:were)?wolf`);
    const isWanted = says(`(?:suspect|vote for|accuse|do not trust|don't trust) ${who}`);
    return [{ about, isGood, isBad, isWanted }];
  });
}

/** Finds accusations and a seer's claimed results. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const isSeer = /\bi(?:'m| am|,? as) the seer\b/i.test(speech);
  const verdicts = verdictsIn(speech, names);
  const accuses = verdicts.flatMap(({ about, isGood, isBad, isWanted }) => ((isBad || isWanted) && !isGood ? [about] : []));
  const claims = verdicts.flatMap(({ about, isGood }) =>
    isSeer && (isGood || accuses.includes(about)) ? [{ about, isWolf: !isGood }] : [],
  );
  return { accuses, claims };
}

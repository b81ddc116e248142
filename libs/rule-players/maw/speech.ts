import type { Seat } from '@maw/games/kernel/question.ts';
import { verdictReader } from '../shared/verdicts.ts';

/** The facts in a speech. */
export interface Meaning {
  readonly accuses: readonly Seat[];
  /** Results told by one who claims to be the seer. */
  readonly claims: readonly { readonly about: Seat; readonly isWolf: boolean }[];
}

/** What a speech says of a player: that it is good; that it is a wolf, or may be one; that it is suspected or shall be voted for, in so many words. */
export const verdictsIn = verdictReader({
  isGood: ['', ',? (?:is|was) (?:(?:not a|no) (?:were)?wolf|(?:a )?human|a villager|innocent|good|the seer)'],
  isBad: ['', ',? (?:is|was|must be|may be|looks like|could be) (?:an? |the )?(?:were)?wolf'],
  isWanted: ["(?:suspect|vote for|accuse|do not trust|don't trust) ", ''],
});

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

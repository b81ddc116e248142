import type { Seat } from '@maw/games/kernel/question.ts';
import { namePattern } from '../../../name-pattern.ts';
import { phrasebook } from '../shared/phrases.ts';

/** The facts in a speech. */
export interface Meaning {
  readonly accuses: readonly Seat[];
  /** Results told by one who claims to be the seer. */
  readonly claims: readonly { readonly about: Seat; readonly isWolf: boolean }[];
}

/** Finds accusations and a seer's claimed results; ignores everything else. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const isSeer = /\bi(?:'m| am|,? as) the seer\b/i.test(speech);
  const lower = speech.toLowerCase();
  const accuses: Seat[] = [];
  const claims: { about: Seat; isWolf: boolean }[] = [];
  for (const [seat, name] of names.entries()) {
    if (!name || !lower.includes(name.toLowerCase())) continue;
    const who = namePattern(name);
    const isGood = new RegExp(`${who},? (?:is|was) (?:(?:not a|no) (?:were)?wolf|a villager|innocent|good|the seer)`, 'iu').test(speech);
    const isBad = new RegExp(
      `${who},? (?:is|was|must be|may be|looks like|could be) (?:an? |the )?(?:were)?wolf|(?:suspect|vote for|accuse|do not trust|don't trust) ${who}`,
      'iu',
    ).test(speech);
    if (isSeer && isGood) claims.push({ about: seat, isWolf: false });
    if (isSeer && isBad && !isGood) claims.push({ about: seat, isWolf: true });
    if (isBad && !isGood) accuses.push(seat);
  }
  return { accuses, claims };
}

/** Picks a sentence for an occasion. */
export const sentence = phrasebook({
  opening: [
    'Good morning. Who has something to tell?',
    'I am a Villager. Let us watch the votes closely.',
    'Let us not waste the day; every vote tells something.',
    'We should agree on one name today.',
    'Stay together, and look at who votes apart.',
  ],
  suspicion: [
    'I suspect NAME.',
    'I suspect NAME more than anybody else.',
    'I do not trust NAME.',
    'NAME may be a Werewolf.',
    'Look at the votes: I suspect NAME.',
    'Something about NAME is not right, I vote for NAME.',
  ],
  joining: ['All right, I vote for NAME too.', 'I go with the others and vote for NAME.', 'Fine, I vote for NAME.'],
  defence: [
    'You are wrong about me, I am a Villager.',
    'I am a Villager. Do the Werewolves a favour and execute me, or think again.',
    'Who wants me dead, and why so quickly? I am a Villager.',
  ],
  night: ['Let us take NAME.', 'NAME tonight.', 'I say NAME.'],
});

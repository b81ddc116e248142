import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';

/** What a speech says that can be counted. */
export interface Meaning {
  readonly accuses: readonly Seat[];
  /** Results of a seer, told by one who says to be the seer. */
  readonly claims: readonly { readonly about: Seat; readonly isWolf: boolean }[];
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const BEFORE = '(?<![\\p{L}\\p{N}_-])';
const AFTER = '(?![\\p{L}\\p{N}_-])';

/** Reads who is called a wolf, and what a seer claims to have seen. What it does not understand it does not count. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const isSeer = /\bi(?:'m| am|,? as) the seer\b/i.test(speech);
  const lower = speech.toLowerCase();
  const accuses: Seat[] = [];
  const claims: { about: Seat; isWolf: boolean }[] = [];
  for (const [seat, name] of names.entries()) {
    if (!name || !lower.includes(name.toLowerCase())) continue;
    const who = `${BEFORE}${escaped(name)}${AFTER}`;
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

type Sentences = readonly [string, ...string[]];

const OPENING: Sentences = [
  'Good morning. Who has something to tell?',
  'I am a Villager. Let us watch the votes closely.',
  'Let us not waste the day; every vote tells something.',
  'We should agree on one name today.',
  'Stay together, and look at who votes apart.',
];
const SUSPICION: Sentences = [
  'I suspect NAME.',
  'I suspect NAME more than anybody else.',
  'I do not trust NAME.',
  'NAME may be a Werewolf.',
  'Look at the votes: I suspect NAME.',
  'Something about NAME is not right, I vote for NAME.',
];
const JOINING: Sentences = ['All right, I vote for NAME too.', 'I go with the others and vote for NAME.', 'Fine, I vote for NAME.'];
const DEFENCE: Sentences = [
  'You are wrong about me, I am a Villager.',
  'I am a Villager. Do the Werewolves a favour and execute me, or think again.',
  'Who wants me dead, and why so quickly? I am a Villager.',
];
const NIGHT: Sentences = ['Let us take NAME.', 'NAME tonight.', 'I say NAME.'];
const TALK = { opening: OPENING, suspicion: SUSPICION, joining: JOINING, defence: DEFENCE, night: NIGHT } as const;

/** A sentence for an occasion. */
export const sentence = (kind: keyof typeof TALK, dice: Dice, name = ''): string => dice.pick(TALK[kind]).replaceAll('NAME', name);

/** What a seer reveals. */
export const revelation = (results: readonly { readonly name: string; readonly isWolf: boolean }[]): string =>
  `I am the Seer. ${results.map(({ name, isWolf }) => (isWolf ? `${name} is a Werewolf.` : `${name} is not a Werewolf.`)).join(' ')}`.trim();

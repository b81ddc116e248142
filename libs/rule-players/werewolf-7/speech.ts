import type { Seat } from '@maw/games/kernel/question.ts';
import type { Role } from '@maw/games/werewolf-7/state.ts';
import { verdictReader } from '../shared/verdicts.ts';

/** A role that a player may claim. */
export type ClaimedRole = Exclude<Role, 'werewolf'>;

/** The facts in a speech. */
export interface Meaning {
  /** The claimed role of the speaker. */
  readonly is: ClaimedRole | undefined;
  /** Results told by one who claims to be the seer. */
  readonly results: readonly { readonly about: Seat; readonly isWolf: boolean }[];
  /** Whom one who claims to be the witch claims to have saved. */
  readonly saved: readonly Seat[];
  /** Who is called a wolf. */
  readonly accuses: readonly Seat[];
}

/** A claimed role: `I am the Seer`, `As a villager, I think`. */
const BEING = /(?:\bI(?: am|'m|’m| was) (?:a |an |the )|(?:^|[.!?:]\s+)As (?:a |an |the ))(villager|seer|guard|witch)(?![\p{L}\p{N}_-])/iu;
/** Actions that imply a role. */
const DOING: readonly (readonly [RegExp, ClaimedRole])[] = [
  [/\bI (?:have )?(?:verified|inspected)\b/iu, 'seer'],
  [/\bI (?:have )?(?:saved|poisoned)\b|\bmy (?:antidote|poison)\b/iu, 'witch'],
  [/\bI (?:have )?protected\b/iu, 'guard'],
];

const verdictsIn = verdictReader({
  isNone: ['', ',? (?:is|was) (?:(?:not (?:a|the)|no) (?:were)?wolf|innocent|good)'],
  isOne: ['', ',? (?:is|was) an? (?:were)?wolf'],
  isMaybe: ['', ',? (?:is|must be|may be|might be|looks like|could be) (?:an? |the )?(?:were)?wolf'],
  isSuspected: ["(?<!(?:not|n[’']t) )(?:suspect|vote for|accuse) ", ''],
  isDistrusted: ["(?:do not|don[’']t) trust ", ''],
  isSaved: ['(?<!not )saved? ', ''],
});

/** Finds claims and accusations; ignores everything else. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const is = (BEING.exec(speech)?.[1]?.toLowerCase() as ClaimedRole | undefined) ?? DOING.find(([done]) => done.test(speech))?.[1];
  const verdicts = verdictsIn(speech, names);
  return {
    is,
    results: is === 'seer' ? verdicts.flatMap(({ about, isNone, isOne }) => (isNone || isOne ? [{ about, isWolf: !isNone }] : [])) : [],
    saved: is === 'witch' ? verdicts.flatMap(({ about, isSaved }) => (isSaved ? [about] : [])) : [],
    accuses: verdicts.flatMap(({ about, isNone, ...says }) =>
      !isNone && (says.isOne || says.isMaybe || says.isSuspected || says.isDistrusted) ? [about] : [],
    ),
  };
}

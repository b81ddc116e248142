import type { Seat } from '@maw/games/kernel/question.ts';
import { type Role, ROLES } from '@maw/games/werewolf-7/state.ts';
import { accusedBy, type Heard, listener, seatsOf, sidesOf } from '../conversation/understand.ts';
import { sentences } from './sentences.ts';

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

/** Actions that imply a role. */
const DOING: readonly (readonly [RegExp, ClaimedRole])[] = [
  [/\bI (?:have )?(?:verified|inspected|checked)\b/iu, 'seer'],
  [/\bI (?:have )?(?:saved|poisoned)\b|\bmy (?:antidote|poison)\b/iu, 'witch'],
  [/\bI (?:have )?(?:protected|guarded)\b/iu, 'guard'],
];

export const understand = listener(sentences, ROLES, ['idle', 'candidate']);

/** Finds claims and accusations; ignores everything else. */
export function readSpeech(heard: Heard): Meaning {
  const acts = understand(heard);
  const claimed = acts.flatMap((one) => (one.act === 'claims-role' && ROLES.includes(one.role as Role) ? [one.role] : []));
  const is = (claimed[0] as ClaimedRole | undefined) ?? DOING.find(([done]) => done.test(heard.speech))?.[1];
  const saved = acts.filter((one) => one.act === 'claims-result' && one.result === 'saved');
  return {
    is: is === ('werewolf' as Role) ? undefined : is,
    results: is === 'seer' ? sidesOf(acts) : [],
    saved: is === 'witch' ? seatsOf(saved, ['claims-result']) : [],
    accuses: accusedBy(acts),
  };
}

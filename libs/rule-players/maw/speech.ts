import type { Seat } from '@maw/games/kernel/question.ts';
import { accusedBy, type Heard, listener, sidesOf } from '../conversation/understand.ts';
import { sentences } from './sentences.ts';

/** The facts in a speech. */
export interface Meaning {
  readonly accuses: readonly Seat[];
  /** Results told by one who claims to be the seer, or to have looked. Without any, who claims to be the seer clears itself. */
  readonly claims: readonly { readonly about: Seat; readonly isWolf: boolean }[];
}

export const understand = listener(sentences, ['werewolf', 'villager', 'seer'], ['opening', 'night', 'defence']);

/** Finds accusations and a seer's claimed results. */
export function readSpeech(heard: Heard): Meaning {
  const acts = understand(heard);
  const claims = sidesOf(acts);
  const isBare = !claims.length && heard.by >= 0 && acts.some((one) => one.act === 'claims-role' && one.role === 'seer');
  return { accuses: accusedBy(acts), claims: isBare ? [{ about: heard.by, isWolf: false }] : claims };
}

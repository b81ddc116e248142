import type { Seat } from '@maw/games/kernel/question.ts';
import { ROLES } from '@maw/games/avalon/state.ts';
import { type Heard, listener, seatsOf } from '../conversation/understand.ts';
import { sentences } from './sentences.ts';

/** The opinions in a speech. */
export interface Meaning {
  /** Who is called evil, or wished away from the team. */
  readonly against: readonly Seat[];
  /** Who is called good, or wished on the team. */
  readonly favour: readonly Seat[];
}

export const understand = listener(sentences, ROLES, ['nothing', 'noFail']);

/** Finds who is suspected and who is trusted; ignores everything else, and what is said both ways. */
export function readSpeech(heard: Heard): Meaning {
  const acts = understand(heard);
  const found = (result: string) =>
    seatsOf(
      acts.filter((one) => one.act === 'claims-result' && one.result === result),
      ['claims-result'],
    );
  const against = [...seatsOf(acts, ['accuses', 'shuns']), ...found('evil')];
  const favour = [...seatsOf(acts, ['defends', 'wants']), ...found('good')];
  return { against: against.filter((seat) => !favour.includes(seat)), favour: favour.filter((seat) => !against.includes(seat)) };
}

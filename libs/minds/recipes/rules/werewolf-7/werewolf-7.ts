import { isWolf } from '@maw/games/werewolf-7/state.ts';
import type { Answer, Asking } from '../../../mind.ts';
import { type Intent, seatFor } from '../shared/answers.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf } from './belief.ts';
import { ownEvidence, publicEvidence } from './evidence.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { villager } from './villager.ts';
import { wolf } from './wolf.ts';

/** The beliefs of one seat: its own, and the public's. */
export type Beliefs = Belief & { readonly seen: Belief; readonly [about: string]: unknown };

/** The strategy for seven-player Werewolf. */
export const werewolf7Strategy: Strategy<Known, Beliefs> = {
  begin: () => newRecord(),
  fold: recordNews,
  believe: (known, { seat }) => ({ ...beliefOf(ownEvidence(known, seat)), seen: beliefOf(publicEvidence(known)) }),

  act(known, belief, moment, dice) {
    if (!known.game.roles.length) return { answers: [], known }; // before the deal
    const intent = isWolf(known.game, moment.seat) ? wolf(known, belief, belief.seen, moment, dice) : villager(known, belief, moment, dice);
    return { answers: moment.questions.flatMap((asking) => answerTo(asking, intent)), known };
  },
};

/** The answer to one question: the first speech that is short enough, the wanted seat, or a pass. */
function answerTo(asking: Asking, intent: Intent): readonly Answer[] {
  const { id, verb, options, maxChars } = asking;
  if (verb === 'say') {
    const text = intent.says.find((each) => [...each].length <= maxChars);
    return text === undefined ? [] : [{ question: id, says: [text] }];
  }
  const seat = seatFor(asking, intent);
  const option = options.find(({ is }) => is === `seat:${seat}`)?.is ?? options.find(({ is }) => is === 'pass')?.is;
  return option === undefined ? [] : [{ question: id, says: [option] }];
}

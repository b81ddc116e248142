import { isWolf } from '@maw/games/maw/state.ts';
import type { Answer, Asking, Moment } from '../../../mind.ts';
import { chooseSeat, type Intent, seatFor } from '../shared/answers.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf } from './belief.ts';
import { ownEvidence, publicEvidence } from './evidence.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { villager } from './villager.ts';
import { wolf } from './wolf.ts';

/** The beliefs of one seat: its own, and the public's. */
export type Beliefs = Belief & { readonly seen: Belief; readonly [about: string]: unknown };

/** The strategy for MAW. */
export const mawStrategy: Strategy<Known, Beliefs> = {
  begin: () => newRecord(),
  fold: recordNews,

  believe(known, moment) {
    const seen = publicEvidence(known, moment);
    return { ...beliefOf(ownEvidence(known, moment, seen)), seen: beliefOf(seen) };
  },

  act(known, belief, moment, dice) {
    if (!known.game.roles.length) return { answers: [], known }; // before the deal
    const intent = isWolf(known.game, moment.seat) ? wolf(known, belief, belief.seen, moment, dice) : villager(known, belief, moment, dice);
    const mine = known.mine.phase === moment.phase ? known.mine : { phase: moment.phase, said: [] };
    const answers = moment.questions.flatMap((asking) => answersTo(asking, intent, mine.said, moment));
    const said = answers.flatMap(({ question, says }) => (moment.questions.some((q) => q.id === question && q.verb === 'say') ? says : []));
    return { answers, known: said.length || mine !== known.mine ? { ...known, mine: { ...mine, said: [...mine.said, ...said] } } : known };
  },
};

/** The answers to one question, without what stands or has been said already. */
function answersTo(asking: Asking, intent: Intent, said: readonly string[], moment: Moment): readonly Answer[] {
  const { id, verb, maxChars } = asking;
  if (verb === 'choose') return chooseSeat(asking, seatFor(asking, intent), moment);
  const says = verb === 'say' ? intent.says.filter((text) => !said.includes(text) && [...text].length <= maxChars) : [];
  return says.map((text) => ({ question: id, says: [text] }));
}

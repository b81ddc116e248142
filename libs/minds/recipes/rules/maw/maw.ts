import { isWolf } from '@maw/games/maw/state.ts';
import type { Answer, Asking, Moment } from '../../../mind.ts';
import { chooseSeat, type Intent, seatFor } from '../shared/answers.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf } from './belief.ts';
import { ownEvidence, pastDays, publicEvidence } from './evidence.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { villager } from './villager.ts';
import { wolf } from './wolf.ts';

/** The beliefs of one seat: its own, and the public's. */
export type Beliefs = Belief & { readonly seen: Belief; readonly [about: string]: unknown };

/** The last beliefs by game state: a seat thinks more often than its evidence changes. */
const lastBeliefs = new WeakMap<Known['game'], { readonly inputs: readonly unknown[]; readonly beliefs: Beliefs }>();

/** The strategy for MAW. */
export const mawStrategy: Strategy<Known, Beliefs> = {
  begin: () => newRecord(),
  fold: recordNews,

  believe(known, moment) {
    const { game, claims, murdered, hasSeer } = known;
    const alive = moment.players.map((player) => Number(player.alive)).join('');
    const inputs = [moment.seat, alive, claims, murdered, hasSeer, ...pastDays(known)];
    const before = lastBeliefs.get(game);
    if (before?.inputs.length === inputs.length && before.inputs.every((input, i) => input === inputs[i])) return before.beliefs;
    const seen = publicEvidence(known, moment);
    const beliefs = { ...beliefOf(ownEvidence(known, moment, seen)), seen: beliefOf(seen) };
    lastBeliefs.set(game, { inputs, beliefs });
    return beliefs;
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
  switch (verb) {
    case 'say':
      return intent.says
        .filter((text) => !said.includes(text) && [...text].length <= maxChars)
        .map((text) => ({ question: id, says: [text] }));
    case 'tell':
      return [];
    case 'choose':
      return chooseSeat(asking, seatFor(asking, intent), moment);
  }
}

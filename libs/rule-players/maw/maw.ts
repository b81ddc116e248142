import { isWolf } from '@maw/games/maw/state.ts';
import { affairsOf } from '../conversation/affairs.ts';
import { opinionOn } from '../conversation/converse.ts';
import type { Answer, Asking, Moment } from '../moment.ts';
import { chooseSeat, type Intent, seatFor } from '../shared/choosing.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf, ownEvidence, publicEvidence } from './belief.ts';
import { situationOf, villager, wolf } from './choices.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { type Occasion, sentences } from './sentences.ts';
import { readSpeech, understand } from './speech.ts';

/** The beliefs of one seat: its own, and the public's. */
export type Beliefs = Belief & { readonly seen: Belief; readonly [about: string]: unknown };

/** The strategy for MAW. */
export const mawStrategy: Strategy<Known, Beliefs, Occasion> = {
  book: sentences,
  roles: ['villager', 'seer'],
  understand,
  gist(heard) {
    const { accuses, claims } = readSpeech(heard);
    return { against: accuses, isClaim: claims.length > 0 };
  },
  begin: () => newRecord(),
  fold: recordNews,

  believe(known, moment) {
    const seen = publicEvidence(known, moment);
    return { ...beliefOf(ownEvidence(known, moment, seen)), seen: beliefOf(seen) };
  },

  act(known, belief, moment, dice, floor) {
    if (!known.game.roles.length) return { answers: [], known }; // before the deal
    const here = situationOf(known, moment, dice, floor);
    const isPack = isWolf(known.game, moment.seat);
    const intent = isPack ? wolf(here, belief, belief.seen) : villager(here, belief);
    const suspicion = isPack ? belief.seen.wolf : belief.wolf;
    const mine = known.mine.phase === moment.phase ? known.mine : { phase: moment.phase, said: [] };
    const answers = moment.questions.flatMap((asking) => answersTo(asking, intent, mine.said, moment));
    const affairs = {
      ...affairsOf(Object.values(known.days), ({ before = [], target }) => [...before, target]),
      innocent: known.murdered,
      found: known.claims.filter((one) => one.isWolf && !one.isPrivate),
    };
    const said = answers.flatMap(({ question, says }) => (moment.questions.some((q) => q.id === question && q.verb === 'say') ? says : []));
    const told = said.length ? [...known.told, ...(intent.tells ?? [])] : known.told;
    return {
      answers,
      known: { ...known, told, mine: { ...mine, said: [...mine.said, ...said] } },
      opinion: opinionOn(intent.vote, here.living, (seat) => suspicion[seat] ?? 0, here.order, affairs, 25),
    };
  },
};

/** The answers to one question, without what stands or has been said already. */
function answersTo(asking: Asking, intent: Intent, said: readonly string[], moment: Moment): readonly Answer[] {
  const { id, verb, maxChars } = asking;
  if (verb === 'choose') return chooseSeat(asking, seatFor(asking, intent), moment);
  const says = verb === 'say' ? intent.says.filter((text) => !said.includes(text) && [...text].length <= maxChars) : [];
  return says.map((text) => ({ question: id, says: [text] }));
}

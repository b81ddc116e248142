import { type Role, sideOf } from '@maw/games/aiwolf/state.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import { opinionOn } from '../conversation/converse.ts';
import type { Answer, Asking, Moment } from '../moment.ts';
import { chooseSeat, type Intent, seatFor } from '../shared/choosing.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf, ownEvidence, publicEvidence } from './belief.ts';
import { hidingFox, possessed, villager, werewolf } from './choices.ts';
import { japaneseSentences } from './japanese/sentences.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { type Occasion, sentences } from './sentences.ts';
import { inSentences, statementsOf, understand } from './speech.ts';

/** The beliefs of one seat: its own, and for deceivers the public's; empty before the deal. */
export type Beliefs = Partial<Belief> & { readonly seen?: Belief; readonly [about: string]: unknown };

/** The strategy for AIWolf. */
export const aiwolfStrategy: Strategy<Known, Beliefs, Occasion> = {
  book: sentences,
  japanese: japaneseSentences,
  roles: ['villager', 'seer', 'medium', 'bodyguard', 'possessed'],
  understand,
  gist(heard) {
    const statements = statementsOf({ ...heard, by: -1 });
    return {
      against: statements.flatMap((one) => (one.states === 'wish' ? [one.about] : [])),
      isClaim: statements.some(({ states }) => states === 'role'),
    };
  },
  begin: () => newRecord(),
  fold: recordNews,

  believe(known, { seat }) {
    if (!known.cast) return {}; // before the deal
    const role = known.game.roles[seat] as Role;
    return { ...beliefOf(ownEvidence(known, seat)), ...(sideOf(role) !== 'village' ? { seen: beliefOf(publicEvidence(known)) } : {}) };
  },

  act(known, beliefs, moment, dice, { voice, wording }) {
    const questions = moment.questions.filter(({ id }) => id.startsWith(`round-${known.round}/`));
    if (!known.cast || !questions.length) return { answers: [], known }; // the Lobby
    const planned = intentOf(known, beliefs, moment, dice);
    if (!known.isFree) return { answers: questions.flatMap((asking) => answersTo(asking, planned, moment)), known };
    const names = moment.players.map(({ name }) => name);
    const dead = moment.players.flatMap(({ seat, alive }) => (alive ? [] : [seat]));
    const intent = { ...planned, says: planned.says.map((text) => inSentences(text, { names, dead, voice, wording })) };
    const { living } = known.game;
    const others = living.filter((seat) => seat !== moment.seat && seat !== intent.vote);
    const suspicion = (beliefs.seen ?? (beliefs as Belief)).werewolf; // deceivers suspect as the village would
    return {
      answers: questions.flatMap((asking) => answersTo(asking, intent, moment)),
      known,
      opinion: opinionOn(intent.vote, others, (seat) => suspicion[seat]!, living, {
        votes: Object.values(known.ballots).flatMap((cast) => cast.map(([by, about]) => ({ by, about }))),
        accusations: Object.entries(known.wishes).map(([by, { about }]) => ({ by: Number(by), about })),
        innocent: known.game.killed.map(({ seat }) => seat),
        found: known.claims.flatMap(({ found }, by) => found.filter((one) => one.isWolf).map(({ about }) => ({ by, about }))),
      }),
    };
  },
};

function intentOf(known: Known, beliefs: Beliefs, moment: Moment, dice: Dice): Intent {
  const belief = beliefs as Belief;
  const role = known.game.roles[moment.seat];
  if (role === 'werewolf') return werewolf(known, belief, beliefs.seen!, moment);
  if (role === 'fox') return hidingFox(known, belief, beliefs.seen!, moment);
  if (role === 'possessed' || role === 'immoralist') return possessed(known, belief, beliefs.seen!, moment, dice);
  return villager(known, belief, moment, dice);
}

/** In talk at any time, how often it listens before it says `Over`: what others say may give it something to say. */
const LISTENS = 6;

/** The answers to one question, without what stands already; `Over` when there is nothing to say. */
function answersTo(asking: Asking, intent: Intent, moment: Moment): readonly Answer[] {
  const { id, verb, maxChars, final } = asking;
  if (verb !== 'say') return chooseSeat(asking, seatFor(asking, intent), moment);
  const speech = intent.says.find((text) => [...text].length <= maxChars);
  const isListening = !final && !moment.isTimeShort && moment.iteration < LISTENS;
  return speech === undefined && isListening ? [] : [{ question: id, says: [speech ?? 'Over'] }];
}

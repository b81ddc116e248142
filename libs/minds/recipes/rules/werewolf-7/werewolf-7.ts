import { stepOf } from '@maw/games/kernel/question.ts';
import { isWolf } from '@maw/games/werewolf-7/state.ts';
import type { Asking, Answer } from '../../../mind.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf } from './belief.ts';
import type { Doing } from './decision.ts';
import { ownEvidence, publicEvidence } from './evidence.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { village } from './villager.ts';
import { wolf } from './wolf.ts';

/** The belief table of one seat: its own, and what everybody may think. */
export type Table = Belief & { readonly seen: Belief; readonly [about: string]: unknown };

/** How the player without a model plays seven-player Werewolf. */
export const werewolf7Strategy: Strategy<Known, Table> = {
  begin: () => newRecord(),
  fold: (known, news, { players }) =>
    recordNews(
      known,
      news,
      players.map(({ name }) => name),
    ),

  believe: (known, { seat }) => ({ ...beliefOf(ownEvidence(known, seat)), seen: beliefOf(publicEvidence(known)) }),

  act(known, belief, moment, dice) {
    if (!known.game.roles.length) return { answers: [], known }; // nothing is dealt: the Lobby
    const doing = isWolf(known.game, moment.seat) ? wolf(known, belief, belief.seen, moment, dice) : village(known, belief, moment, dice);
    return { answers: moment.questions.flatMap((asking) => answerTo(asking, doing)), known };
  },
};

/** What of what it wants answers one question. */
function answerTo({ id, verb, options, maxChars }: Asking, { vote, night, says }: Doing): readonly Answer[] {
  if (verb === 'say') {
    const text = says.find((each) => [...each].length <= maxChars);
    return text === undefined ? [] : [{ question: id, says: [text] }];
  }
  const step = stepOf(id);
  const seat = step === 'vote' ? vote : night[step];
  const option = options.find(({ is }) => is === `seat:${seat}`)?.is ?? options.find(({ is }) => is === 'pass')?.is;
  return option === undefined ? [] : [{ question: id, says: [option] }];
}

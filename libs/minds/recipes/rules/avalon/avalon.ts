import { isEvil } from '@maw/games/avalon/state.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { seats, stepOf } from '@maw/games/kernel/question.ts';
import type { Asking, Moment, Answer } from '../../../mind.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, ownBelief } from './belief.ts';
import { evil, targetOf } from './evil.ts';
import { good } from './good.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { spoken } from './speech.ts';
import { placeOf } from './table.ts';

/** The belief table of one seat; empty before anything is dealt. */
export type Table = Partial<Belief> & { readonly [about: string]: unknown };

/** How the player without a model plays Avalon. */
export const avalonStrategy: Strategy<Known, Table> = {
  begin: () => newRecord(),
  fold: (known, news, { players }) =>
    recordNews(
      known,
      news,
      players.map(({ name }) => name),
    ),

  believe(known, { seat, players }) {
    if (!known.game.roles.length || known.game.ended) return {};
    const { evil: isEvilBy, merlin } = ownBelief(known, seat, players.length);
    return { evil: isEvilBy, merlin };
  },

  act(known, _, moment) {
    if (!known.game.roles.length || known.game.ended) return { answers: [], known }; // the Lobby
    return { answers: moment.questions.flatMap((asking) => answerTo(known, asking, moment)), known };
  },
};

/** Each question is answered once, with dice of its own: talk, team, vote and card of one proposal are of one phase. */
function answerTo(known: Known, { id, verb, options, pick, maxChars }: Asking, moment: Moment): readonly Answer[] {
  const dice = diceOf(moment.seed, `${moment.seat}/${id}/${moment.iteration}/rules`);
  const place = placeOf(known, moment, dice);
  const side = isEvil(place.role) ? evil : good;
  const { team } = known.game;
  const offered = options.map(({ is }) => is);
  const answer = (...says: readonly string[]): readonly Answer[] => [{ question: id, says }];
  if (verb === 'say') {
    const text = spoken(side.says(place), maxChars);
    return text === undefined ? [] : answer(text);
  }
  switch (stepOf(id)) {
    case 'team':
      return answer(...seats(side.team(place).slice(0, pick)));
    case 'approve':
      return answer(side.approves(place, team) ? 'approve' : 'reject');
    case 'quest':
      return answer(side.fails(place, team) && offered.includes('fail') ? 'fail' : 'success');
    case 'assassinate': {
      const target = targetOf(place, offered, !offered.includes('nobody'));
      return target === undefined ? [] : answer(target);
    }
    default:
      return [];
  }
}

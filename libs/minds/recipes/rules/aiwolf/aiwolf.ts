import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import type { Asking, Moment, Answer } from '../../../mind.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf } from './belief.ts';
import type { Doing } from './decision.ts';
import { ownEvidence, publicEvidence } from './evidence.ts';
import { possessed } from './possessed.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { village } from './villager.ts';
import { werewolf } from './werewolf.ts';

/** The belief table of one seat: its own, and for those who mean to deceive what everybody may think; empty before the deal. */
export type Table = Partial<Belief> & { readonly seen?: Belief; readonly [about: string]: unknown };

/** How the player without a model plays AIWolf. */
export const aiwolfStrategy: Strategy<Known, Table> = {
  begin: () => newRecord(),
  fold: (known, news, { seat, players }) =>
    recordNews(
      known,
      news,
      seat,
      players.map(({ name }) => name),
    ),

  believe(known, { seat }) {
    if (!known.cast) return {}; // nothing is dealt: the Lobby
    const isLiar = known.game.roles[seat] === 'werewolf' || known.game.roles[seat] === 'possessed';
    return { ...beliefOf(ownEvidence(known, seat)), ...(isLiar ? { seen: beliefOf(publicEvidence(known)) } : {}) };
  },

  act(known, table, moment, dice) {
    const questions = moment.questions.filter(({ id }) => id.startsWith(`round-${known.round}/`));
    if (!known.cast || !questions.length) return { answers: [], known }; // the Lobby
    const doing = doingOf(known, table, moment, dice);
    return { answers: questions.flatMap((asking) => answersTo(asking, doing, moment)), known };
  },
};

function doingOf(known: Known, table: Table, moment: Moment, dice: Dice): Doing {
  const belief = table as Belief;
  const own = known.game.roles[moment.seat];
  if (own === 'werewolf') return werewolf(known, belief, table.seen!, moment);
  if (own === 'possessed') return possessed(known, belief, table.seen!, moment, dice);
  return village(known, belief, moment, dice);
}

/** What of what it wants answers one question; nothing that stands already. */
function answersTo(asking: Asking, doing: Doing, { standing }: Moment): readonly Answer[] {
  const { id, verb, options, maxChars } = asking;
  if (verb === 'say') {
    const text = doing.says.find((one) => [...one].length <= maxChars);
    return [{ question: id, says: [text ?? 'Over'] }];
  }
  const option = options.find(({ is }) => is === `seat:${wantedBy(id, doing)}`)?.is;
  return option === undefined || standing[id]?.[0] === option ? [] : [{ question: id, says: [option] }];
}

function wantedBy(id: string, { vote, divine, guard, attack }: Doing): Seat | undefined {
  switch (stepOf(id)) {
    case 'divine':
      return divine;
    case 'guard':
      return guard;
    case 'attack':
      return attack;
    default:
      return vote;
  }
}

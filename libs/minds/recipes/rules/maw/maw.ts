import { isWolf } from '@maw/games/maw/state.ts';
import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import type { Asking, Moment, Answer } from '../../../mind.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf } from './belief.ts';
import type { Doing } from './decision.ts';
import { ownEvidence, pastDays, publicEvidence } from './evidence.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { villager } from './villager.ts';
import { wolf } from './wolf.ts';

/** The belief table of one seat: its own, and what everybody may think. */
export type Table = Belief & { readonly seen: Belief; readonly [about: string]: unknown };

/** What came of the last evidence, by what has happened in the game: a seat thinks more often than something bears on its beliefs. */
const believed = new WeakMap<Known['game'], { readonly parts: readonly unknown[]; readonly table: Table }>();

/** How the player without a model plays MAW. */
export const mawStrategy: Strategy<Known, Table> = {
  begin: () => newRecord(),
  fold: (known, news, { players }) =>
    recordNews(
      known,
      news,
      players.map(({ name }) => name),
    ),

  believe(known, moment) {
    const { game, claims, murdered, hasSeer } = known;
    const alive = moment.players.map((player) => Number(player.alive)).join('');
    const parts = [moment.seat, alive, claims, murdered, hasSeer, ...pastDays(known)];
    const before = believed.get(game);
    if (before?.parts.length === parts.length && before.parts.every((part, i) => part === parts[i])) return before.table;
    const seen = publicEvidence(known, moment);
    const table = { ...beliefOf(ownEvidence(known, moment, seen)), seen: beliefOf(seen) };
    believed.set(game, { parts, table });
    return table;
  },

  act(known, belief, moment, dice) {
    if (!known.game.roles.length) return { answers: [], known }; // nothing is dealt: the Lobby
    const doing = isWolf(known.game, moment.seat) ? wolf(known, belief, belief.seen, moment, dice) : villager(known, belief, moment, dice);
    const mine = known.mine.phase === moment.phase ? known.mine : { phase: moment.phase, said: [] };
    const answers = moment.questions.flatMap((asking) => answersTo(asking, doing, mine.said, moment));
    const said = answers.flatMap(({ question, says }) => (moment.questions.some((q) => q.id === question && q.verb === 'say') ? says : []));
    return { answers, known: said.length || mine !== known.mine ? { ...known, mine: { ...mine, said: [...mine.said, ...said] } } : known };
  },
};

/** What of what it wants answers one question; nothing that stands already or has been said. */
function answersTo(
  { id, verb, options, maxChars }: Asking,
  { vote, inspect, says }: Doing,
  said: readonly string[],
  { standing }: Moment,
): readonly Answer[] {
  const choose = (seat: Seat | undefined): readonly Answer[] => {
    const option = options.find(({ is }) => is === `seat:${seat}`)?.is;
    return option === undefined || standing[id]?.[0] === option ? [] : [{ question: id, says: [option] }];
  };
  switch (verb) {
    case 'say':
      return says.filter((text) => !said.includes(text) && [...text].length <= maxChars).map((text) => ({ question: id, says: [text] }));
    case 'tell':
      return [];
    case 'choose':
      return choose(stepOf(id) === 'inspect' ? inspect : vote);
  }
}

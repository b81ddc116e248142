import type { Seat } from '@maw/games/kernel/question.ts';
import { partOf } from '@maw/games/werewolf-7/day.ts';
import { isWolf } from '@maw/games/werewolf-7/state.ts';
import { affairsOf } from '../conversation/affairs.ts';
import { opinionOn } from '../conversation/converse.ts';
import type { Answer, Asking } from '../moment.ts';
import { foremost, type Intent, seatFor } from '../shared/choosing.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, beliefOf, ownEvidence, publicEvidence } from './belief.ts';
import { dayChoice, situationOf, villager, wolf } from './choices.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { type Occasion, sentences } from './sentences.ts';
import { readSpeech, understand } from './speech.ts';

/** The beliefs of one seat: its own, and the public's. */
export type Beliefs = Belief & { readonly seen: Belief; readonly [about: string]: unknown };

/** The strategy for seven-player Werewolf. */
export const werewolf7Strategy: Strategy<Known, Beliefs, Occasion> = {
  book: sentences,
  roles: ['villager', 'seer', 'guard', 'witch'],
  understand,
  gist(heard) {
    const { accuses, is, results } = readSpeech(heard);
    return { against: accuses, isClaim: results.length > 0 || (is !== undefined && is !== 'villager') };
  },
  begin: () => newRecord(),
  fold: recordNews,
  believe: (known, { seat }) => ({ ...beliefOf(ownEvidence(known, seat)), seen: beliefOf(publicEvidence(known)) }),

  act(known, belief, moment, dice, { voice }) {
    if (!known.game.roles.length) return { answers: [], known }; // before the deal
    const here = situationOf(known, belief, moment, dice, voice);
    const isPack = isWolf(known.game, moment.seat);
    const intent = isPack ? wolf(here, belief.seen) : villager(here);
    const { werewolf } = isPack ? belief.seen : belief;
    const others = here.living.filter((seat) => seat !== moment.seat);
    const suspicion = (seat: Seat): number => werewolf[seat]!;
    const suspect = intent.vote ?? foremost(others, suspicion, known.game.order);
    /** A wolf is against everybody else, of the pack least against itself. */
    const against = (seat: Seat): number =>
      seat === moment.seat ? -2 : isPack && isWolf(known.game, seat) ? -1 : suspicion(seat) + Number(isPack);
    const speeches = (asking: Asking): readonly string[] => (partOf(asking.id).endsWith('election') ? [voice('candidate')] : intent.says);
    return {
      answers: moment.questions.flatMap((asking) => {
        const option = dayChoice(asking, here, against);
        return option === undefined ? answerTo(asking, { ...intent, says: speeches(asking) }) : [{ question: asking.id, says: [option] }];
      }),
      known,
      opinion: opinionOn(suspect, others, suspicion, known.game.order, {
        ...affairsOf(Object.values(known.days), (vote) => (vote === 'pass' ? [] : [vote])),
        innocent: publicEvidence(known).roles.flatMap((role, seat) => (role && role !== 'werewolf' ? [seat] : [])),
        found: known.claims.flatMap(({ by, results }) => results.flatMap(({ about, isWolf: says }) => (says ? [{ by, about }] : []))),
      }),
    };
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

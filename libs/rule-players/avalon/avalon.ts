import { isEvil } from '@maw/games/avalon/state.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { seats, stepOf } from '@maw/games/kernel/question.ts';
import type { Opinion } from '../conversation/converse.ts';
import type { Hearing } from '../conversation/hearing.ts';
import { fitSentences, type Voice } from '../conversation/voice.ts';
import type { Answer, Asking, Moment } from '../moment.ts';
import type { Strategy } from '../strategy.ts';
import { type Belief, ownBelief } from './belief.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { type Occasion, sentences } from './sentences.ts';
import { byWeight, evil, good, lookAt, type Situation, situationOf, targetOf } from './sides.ts';
import { readSpeech, understand } from './speech.ts';

/** The beliefs of one seat; empty before the deal. */
export type Beliefs = Partial<Belief> & { readonly [about: string]: unknown };

/** The strategy for Avalon. */
export const avalonStrategy: Strategy<Known, Beliefs, Occasion> = {
  book: sentences,
  roles: ['merlin', 'percival', 'tristan', 'isolde', 'servant', 'morgana', 'assassin', 'mordred', 'oberon'],
  understand,
  gist: (heard) => ({ ...readSpeech(heard), isClaim: understand(heard).some((one) => one.act === 'claims-role' && isKnowing(one.role)) }),
  begin: () => newRecord(),
  fold: recordNews,

  believe(known, { seat, players }) {
    if (!known.game.roles.length || known.game.ended) return {};
    const { evil: isEvilBy, merlin } = ownBelief(known, seat, players.length);
    return { evil: isEvilBy, merlin };
  },

  act(known, _, moment, dice, { voice, hearing }) {
    if (!known.game.roles.length || known.game.ended) return { answers: [], known }; // the Lobby
    const answers = moment.questions.flatMap((asking) => answerTo(known, asking, moment, voice));
    const opinion = opinionOf(situationOf(known, moment, dice, voice));
    return { answers, known, opinion: { ...opinion, contradiction: contradictionOf(known, hearing, moment, voice) } };
  },
};

/** Who stands out from the average, as far as its side shows; a suspect of a quest that failed is suspected for it. */
function opinionOf(here: Situation): Opinion {
  const { known, seat, players, dice, voice } = here;
  const evilness = (isEvil(here.role) ? evil : good).shows(here);
  const average = evilness.reduce((a, b) => a + b, 0) / (players - 1);
  const ranked = byWeight(
    evilness.flatMap((_, other) => (other === seat ? [] : [other])),
    dice,
    (other) => evilness[other]!,
  );
  const [trusts, suspect] = [ranked[0]!, ranked.at(-1)!];
  const hasFailed = known.game.quests.some(({ team, fails }) => fails > 0 && team.includes(suspect));
  return {
    ...(evilness[suspect]! > average + 0.01 ? { suspect } : {}),
    ...(evilness[trusts]! < average - 0.01 ? { trusts } : {}),
    affairs: { votes: [], accusations: known.opinions.filter((one) => one.isAgainst), innocent: [], found: [] },
    believes: (other) => evilness[other]! <= average,
    ...(hasFailed ? { reason: () => voice('clauseFailed', { who: '{who}' }) } : {}),
  };
}

const isKnowing = (role: string): boolean => role === 'merlin' || role === 'percival';

const FAILED = /\b(?:team|quest|mission)\b.*\bfail|\bfail(?:ed)?\b.*\b(?:team|quest|mission)\b/i;
const SUPPOSED = /\?|n't|\b(?:not?|never|if|who|will|would|want|should|may)\b/i;

/** Where no quest has failed, nobody has seen a fail card. */
function contradictionOf({ game }: Known, { before = [] }: Hearing, { seat, players }: Moment, voice: Voice<Occasion>): string | undefined {
  const last = before.at(-1);
  if (!last || last.by === seat || !FAILED.test(last.text) || SUPPOSED.test(last.text)) return undefined;
  return game.quests.some(({ fails }) => fails > 0) ? undefined : voice('noFail', { by: players[last.by]!.name });
}

/** Answers a question with dice of its own: talk, team, vote and card of one proposal share a phase. */
function answerTo(known: Known, { id, verb, options, pick, maxChars }: Asking, moment: Moment, voice: Voice<Occasion>): readonly Answer[] {
  const dice = diceOf(moment.seed, `${moment.seat}/${id}/${moment.iteration}/rules`);
  const here = situationOf(known, moment, dice, voice);
  const side = isEvil(here.role) ? evil : good;
  const { team } = known.game;
  const offered = options.map(({ is }) => is);
  const answer = (...says: readonly string[]): readonly Answer[] => [{ question: id, says }];
  if (verb === 'say') {
    const text = fitSentences(side.says(here), maxChars);
    return text === undefined ? [] : answer(text);
  }
  switch (stepOf(id)) {
    case 'team':
      return answer(...seats(side.team(here).slice(0, pick)));
    case 'approve':
      return answer(side.approves(here, team) ? 'approve' : 'reject');
    case 'quest':
      return answer(side.fails(here, team) && offered.includes('fail') ? 'fail' : 'success');
    case 'lady':
      return [lookAt(here, offered)].flatMap((target) => (target === undefined ? [] : answer(target)));
    case 'assassinate': {
      const target = targetOf(here, offered, !offered.includes('nobody'));
      return target === undefined ? [] : answer(target);
    }
    default:
      return [];
  }
}

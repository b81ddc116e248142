import type { Seat } from '@maw/games/kernel/question.ts';
import type { Tactic } from '../strategy.ts';
import { fitSentences } from '../conversation/phrases.ts';
import { commonOrder, foremost } from '../shared/ranking.ts';
import { lie, truth } from './claim.ts';
import type { Speech, SpeechSituation } from './decision.ts';
import { claimed } from './speech.ts';

/**
 * What to say by one of the tactics of document 004. Evidence is a claim about card and deeds, true or invented; an accusation names whom the
 * speaker takes for a Werewolf, or least for one; a defence speaks for whom it takes least for a Werewolf, or most: the accused first.
 */
export function tacticalSpeech(tactic: Tactic, here: SpeechSituation): Speech {
  const { known, moment, maxChars, dice, voice } = here;
  const { lie: before } = known.mine;
  const names = moment.players.map(({ name }) => name);
  const say = (sentences: readonly string[], told = before): Speech => ({ text: fitSentences(sentences, maxChars), lie: told });
  switch (tactic) {
    case 'honest_evidence':
      return { ...say(claimed(truth(known, moment.seat), names, voice)), lie: undefined };
    case 'deceptive_evidence': {
      const told = before ?? lie(known, moment.seat, dice);
      return say(claimed(told, names, voice), told);
    }
    case 'honest_accusation':
    case 'deceptive_accusation': {
      const target = accused(here, tactic === 'honest_accusation');
      return target === undefined ? say([]) : say([voice('suspicion', { name: names[target]! })]);
    }
    case 'honest_defense':
    case 'deceptive_defense': {
      const target = defended(here, tactic === 'honest_defense');
      return say([target === moment.seat ? voice('selfDefence') : voice('defence', { name: names[target]! })]);
    }
  }
}

/** The likeliest Werewolf of the others, or the least likely one. */
function accused({ known, belief, moment }: SpeechSituation, isHonest: boolean): Seat | undefined {
  const others = moment.players.flatMap(({ seat }) => (seat === moment.seat ? [] : [seat]));
  const sign = isHonest ? 1 : -1;
  return foremost(
    others,
    (seat) => sign * (belief.wolf[seat] ?? 0),
    commonOrder(moment, JSON.stringify([known.round, known.suspects])),
    20,
  );
}

/** Of the accused, oneself included, the least likely Werewolf, or the likeliest one; of all when nobody is accused. */
function defended({ known, belief, moment }: SpeechSituation, isHonest: boolean): Seat {
  const all = moment.players.map(({ seat }) => seat);
  const named = all.filter((seat) => Object.entries(known.suspects).some(([by, about]) => about === seat && Number(by) !== moment.seat));
  const sign = isHonest ? -1 : 1;
  const order = commonOrder(moment, JSON.stringify([known.round, known.suspects]));
  return foremost(named.length ? named : all, (seat) => sign * (belief.wolf[seat] ?? 0), order, 20) ?? moment.seat;
}

import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import { fitSentences, type Voice } from '../conversation/voice.ts';
import type { Asking, Moment } from '../moment.ts';
import { commonOrder, foremost } from '../shared/choosing.ts';
import type { Tactic } from '../strategy.ts';
import type { Belief } from './belief.ts';
import { lie, truth } from './claim.ts';
import type { Known } from './record.ts';
import type { Occasion } from './sentences.ts';
import { type Claim, claimed } from './speech.ts';

/** The beliefs of one seat, and for deceivers the public's: by seat, how likely it is a Werewolf. */
export type Beliefs = Belief & { readonly seen?: readonly number[]; readonly [about: string]: unknown };

/** The weight of spoken suspicions for the village. */
const SUPPORT = 0.03;
/** The weight of the others' suspicions for a Werewolf. */
const CROWD = { thought: 0.5, spoken: 0.12 };
/** The probability of being a Werewolf below which a seat withdraws its lie. */
const TURNED = 0.35;
/** How often a Minion says that it is a Werewolf when one is accused, in percent. */
const DRAWS = 30;
/** How often a Troublemaker swaps, in percent. */
const SWAPS = 67;

type Judged = Pick<Moment, 'seat'>;
const oddsOf = ({ cards }: Belief, card: 'minion' | 'tanner', seat: Seat): number => cards[seat]?.[card] ?? 0;
/** Whether this seat plays for the Werewolves: it is more likely one, or a Minion, than not. */
const isWolfish = (belief: Belief, { seat }: Judged): boolean => (belief.wolf[seat] ?? 0) + oddsOf(belief, 'minion', seat) > 0.5;
/** Whether it is more likely a Tanner than not, who wants to die. */
const isTanner = (belief: Belief, { seat }: Judged): boolean => oddsOf(belief, 'tanner', seat) > 0.5;
/** Whether it hides what it is. */
export const isHiding = (belief: Belief, at: Judged): boolean => isWolfish(belief, at) || isTanner(belief, at);

/** A random choice by night: players before the centre, and none that it has seen; a Troublemaker sometimes passes. */
export function nightChoice({ id, options, pick }: Asking, dice: Dice, { game }: Known): readonly string[] {
  const copied = stepOf(id) === 'seer' && game.copied ? `seat:${game.copied.of}` : undefined;
  const all = options.flatMap(({ is }) => (is === copied ? [] : [is]));
  const seats = all.filter((is) => is.startsWith('seat:'));
  const centre = all.filter((is) => is.startsWith('centre'));
  const some = seats.length >= pick ? seats : centre.length >= pick ? centre : [];
  if (!some.length || (stepOf(id) === 'troublemaker' && dice.below(100) >= SWAPS)) return all.includes('pass') ? ['pass'] : [];
  return dice.shuffle(some).slice(0, pick);
}

/**
 * Whom to vote for. The village: the likeliest Werewolf; the next seat when there is probably none, as nobody gets two votes if all do so.
 * The Werewolves: the likeliest of the others to die. A Tanner, who wants the votes: the least likely one.
 */
export function voteFor(known: Known, belief: Beliefs, moment: Moment): Seat | undefined {
  const others = moment.players.flatMap(({ seat }) => (seat === moment.seat ? [] : [seat]));
  const order = commonOrder(moment, JSON.stringify([known.round, known.claims, known.suspects]));
  const best = (weight: (seat: Seat) => number): Seat | undefined => foremost(others, weight, order, 20);
  const support = (seat: Seat) => namedBy(known.suspects, seat, moment) - namedBy(known.defended, seat, moment);
  const gain = (seat: Seat) => belief.gain[seat] ?? 0;
  if (isTanner(belief, moment)) return best((seat) => -(belief.seen?.[seat] ?? 0) - CROWD.spoken * support(seat));
  if (isWolfish(belief, moment))
    return best((seat) => gain(seat) + CROWD.thought * (belief.seen?.[seat] ?? 0) + CROWD.spoken * support(seat));
  if (belief.peace > Math.max(...others.map(gain))) return (moment.seat + 1) % moment.players.length;
  return best((seat) => gain(seat) + SUPPORT * support(seat));
}

/** How many others last named a seat. */
const namedBy = (last: Known['suspects'], seat: Seat, moment: Moment): number =>
  Object.entries(last).filter(([by, about]) => about === seat && Number(by) !== moment.seat).length;

/** What to say next, and the lie to keep from then on. */
interface Speech {
  readonly text: string | undefined;
  readonly lie: Claim | undefined;
}

/** What a speech is made of. */
interface SpeechSituation {
  readonly known: Known;
  readonly belief: Beliefs;
  readonly moment: Moment;
  /** The longest speech, in characters. */
  readonly maxChars: number;
  readonly dice: Dice;
  readonly voice: Voice<Occasion>;
  /** What was said since it spoke last. */
  readonly unanswered: readonly string[];
}

/** Whether somebody wants to hear from whoever has a card: `Troublemaker, whom did you swap?` */
const isCalled = (card: string | undefined, text: string): boolean =>
  new RegExp(`^\\W*(?:hey |so |ok |and )?(?:the )?${card}\\b\\W+(?:please )?(?:tell|say|speak|who|what|did|do|claim|come|talk)`, 'i').test(
    text,
  );

/** First its card and deeds, or a lie; then its suspect; then its vote. Its card once more for whoever calls for it. */
export function speech({ known, belief, moment, maxChars, dice, voice, unanswered }: SpeechSituation): Speech {
  const { said, lie: before } = known.mine;
  const names = moment.players.map(({ name }) => name);
  if (!said.length) {
    const told = isHiding(belief, moment) ? lie(known, moment.seat, dice, isTanner(belief, moment)) : undefined;
    return { text: fitSentences(claimed(told ?? truth(known, moment.seat), names, voice), maxChars), lie: told };
  }
  const claim = before ?? truth(known, moment.seat);
  if (unanswered.some((text) => isCalled(claim.role, text)))
    return { text: fitSentences(claimed(claim, names, voice), maxChars), lie: before };
  const hidden = (belief.wolf[moment.seat] ?? 0) + oddsOf(belief, 'minion', moment.seat) + oddsOf(belief, 'tanner', moment.seat);
  const isTurned = before !== undefined && hidden < TURNED;
  const confession = isTurned ? claimed(truth(known, moment.seat), names, voice) : [];
  const mate = isWolfish(belief, moment) ? packOf(known).find((seat) => namedBy(known.suspects, seat, moment) > 0) : undefined;
  if (mate !== undefined && before?.role !== 'werewolf') return cover(mate);
  return { text: fitSentences([...confession, opinion()], maxChars), lie: isTurned ? undefined : before };

  /** A Minion speaks for an accused Werewolf, or draws the vote by saying that it is one itself. */
  function cover(wolf: Seat): Speech {
    if (dice.below(100) >= DRAWS)
      return { text: fitSentences([voice('defence', { name: names[wolf]! }), opinion()], maxChars), lie: before };
    const drawn: Claim = { role: 'werewolf' };
    return { text: fitSentences(claimed(drawn, names, voice), maxChars), lie: drawn };
  }

  function opinion(): string {
    const target = voteFor(known, belief, moment);
    const isCalm = !isHiding(belief, moment) && belief.peace > (target === undefined ? 0 : (belief.gain[target] ?? 0));
    if (target === undefined || isCalm) return voice('peace');
    return voice(said.length > 1 ? 'vote' : 'suspicion', { name: names[target]! });
  }
}

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

/** The Werewolves that a Minion saw. */
const packOf = ({ game, deck }: Known): readonly Seat[] => (deck.includes('minion') ? (game.saw[0]?.of ?? []) : []);

/** The likeliest Werewolf of the others, or the least likely one. */
function accused(here: SpeechSituation, isHonest: boolean): Seat | undefined {
  const others = seatsOf(here).filter((seat) => seat !== here.moment.seat);
  return wolfOf(here, others, isHonest);
}

/** Of the accused, oneself included, the least likely Werewolf, or the likeliest one; of all when nobody is accused. */
function defended(here: SpeechSituation, isHonest: boolean): Seat {
  const { known, moment } = here;
  const named = seatsOf(here).filter((seat) => namedBy(known.suspects, seat, moment) > 0);
  return wolfOf(here, named.length ? named : seatsOf(here), !isHonest) ?? moment.seat;
}

const seatsOf = ({ moment }: SpeechSituation): readonly Seat[] => moment.players.map(({ seat }) => seat);

/** The likeliest Werewolf of some seats, or the least likely one. */
function wolfOf({ known, belief, moment }: SpeechSituation, seats: readonly Seat[], isLikeliest: boolean): Seat | undefined {
  const order = commonOrder(moment, JSON.stringify([known.round, known.suspects]));
  return foremost(seats, (seat) => (isLikeliest ? 1 : -1) * (belief.wolf[seat] ?? 0), order, 20);
}

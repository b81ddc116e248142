import type { Seat } from '@maw/games/kernel/question.ts';
import { type Card, CARDS, placeOf, SIX, sideOf } from '@maw/games/onuw/state.ts';
import type { Moment } from '../moment.ts';
import { range } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { truth } from './claim.ts';
import { type Odds, PLACES } from './likelihood.ts';
import type { Known } from './record.ts';
import { type Evidence, type Own, worldsOf } from './worlds.ts';

/** What everybody has heard. */
export function publicEvidence({ deck, claims, heard, isMinionTarget }: Known, { players }: Moment): Evidence {
  return {
    players: players.length,
    deck,
    ...(isMinionTarget ? { isMinionTarget } : {}),
    claims: players.map(({ seat }) => claims[seat]),
    hasSpoken: players.map(({ seat }) => heard.includes(seat)),
  };
}

/** That, and what this seat knows about its night. Its own speeches are no evidence for it. */
export function ownEvidence(known: Known, moment: Moment): Evidence {
  const { claims, hasSpoken, ...rest } = publicEvidence(known, moment);
  return {
    ...rest,
    claims: claims.with(moment.seat, undefined),
    hasSpoken: hasSpoken.with(moment.seat, false),
    own: ownOf(known, moment.seat),
  };
}

function ownOf(known: Known, seat: Seat): Own {
  const { game } = known;
  const role = game.roles[seat] as Card;
  const { looks = [], robbed, swapped = [], last, took } = truth(known, seat);
  const taken = robbed?.from === undefined || robbed.card === undefined ? [] : [[robbed.from, robbed.card] as const];
  const { copied } = game;
  const as = copied?.card ?? role;
  const mates = game.met.find(({ card }) => card === as)?.seats ?? [];
  const wolves = as === 'minion' ? game.saw[0]?.of : undefined;
  const centre = game.looks.flatMap(({ at, card }) => (placeOf(at).zone === 'centre' ? [{ card, index: placeOf(at).index }] : []));
  return {
    seat,
    role,
    mates: mates.filter((other) => other !== seat),
    // who is a Mason too is known from waking together
    seen: [...(role === 'mason' ? [] : looks).map(({ about, card }) => [about, card] as const), ...taken],
    centre: centre.map(({ card }) => card),
    pair: swapped,
    ...(robbed?.from === undefined ? {} : { from: robbed.from }),
    ...(last === undefined ? {} : { last }),
    ...(copied ? { copied: copied.card } : {}),
    ...(wolves ? { wolves } : {}),
    ...(took === undefined ? {} : { took }),
    ...(known.deck.some((card) => card === 'drunk' || card === 'doppelganger') ? { centreAt: centre.map(({ index }) => index) } : {}),
  };
}

/** Probabilities, by seat. */
export interface Belief {
  /** Its card at the end: `cards[3].seer`; of the cards that document 004 does not have only those in the deck. */
  readonly cards: readonly (Partial<Odds> & Pick<Odds, (typeof SIX)[number]>)[];
  /** It is a Werewolf at the end. */
  readonly wolf: readonly number[];
  /** Its death is a gain: it is of the other side than oneself. */
  readonly gain: readonly number[];
  /** No player is a Werewolf. */
  readonly peace: number;
}

/** The belief that follows from the evidence: the sum over its worlds. */
export const beliefOf = memoize(compute, 500);

function compute(evidence: Evidence, key: string): Belief {
  const { players, own, deck, isMinionTarget } = evidence;
  const seats = range(players);
  const cards = seats.map(() => CARDS.map(() => 0));
  const gain = seats.map(() => 0);
  let peace = 0;
  let total = 0;
  for (const { held, weight } of worldsOf(evidence, key)) {
    if (!weight) continue;
    total += weight;
    const mine = own && sideOf(CARDS[held[own.seat]!]!);
    const isWild = held.includes(WOLF);
    const target = isMinionTarget && !isWild ? MINION : WOLF;
    if (!isWild) peace += weight;
    for (const seat of seats) {
      cards[seat]![held[seat]!]! += weight;
      const card = held[seat]!;
      if (mine === 'werewolves' ? card !== WOLF && card !== TANNER : mine !== 'tanner' && card === target) gain[seat]! += weight;
    }
  }
  const share = (weight: number): number => (total ? weight / total : 0);
  const named = CARDS.filter((card) => SIX.some((one) => one === card) || deck.includes(card));
  return {
    cards: cards.map((row) => Object.fromEntries(named.map((card) => [card, share(row[PLACES[card]]!)])) as Odds),
    wolf: cards.map((row) => share(row[WOLF]!)),
    gain: gain.map(share),
    peace: share(peace),
  };
}

const { werewolf: WOLF, minion: MINION, tanner: TANNER } = PLACES;

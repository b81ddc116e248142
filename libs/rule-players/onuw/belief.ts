import type { Seat } from '@maw/games/kernel/question.ts';
import { type Card, holders, placeOf } from '@maw/games/onuw/state.ts';
import type { Moment } from '../moment.ts';
import { range } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { truth } from './claim.ts';
import type { Known } from './record.ts';
import { CARDS, type Evidence, type Own, worldsOf } from './worlds.ts';

/** What everybody has heard. */
export function publicEvidence({ deck, claims, heard }: Known, { players }: Moment): Evidence {
  return {
    players: players.length,
    deck,
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
  const { looks = [], robbed, swapped = [], last } = truth(known, seat);
  const taken = robbed?.from === undefined || robbed.card === undefined ? [] : [[robbed.from, robbed.card] as const];
  return {
    seat,
    role,
    mates: game.met.some(({ card }) => card === role) ? holders(game, role).filter((other) => other !== seat) : [],
    seen: [...looks.map(({ about, card }) => [about, card] as const), ...taken],
    centre: game.looks.flatMap(({ at, card }) => (placeOf(at).zone === 'centre' ? [card] : [])),
    pair: swapped,
    ...(robbed?.from === undefined ? {} : { from: robbed.from }),
    ...(last === undefined ? {} : { last }),
  };
}

/** Probabilities, by seat. */
export interface Belief {
  /** Its card at the end: `cards[3].seer`. */
  readonly cards: readonly { readonly [card in Card]: number }[];
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
  const { players, own } = evidence;
  const seats = range(players);
  const cards = seats.map(() => CARDS.map(() => 0));
  const gain = seats.map(() => 0);
  let peace = 0;
  let total = 0;
  for (const { held, weight } of worldsOf(evidence, key)) {
    if (!weight) continue;
    total += weight;
    const mine = own !== undefined && held[own.seat] === WOLF;
    if (!held.includes(WOLF)) peace += weight;
    for (const seat of seats) {
      cards[seat]![held[seat]!]! += weight;
      if ((held[seat] === WOLF) !== mine) gain[seat]! += weight;
    }
  }
  const share = (weight: number): number => (total ? weight / total : 0);
  return {
    cards: cards.map((row) => Object.fromEntries(CARDS.map((card, c) => [card, share(row[c]!)])) as { [card in Card]: number }),
    wolf: cards.map((row) => share(row[WOLF]!)),
    gain: gain.map(share),
    peace: share(peace),
  };
}

const WOLF = CARDS.indexOf('werewolf');
